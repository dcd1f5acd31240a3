"""One open document and its newest results.

It imports `look` and below, never the canvas or a panel; all rooms that show a document enter.
The way in is `session.Session`.
"""
