"""The welcome page: examples, recent files and the key to a wire.

It imports `controls` and `palette`; `startup` enters, and dialogs that list graphs or show the key.
The way in is `welcome.WelcomePage`.
"""
