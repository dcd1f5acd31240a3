"""Parts that fill a window: docks, pages, navigation, clipboard, tables.

They import `help` and below; `document`, `commands` and `startup` enter.
There is no single way in: each module is one part.
"""
