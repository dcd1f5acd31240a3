"""The table of which loss trains which variable.

The way in is `matrix_lens.MatrixLens`.
"""
