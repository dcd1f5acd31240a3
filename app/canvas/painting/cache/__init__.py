"""Cached pixels: the base layer, sprites of blocks and labels, and pictures of wires.

The rest of `painting` and the view of the canvas enter.
The way in is `base_layer.BaseLayer` for the page and `sprites.Sprites` for its parts.
"""
