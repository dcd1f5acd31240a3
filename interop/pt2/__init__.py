"""Files of `torch.export.save`, read without PyTorch: a zip of JSON and raw bytes.

Nothing is unpickled, nothing runs. `from_pt2` is the way in; `archive` bounds what is read, `weights` has the arrays,
`program` the graph as the file has it, and `reading` makes blocks of it by the operations of `interop.aten`.
"""
