"""Errors, limits, tensor specs and arithmetic on arrays that every other room needs.

It imports no other room; all rooms enter.
The way in is `tensor_spec.TensorSpec`, the shape and dtype of a tensor, and `errors`.
"""
