"""The places of lenses in the bottom panel: the table of all of them, and their tabs.

The way in is `kinds.LENSES`.
"""
