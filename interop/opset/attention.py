"""Attention of transformers, and the turning of pairs by their place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.products import product
from gradwire.interop.aten.shapes import reshaped, sliced, swapped
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, cast, kind, made
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import Numbers, operator


def _in_heads(x: Tensor, heads: int) -> Tensor:
    """Returns (batch, heads, length, width) of (batch, length, heads x width)."""
    count, length, width = x.shape
    parts = reshaped(x, [count, length, heads, width // heads])
    found: Tensor = made("Transpose", parts, perm=[0, 2, 1, 3])
    return found


def _for_each_head(x: Tensor, heads: int) -> Tensor:
    """Returns keys or values for all heads of queries, which may share them."""
    count, own, length, width = x.shape
    if own == heads:
        return x
    each = made("ExpandDims", x, axis=2)
    return reshaped(broadcast(each, [count, own, heads // own, length, width]), [count, heads, length, width])


@operator("Attention")
def _attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, past_key: Tensor | None = None,
    past_value: Tensor | None = None, lengths: Numbers | None = None, *, is_causal: int = 0,
    kv_num_heads: int | None = None, q_num_heads: int | None = None, qk_matmul_output_mode: int = 0,
    scale: float | None = None, softcap: float = 0.0, softmax_precision: int = 0, left_window_size: int = -1,
    right_window_size: int = -1, count: int,
) -> Any:  # fmt: skip
    is_flat = q.ndim == 3
    if is_flat:
        if q_num_heads is None or kv_num_heads is None:
            raise ModelRefusal("it does not say how many heads there are")
        q, k, v = _in_heads(q, q_num_heads), _in_heads(k, kv_num_heads), _in_heads(v, kv_num_heads)
    if past_key is not None and past_value is not None:
        k, v = made("Concat", past_key, k, axis=2), made("Concat", past_value, v, axis=2)
    present = k, v
    heads, past = q.shape[1], 0 if past_key is None else past_key.shape[2]
    k, v = _for_each_head(k, heads), _for_each_head(v, heads)
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    # Both are scaled by the root, as ONNX's function does.
    q, k = (made("Multiply", item, number(math.sqrt(factor), item)) for item in (q, k))
    plain = product(q, swapped(k, -2, -1))
    window = left_window_size, 0 if is_causal else right_window_size
    closed = _closed(plain.shape, lengths, past, window)
    bias = _bias(plain, mask, closed)
    may_be_blind = (mask is not None and kind(mask) == "b") or bool(closed.all(axis=-1).any())
    capped, masked, shares = _shares(plain, bias, softcap, may_be_blind)
    found: Tensor = product(shares, v)
    if is_flat:
        size = [found.shape[0], found.shape[2], heads * found.shape[3]]
        found = reshaped(made("Transpose", found, perm=[0, 2, 1, 3]), size)
    scores = (plain, capped, masked, shares)[qk_matmul_output_mode] if count > 3 else None
    return found if count == 1 else (found, *present, scores)


def _shares(scores: Tensor, bias: Tensor | None, softcap: float, may_be_blind: bool) -> tuple[Tensor, ...]:
    """Returns scores held below a bound, those with the bias, and how much of each value a query reads."""
    capped: Any = scores
    if softcap:
        cap = number(softcap, scores)
        capped = made("Multiply", made("Tanh", made("Divide", scores, cap)), cap)
    masked = capped if bias is None else made("Add", capped, bias)
    shares = made("Softmax", masked, axis=-1)
    if bias is not None and may_be_blind:
        # A query that may look nowhere reads nothing.
        blind = made("ReduceAll", made("Equal", bias, number(-math.inf, bias)), axis=[-1], keepdims=True)
        shares = made("Where", blind, number(0, shares), shares)
    return capped, masked, shares


def _closed(shape: Sequence[int], lengths: Numbers | None, past: int, window: tuple[int, int]) -> Array:
    """Returns which keys a query must not look at; windows of -1 are open. Shapes: (queries, keys), or by batch."""
    rows, columns = shape[-2:]
    places: Array = np.arange(rows)[:, None] + past
    if lengths is not None and not past:
        places = places + (lengths.reshape(-1, 1, 1, 1) - rows)
    ahead = np.arange(columns) - places
    left, right = window
    closed = np.zeros((rows, columns), bool)
    if left >= 0:
        closed = closed | (-ahead > left)
    if right >= 0:
        closed = closed | (ahead > right)
    return closed if lengths is None else closed | (np.arange(columns) >= lengths.reshape(-1, 1, 1, 1))


def _bias(scores: Tensor, mask: Tensor | None, closed: Array) -> Tensor | None:
    """Returns what is added to scores: -inf where a query must not look."""
    bias = np.where(closed, -np.inf, 0.0).astype(scores.dtype) if closed.any() else None
    if mask is None:
        return bias
    if kind(mask) == "b":
        own: Tensor = made("Where", mask, number(0, scores), number(-math.inf, scores))
    else:
        own = cast(mask, np.dtype(scores.dtype))
    missing = scores.shape[-1] - own.shape[-1]
    if missing > 0:
        # Keys beyond the mask are closed.
        own = made("Concat", own, np.full([*own.shape[:-1], missing], -np.inf, scores.dtype), axis=-1)
    found: Tensor = own if bias is None else made("Add", own, bias)
    return found


@operator("RotaryEmbedding")
def _turned(
    x: Tensor, cosines: Tensor, sines: Tensor, places: Tensor | None = None, *, interleaved: int = 0,
    num_heads: int = 0, rotary_embedding_dim: int = 0,
) -> Tensor:  # fmt: skip
    is_flat = x.ndim == 3
    whole = _in_heads(x, num_heads) if is_flat else x
    width = rotary_embedding_dim or whole.shape[-1]
    turned, rest = sliced(whole, -1, 0, width), sliced(whole, -1, width, None)
    if places is not None:
        cosines, sines = (made("Gather", item, places, axis=0) for item in (cosines, sines))
    cosines, sines = (made("ExpandDims", sliced(item, -1, 0, width // 2), axis=1) for item in (cosines, sines))
    if interleaved:
        first, second = sliced(turned, -1, 0, None, 2), sliced(turned, -1, 1, None, 2)
    else:
        first, second = sliced(turned, -1, 0, width // 2), sliced(turned, -1, width // 2, width)
    real = made("Subtract", made("Multiply", cosines, first), made("Multiply", sines, second))
    other = made("Add", made("Multiply", sines, first), made("Multiply", cosines, second))
    if interleaved:
        found = reshaped(made("Stack", real, other, axis=-1), turned.shape)
    else:
        found = made("Concat", real, other, axis=-1)
    if width < whole.shape[-1]:
        found = made("Concat", found, rest, axis=-1)
    return reshaped(made("Transpose", found, perm=[0, 2, 1, 3]), x.shape) if is_flat else found
