"""The application: the command line and the window, on top of the engine.

It imports `engine` and `blocks`; only `gradwire.__main__` and the pictures of `gradwire.face` enter.
The way in is `__main__.main`; `start` opens the window, `cli` carries out commands.
"""
