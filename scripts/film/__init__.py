"""The film of the README: the real window, led through a storyboard by a pointer.

`make pictures` writes it to docs/images/tour.webp.
The way in is `storyboard.SCENES`; `player.Player` plays them.
"""
