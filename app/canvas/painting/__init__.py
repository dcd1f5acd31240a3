"""Painting of a page from arrays: layers, blocks, wires, labels and pictures without a window.

It imports `geometry`; the other wings enter, and all rooms that show or save a picture of a page.
The way in is `page_painter.PagePainter`; `picture.PagePicture` paints a page without a canvas.
"""
