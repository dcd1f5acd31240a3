"""Weights: large tensors of a graph, as raw bytes in a file beside its own.

It imports `files/tensor_json`, `files/disk` and below; `files` enters.
The way in is `writing.write_beside`, `reading.WeightsIn` and `copies.copy_beside`.
"""
