"""Settings, translation and texts that need no widget.

It imports the engine; all rooms of the app enter.
The way in is `translation.tr`, through which every visible text goes, and `settings.Settings`.
"""
