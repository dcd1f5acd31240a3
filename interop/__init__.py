"""What comes in from outside: text as numbers, formulas and programs as blocks.

It knows blocks by their names and no Qt; the app and `gradwire` itself enter.
The way in is `code.from_code.from_code`; `typed.tensor_text.read_array` reads numbers.
"""
