"""The places of lenses in the bottom panel: their tabs.

The way in is `tabs.LensTabs`.
"""
