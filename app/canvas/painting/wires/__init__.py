"""Painting of wires, near and from afar.

The rest of `painting` enters, and the gesture and the legend that draw a single wire.
The way in is `wire_painter.WirePainter`.
"""
