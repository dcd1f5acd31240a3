"""The canvas for readers: an accessible tree of blocks and wires, spoken sentences, and what can be read on it.

It imports the other wings; `startup` enters, and the rooms that use the same sentences.
The way in is `accessible.install`, `sentences` for the texts, and `legibility.read_window`.
"""
