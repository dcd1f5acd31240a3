"""Lenses: tabs beside the problems that explain the gradients of a run.

They import `panels`, `live` and the texts of the canvas; commands and the window enter.
The way in is `kinds.LENSES`, the table of all lenses.
"""
