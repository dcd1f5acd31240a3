"""Pictures that blocks show of tensors: points, curves, images, heat maps, fits, boundaries.

It imports the engine and `live.questions`; the canvas and the session enter.
The way in is `monitors.Monitors`; `picture_question` makes the pictures in the evaluator's process, without Qt.
"""
