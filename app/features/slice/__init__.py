"""The loss along one element of an input, with the gradient as a tangent.

The way in is `slice_part.SlicePart`.
"""
