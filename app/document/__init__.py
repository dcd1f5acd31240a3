"""Documents on the disk: opening, saving, recovery copies, versions, export.

It imports `window` and below; `commands` and `startup` enter.
The way in is `documents.Documents`.
"""
