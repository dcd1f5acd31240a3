"""Layers of networks: functions that make blocks with Variables inside, sized by their input.

`layers.Dense(x, 8, activation="tanh")` gives an expression as a block does. The Variables have starts, so that a file
holds shapes and seeds until training writes numbers; with `name` they are called after it, `hidden_kernel`. Without a
`seed` layers one behind the other begin differently; give layers beside each other seeds of their own.
"""

from __future__ import annotations

import gradwire.blocks  # noqa: F401  fills the library
from gradwire.blocks.layers.attention import AttentionHead, MultiHeadAttention
from gradwire.blocks.layers.convolution import Conv2D, Embedding
from gradwire.blocks.layers.dense import MLP, Dense, ResidualBlock
from gradwire.blocks.layers.normalization import BatchNorm, Dropout, LayerNorm
from gradwire.blocks.layers.recurrent import GRUCell, LSTMCell, RNNCell

__all__ = [
    "MLP",
    "AttentionHead",
    "BatchNorm",
    "Conv2D",
    "Dense",
    "Dropout",
    "Embedding",
    "GRUCell",
    "LSTMCell",
    "LayerNorm",
    "MultiHeadAttention",
    "RNNCell",
    "ResidualBlock",
]
