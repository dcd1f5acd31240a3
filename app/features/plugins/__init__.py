"""The plug-ins of blocks: their dialog, and what loads them for all windows.

The way in is `plugin_desk.PluginDesk`.
"""
