"""The palette of block types, their search and their help.

The way in is `palette.BlockPalette`, and `search_popup.SearchPopup` over the canvas.
"""
