"""The shell: the frame of a window with its bar, search, keys, documents and places for features.

It alone knows which features there are. The way in is `commands.window_parts`, the parts of one window.
"""
