"""Temporary drawings above the page: minimap, spotlight, step marks, navigation.

It imports `input` and below; the window and `startup` enter.
There is no single way in: each module draws one overlay.
"""
