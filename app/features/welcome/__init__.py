"""The empty page: a field to begin with, the files opened last, and lessons; lists of graphs.

The way in is `welcome.WelcomePage`.
"""
