"""Linear attention: a matrix for each head remembers keys and values, a step at a time."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from gradwire.interop.aten.products import product
from gradwire.interop.aten.shapes import reshaped, selected
from gradwire.interop.models.limits import MOST_STEPS
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, cast, made
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import operator

_SINGLE: Final = np.dtype(np.float32)
# Whether the memory decays, and whether only what it does not know yet is written.
_RULES: Final = {
    "linear": (False, False), "gated": (True, False), "delta": (False, True), "gated_delta": (True, True),
}  # fmt: skip


def _in_heads(x: Tensor, heads: int) -> Tensor:
    """Returns (batch, length, heads, width) of (batch, length, heads x width), in float32 as ONNX computes it."""
    return cast(reshaped(x, [*x.shape[:2], heads, x.shape[2] // heads]), _SINGLE)


def _step(x: Tensor, place: int, axis: int) -> Tensor:
    """Returns a step of (batch, length, heads, width), with a new axis for products with matrices."""
    found: Tensor = made("ExpandDims", selected(x, 1, place), axis=axis)
    return found


def _refuse_unfit(q: Tensor, heads: int, own: int, rule: str, has_inputs: tuple[bool, bool]) -> None:
    if q.ndim != 3 or own < 1 or heads < 1 or heads % own:
        raise ModelRefusal(f"{heads} heads of queries do not fit {own} heads of keys")
    if rule not in _RULES:
        raise ModelRefusal(f"its rule {rule[:20]} has no block")
    if has_inputs != _RULES[rule]:
        raise ModelRefusal(f"its inputs decay and beta do not fit its rule {rule}")
    if q.shape[1] > MOST_STEPS:
        raise ModelRefusal(f"a recurrence of {q.shape[1]} steps is unrolled, and {MOST_STEPS} are the limit")


@operator("LinearAttention")
def _attention(
    q: Tensor, k: Tensor, v: Tensor, past: Tensor | None = None, decay: Tensor | None = None,
    beta: Tensor | None = None, *, q_num_heads: int, kv_num_heads: int, scale: float = 0.0,
    update_rule: str = "gated_delta", chunk_size: int = 0,
) -> Any:  # fmt: skip
    heads, own = q_num_heads, kv_num_heads
    _refuse_unfit(q, heads, own, update_rule, (decay is not None, beta is not None))
    (batch, length, _), width = q.shape, v.shape[2] // own
    queries, keys, values = _in_heads(q, heads), _in_heads(k, own), _in_heads(v, own)
    inner = keys.shape[-1]
    shares = None if decay is None else made("Exp", _in_heads(decay, own))
    rates = None if beta is None else _in_heads(beta, beta.shape[2])
    state: Any = np.zeros((batch, own, inner, width), _SINGLE) if past is None else cast(past, _SINGLE)
    rows = []
    for place in range(length):
        if shares is not None:
            state = made("Multiply", state, _step(shares, place, -1))
        new = _step(values, place, -2)
        if rates is not None:
            missing = made("Subtract", new, product(_step(keys, place, -2), state))
            new = made("Multiply", _step(rates, place, -2), missing)
        state = made("Add", state, made("Multiply", _step(keys, place, -1), new))
        # Heads of queries that share a memory are the rows of one product.
        asked = reshaped(selected(queries, 1, place), [batch, own, heads // own, inner])
        rows.append(reshaped(product(asked, state), [batch, heads * width]))
    factor = scale or 1 / math.sqrt(inner)
    found = made("Multiply", made("Stack", *rows, axis=1), number(factor, queries))
    return cast(found, np.dtype(q.dtype)), cast(state, np.dtype(q.dtype if past is None else past.dtype))
