"""The canvas: one widget that paints a page from arrays and turns the mouse and keys into edits.

It imports `live` and `look`, never a panel; the rooms from the lenses up and the command line's pictures enter.
The way in is `canvas.Canvas`.
"""
