"""The palette of block types, their search and their help.

It imports `controls`; `startup` enters, and all rooms with a list of the same look.
The way in is `palette.BlockPalette`, and `search_popup.SearchPopup` over the canvas.
"""
