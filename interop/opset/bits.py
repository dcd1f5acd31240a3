"""Operators on the bits of integers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, kind, made, refuse_large
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import operator


def _powers(x: Tensor) -> Array:
    """Returns what the bits of integers count; the last one of signed integers counts below 0."""
    dtype = np.dtype(x.dtype)
    if kind(x) not in "iu":
        raise ModelRefusal(f"it reads bits of integers, and these are {dtype.name}")
    places = np.arange(8 * dtype.itemsize, dtype=np.uint64)
    return np.left_shift(np.uint64(1), places).astype(dtype)


def _bits(x: Tensor, powers: Array) -> Tensor:
    """Returns the bits as truths in a new last axis."""
    refuse_large("The bits", [*x.shape, len(powers)], np.dtype(x.dtype))
    each = made("ExpandDims", x, axis=-1)
    low = made("FloorMod", made("FloorDiv", each, powers[:-1]), number(2, x))
    last = made("Less", each, number(0, x)) if kind(x) == "i" else made("GreaterEqual", each, powers[-1:])
    found: Tensor = made("Concat", made("Equal", low, number(1, x)), last, axis=-1)
    return found


def _of_bits(block: str) -> Callable[[Tensor, Tensor], Tensor]:
    def called(a: Tensor, b: Tensor) -> Tensor:
        powers = _powers(a)
        chosen = made(block, _bits(a, powers), _bits(b, powers))
        found: Tensor = made("ReduceSum", made("Where", chosen, powers, number(0, a)), axis=[-1])
        return found

    return called


for _name, _block in {"BitwiseAnd": "LogicalAnd", "BitwiseOr": "LogicalOr", "BitwiseXor": "LogicalXor"}.items():
    operator(_name)(_of_bits(_block))


@operator("BitwiseNot")
def _turned(x: Tensor) -> Tensor:
    found: Tensor = made("Subtract", np.sum(_powers(x), dtype=x.dtype), x)
    return found


@operator("BitShift")
def _shifted(x: Tensor, by: Tensor, *, direction: str) -> Tensor:
    powers = _powers(x)
    if direction not in ("LEFT", "RIGHT"):
        raise ModelRefusal(f"shifting to {direction[:20]} has no block")
    is_left = direction == "LEFT"
    factors, beyond = powers, number(0, x)
    if kind(x) == "i" and not is_left:
        # To the right by as far as the sign, or farther, the sign is left.
        factors, beyond = powers[:-1], made("Where", made("Less", x, beyond), number(-1, x), beyond)
    is_inside = made("LogicalAnd", made("GreaterEqual", by, number(0, x)), made("Less", by, number(len(factors), x)))
    factor = made("Gather", factors, made("Where", is_inside, by, number(0, x)), axis=0)
    found: Tensor = made("Where", is_inside, made("Multiply" if is_left else "FloorDiv", x, factor), beyond)
    return found
