"""Commands, their menus and keys, and the box that finds them.

They import `document`, `window`, `help` and below; `startup` enters.
The way in is `commands.COMMANDS`, the table, and `command_actions.CommandActions`, its actions in one window.
"""
