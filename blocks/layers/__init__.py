"""Layers of networks as templates of pages: blocks with Variables inside, sized by what is wired to them.

They know blocks by name and no Qt; `gradwire.layers`, the palette and programs that are read enter.
The way in is `catalogue.LAYERS` and `templates.layer_page`.
"""
