"""The conventions of TensorFlow, PyTorch and JAX at the kinks and ties of a graph.

The way in is `convention_part.ConventionPart`.
"""
