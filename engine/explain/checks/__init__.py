"""Checks of gradients by differences of the loss: on every wire for the command, on one place for the window.

`explain` and the app enter.
The way in is `check.check_gradients`, and `element_check.check_place`.
"""
