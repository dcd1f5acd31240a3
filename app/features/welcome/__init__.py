"""The welcome page: examples and recent files.

The way in is `welcome.WelcomePage`.
"""
