"""Painters of what Monitor, Chart and Data blocks show: plots, boundaries, images, heat maps.

It imports `live.monitors`, `look` and the geometry; `painting.blocks` enters.
The way in is `picture_painter.draw_picture`.
"""
