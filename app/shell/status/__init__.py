"""The status bar and its buttons.

`start` enters.
The way in is `status_bar.StatusBar`.
"""
