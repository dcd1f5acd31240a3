"""Documents on the disk: opening, saving, recovery copies, versions.

Commands and `start` enter.
The way in is `documents.Documents`.
"""
