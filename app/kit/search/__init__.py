"""The search of the window: entries from several sources, one ranking, and a field above the list.

The palette, the search over the canvas, the find bar and the command box use it; it imports nothing of them.
The way in is `entries.Entry`, `ranking.ranked` and `search_frame.SearchFrame`.
"""
