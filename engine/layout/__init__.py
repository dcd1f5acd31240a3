"""Positions of blocks on a page: layered drawing (Sugiyama), free space and alignment.

It imports `graph` and below; the canvas, the window and `explain` enter.
The way in is `layout.arrange`; `initial_positions.with_missing_places` serves files without positions.
"""
