"""Start of the program: the window, painted before NumPy is imported, then filled.

It imports all rooms below; `__main__` and the command line enter.
The way in is `start.start`.
"""
