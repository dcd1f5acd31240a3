"""Pictures that Monitor, Chart and Data blocks show, and their painters: plots, boundaries, images, heat maps.

It imports `live`, `look` and the geometry; `painting.blocks` enters.
The way in is `monitors.Monitors` and `picture_painter.draw_picture`; `picture_question` makes pictures in the
evaluator's process, without Qt.
"""
