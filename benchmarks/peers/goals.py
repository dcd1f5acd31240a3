"""Our goals, as ratios to a peer in the same run, or as a time or memory of our own."""

from __future__ import annotations

from typing import NamedTuple

OURS, BOUND = "ours", "ours_bound"
TORCH, JAX, TENSORFLOW = "pytorch", "jax_jit", "tensorflow_function"


class Goal(NamedTuple):
    """A goal: at most `limit` times the time of `peer`, or without a peer in the unit of `what`."""

    case: str
    engine: str
    limit: float
    peer: str | None = None
    what: str = "seconds"


GOALS = (
    Goal("graph_wires", OURS, 300e-6),
    Goal("graph_wires", OURS, 1 / 100, TORCH),
    Goal("graph_wires", OURS, 1 / 100, JAX),
    Goal("graph_wires", OURS, 1 / 60, TENSORFLOW),
    Goal("graph_wires", BOUND, 1 / 8, TORCH),
    Goal("graph_leaf", OURS, 20e-6),
    Goal("graph_leaf", BOUND, 100e-6),
    Goal("graph_edit", OURS, 5e-3),
    Goal("softmax_10", OURS, 1e-6),
    Goal("softmax_10", OURS, 1 / 6, JAX),
    Goal("softmax_1000", OURS, 4e-6),
    Goal("softmax_1000", OURS, 1 / 6, JAX),
    Goal("softmax_1000000", OURS, 1.1, JAX),
    Goal("chain_16", OURS, 0.4, JAX),
    Goal("chain_1000000", OURS, 0.7, TENSORFLOW),
    Goal("chain_1000000", OURS, 0.15, JAX),
    Goal("chain_1000000", OURS, 64, what="megabytes"),
    Goal("mlp_32", OURS, 0.85, JAX),
    Goal("mlp_256", OURS, 1.0, JAX),
    Goal("cnn_32", OURS, 0.8, TENSORFLOW),
    Goal("transformer_16", OURS, 0.7, JAX),
    Goal("transformer_128", OURS, 0.7, JAX),
    Goal("lstm_1000", OURS, 2.0, JAX),
    Goal("scan_1000", OURS, 2.0, JAX),
)
