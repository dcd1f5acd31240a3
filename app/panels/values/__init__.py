"""Tensors: tables, heat maps, pictures, histograms and the editor of a whole tensor.

It imports `controls`; the inspector and `document` enter.
The way in is `value_view.ValueView`, and `tensor_dialog.TensorDialog` for editing.
"""
