"""The status bar and its buttons.

It imports `live` and `look`; `startup` and the lens of checks enter.
The way in is `status_bar.StatusBar`.
"""
