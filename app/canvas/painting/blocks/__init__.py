"""Painting of blocks: frame, body, fields, thumbnails and the picker of a slice.

`painting` enters, and the rooms that share an outline or the picker of a slice.
The way in is `block_painter.BlockPainter`.
"""
