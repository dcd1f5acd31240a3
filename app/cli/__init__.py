"""The command `gradwire`, and pictures without a window.

It imports all rooms of the app and the engine; `__main__` and `gradwire.face` enter.
The way in is `command_line.main`.
"""
