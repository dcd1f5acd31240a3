"""Attention: every place of a sequence reads the others, weighted by how well query and key fit."""

from __future__ import annotations

import math

import numpy as np

from gradwire.blocks.layers.weights import Operand, Weights, check_counts, fixed, operand
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library


def AttentionHead(
    x: Operand, units: int = 4, *, causal: bool = False, seed: int | None = None, name: str | None = None
) -> Expression:
    """One head of self-attention: each place mixes the values of all places by softmax(q k / sqrt(units)).

    With `causal` a place reads itself and those before it only. Source: Vaswani et al., 2017.
    Shapes: x [..., time, n], the result [..., time, units]; the kernels of query, key and value [n, units].
    Raises: ShapeError if x has fewer than two axes, ParameterError if a setting does not fit.
    """
    x = operand(x, 2)
    check_counts(units=units)
    weights = Weights([x], seed, name)
    query, key, value = (
        x @ weights.variable(f"{part}_kernel", (x.shape[-1], units), "glorot_uniform")
        for part in ("query", "key", "value")
    )
    scores = library["MatMul"](query / math.sqrt(units), key, transpose_b=True)
    return _softmax(scores, causal) @ value


def MultiHeadAttention(
    x: Operand,
    heads: int = 2,
    key_dim: int = 4,
    *,
    causal: bool = False,
    use_bias: bool = True,
    seed: int | None = None,
    name: str | None = None,
) -> Expression:
    """Several heads of self-attention beside each other, and a dense layer that joins what they read.

    With `causal` a place reads itself and those before it only. Source: Vaswani et al., 2017.
    Shapes: x [batch, time, n], the result the same; the kernels of query, key and value [n, heads, key_dim], that of
    the output [heads, key_dim, n].
    Raises: ShapeError if x is no batch of sequences, ParameterError if a setting does not fit.
    """
    x = operand(x)
    if x.ndim != 3:
        raise ShapeError(f"x needs the axes batch, time and features, not the shape {list(x.shape)}")
    check_counts(heads=heads, key_dim=key_dim)
    weights, size = Weights([x], seed, name), x.shape[-1]

    def projected(
        part: str, operands: Expression, equation: str, shape: tuple[int, ...], kept: tuple[int, ...]
    ) -> Expression:
        kernel = weights.variable(f"{part}_kernel", shape, "glorot_uniform")
        found: Expression = library["Einsum"](operands, kernel, equation=equation)
        return found + weights.variable(f"{part}_bias", kept, "zeros") if use_bias else found

    query, key, value = (
        projected(part, x, "btn,nhk->bthk", (size, heads, key_dim), (heads, key_dim))
        for part in ("query", "key", "value")
    )
    scores = library["Einsum"](query / math.sqrt(key_dim), key, equation="bthk,bshk->bhts")
    read = library["Einsum"](_softmax(scores, causal), value, equation="bhts,bshk->bthk")
    return projected("output", read, "bthk,hkn->btn", (heads, key_dim, size), (size,))


def _softmax(scores: Expression, causal: bool) -> Expression:
    """Returns the weights of each place; with `causal` those of later places are 0."""
    if causal:
        is_past = fixed(np.tri(scores.shape[-1], dtype=bool))
        scores = library["Where"](is_past, scores, fixed(np.array(-np.inf, scores.dtype)))
    found: Expression = library["Softmax"](scores)
    return found
