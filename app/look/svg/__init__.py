"""Drawings as SVG: a painter that writes what is painted, with classes, symbols and real texts.

The canvas, panels and `web` use it.
The way in is `svg_painter.SvgPainter`.
"""
