"""Hover cards: the facts of a wire or block beside the pointer.

It imports the other wings of the canvas; the window enters.
The way in is `hover_cards.HoverCards`.
"""
