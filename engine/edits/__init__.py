"""Edits: pure functions from graph to graph, each of which the user can undo.

It imports `autodiff` and below; the app, `advice` and `explain` enter.
The way in is `edits`, with one module beside it for each further kind of edit.
A refused edit raises `EditError`; no edit changes its argument.
"""
