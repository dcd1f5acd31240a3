"""The tour and the help pages of the window.

It imports `lenses` and below; `window`, `document`, `commands` and `startup` enter.
The way in is `tour.Tour` and `wire_help`.
"""
