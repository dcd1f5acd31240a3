"""Parts that fill a window: docks, pages, navigation, clipboard, tables.

Documents, commands and `start` enter.
There is no single way in: each module is one part.
"""
