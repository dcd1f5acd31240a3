"""Live modules and functions of PyTorch, which the caller has: exported into memory, and read as their files are.

PyTorch is imported at the first call. `from_torch` is the way in; `exporting` has what is given as an exported program,
`comparing` sets one backward pass of PyTorch beside ours and says how they differ; `versions` knows what differs
between versions of PyTorch.
"""
