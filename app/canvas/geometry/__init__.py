"""Positions on the canvas: camera, page as arrays, sizes of blocks and routes of wires.

It paints nothing; all other wings of the canvas and the window enter.
The way in is `mirror.Mirror`, the arrays of the page that is shown.
"""
