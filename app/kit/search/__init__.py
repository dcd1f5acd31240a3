"""The entries of the search: from several sources, in one ranking, and how a row is drawn.

The search of the window lists them; nothing here knows it.
The way in is `entries.Entry` and `ranking.ranked`.
"""
