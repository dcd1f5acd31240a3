"""The loss along one element of an input, with the gradient as a tangent.

It imports `controls`; `startup` enters.
The way in is `slice_view.SliceView`.
"""
