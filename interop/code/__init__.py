"""Formulas and programs as text, read by their syntax tree into blocks; nothing of them is run.

It imports the blocks with their table of names; the app and `gradwire` itself enter.
The way in is `from_code.from_code`.
"""
