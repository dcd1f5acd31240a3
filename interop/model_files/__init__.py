"""Files of models in all formats that are read: by its ending a file goes to the reader of its format.

The way in is `formats.read_model`; `formats.free_sizes` says what a model leaves open.
"""
