"""The canvas for screen readers: an accessible tree of blocks and wires, and spoken sentences.

It imports the other wings; `startup` enters, and the rooms that use the same sentences.
The way in is `accessible.install`, and `sentences` for the texts.
"""
