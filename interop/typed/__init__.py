"""Tensors as people type and paste them, and as frameworks print them.

It imports the base of the engine alone; all rooms of the app enter.
The way in is `tensor_text.read_array`.
"""
