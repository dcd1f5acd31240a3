"""Widgets that several features share.

There is no single way in: each module is one widget.
"""
