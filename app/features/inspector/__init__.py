"""The inspector: what is selected, its parameters and its numbers.

The way in is `inspector.Inspector`.
"""
