"""The look of the program: tokens, fonts, icons, and numbers as text.

It imports `base`; all rooms above enter.
The way in is `appearance.Appearance`, the look that the user chose, and `theme.Theme`, its colours.
"""
