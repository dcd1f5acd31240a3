"""Widgets that several panels share.

They import `look` and `live`; the panels and the rooms above them enter.
There is no single way in: each module is one widget.
"""
