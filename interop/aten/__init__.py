"""PyTorch's operations in blocks, by the names and arguments of its schema.

The way in is `operations.find`, which looks up a name as files have it; the readers of files enter.
What an operation shares with the table of names (`blocks.names`) is taken from there. The modules here declare what has
dtypes, arguments or gradients of its own.
"""
