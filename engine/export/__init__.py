"""Export: a graph as a program for NumPy, TensorFlow, PyTorch or JAX.

It imports `evaluation` and below; the command line, `document` and the spellings of some blocks enter.
The way in is `export.export`.
"""
