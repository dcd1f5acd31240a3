"""The panels around the canvas: each folder is one panel, and `controls` has what several share.

They import `live` and `look`, never the canvas; `startup` places them, lenses and dialogs borrow their widgets.
There is no single way in: the docstring of each folder names its widget.
"""
