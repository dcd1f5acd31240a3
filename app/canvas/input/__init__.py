"""Mouse, touch and keys on the canvas.

It imports `painting` and `geometry`; the canvas, its overlays and the window enter.
The way in is `picking.target_at`, the target of a point, and `keyboard.Keyboard`.
"""
