"""ONNX's operators in blocks, by the names of its specification.

The way in is `operators.find`; the readers of files enter. An operator is a function of its inputs, with settings as
keywords. What means the same in PyTorch is taken from `interop.aten`.
"""
