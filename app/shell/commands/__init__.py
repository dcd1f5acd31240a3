"""Commands, their menus and keys, and the box that finds them.

`start` enters, which makes all of a window.
The way in is `commands.COMMANDS`, the table, and `command_actions.CommandActions`, its actions in one window.
"""
