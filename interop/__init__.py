"""What comes in from outside: text as numbers, formulas, programs and models as blocks.

It knows blocks by their names and no Qt; the app and `gradwire` itself enter.
The way in is `code.from_code.from_code` for programs, `model_files.formats.read_model` for models;
`typed.tensor_text.read_array` reads numbers.
"""
