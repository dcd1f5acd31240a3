"""The one search of a window, over the canvas or below the bar, and the help on block types.

The way in is `search_popup.SearchPopup` and `block_help.BlockHelp`.
"""
