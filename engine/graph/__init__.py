"""Graphs as values: pages, blocks, wires, their ports, and the history of a document.

It imports `blocktypes` and `base`; all rooms above enter.
The way in is `graph.Graph`, and `document.Document` for undo and redo.
"""
