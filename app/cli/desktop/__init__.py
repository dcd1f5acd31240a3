"""The program among the applications of a desktop: its entry, the type of its files, its icon and its description.

It imports the engine's files and Qt's pictures; the command line and the scripts in packaging enter.
The way in is `desktop_command.desktop`.
"""
