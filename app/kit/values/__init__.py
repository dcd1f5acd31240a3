"""Tensors: tables, heat maps, pictures, histograms and the editor of a whole tensor.

The inspector and the shell enter.
The way in is `value_view.ValueView`, and `tensor_dialog.TensorDialog` for editing.
"""
