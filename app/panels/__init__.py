"""What stands around the canvas: palette, inspector, problems, search, welcome page."""
