"""What tables of any contents share.

The way in is `cell_model.CellModel`, the model that a table of numbers or texts derives from.
"""
