"""The first steps, the tour and the help pages of the window.

It imports `lenses` and below; `window`, `document`, `commands` and `startup` enter.
The way in is `first_steps.FirstSteps`, `tour.Tour` and `wire_help`.
"""
