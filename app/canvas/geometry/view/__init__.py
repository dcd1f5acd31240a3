"""The view of a page: the camera, all that moves it, and how far away a page can be read.

The canvas and what lies over it enter.
The way in is `viewport.Viewport`.
"""
