"""The first steps, the tour and the help pages of the window.

The way in is `first_steps.FirstSteps`, `tour.Tour` and `wire_help`.
"""
