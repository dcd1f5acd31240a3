"""Einstein sums in operations that stand-ins for arrays record: transposes and products of matrices.

NumPy makes Einstein sums of these since 2.4; older versions add up in other ways, which loops cannot express.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from gradwire.engine.executors.traced_array import FUNCTIONS, Recorder, TracedArray, Unrecordable

_np: Any = np  # NumPy's types do not know tracers.
# NumPy has no public name for the steps of a sum; where these are missing, it takes others.
_einsum: Any = importlib.import_module("numpy._core.einsumfunc")
_STEPS: Any = getattr(_einsum, "_parse_eq_to_batch_matmul", None)


def _summed(recorder: Recorder, equation: str, *operands: Any, optimize: bool = False) -> TracedArray:
    if _STEPS is None or not optimize:
        raise Unrecordable
    left = [TracedArray(recorder, recorder.strided(item)) for item in operands]
    dummies = [np.broadcast_to(item.dtype.type(0), item.shape) for item in left]
    for places, part, _ in _einsum.einsum_path(equation, *dummies, optimize=True, einsum_call=True)[1]:
        chosen = [left.pop(place) for place in places]
        left.append(_product(part, *chosen) if len(chosen) == 2 else _permuted(part, *chosen))
    return left[0]


def _product(equation: str, a: TracedArray, b: TracedArray) -> TracedArray:
    """Returns the sum of two operands, in the steps of NumPy's `bmm_einsum`."""
    of_a, of_b, shape_a, shape_b, shape, order, is_elementwise = _STEPS(equation, a.shape, b.shape)
    a, b = _arranged(a, of_a, shape_a), _arranged(b, of_b, shape_b)
    if is_elementwise:
        found: TracedArray = _np.multiply(a, b)
        return found
    found = _np.matmul(a, b)
    found = found if shape is None else found.reshape(tuple(shape))
    return found if order is None else found.transpose(order)


def _arranged(x: TracedArray, equation: str | None, shape: Any) -> TracedArray:
    moved = x if equation is None else _permuted(equation, x)
    return moved if shape is None else moved.reshape(tuple(shape))


def _permuted(equation: str, x: TracedArray) -> TracedArray:
    """Returns diagonals and the axes in another order; NumPy's own loops sum over others."""
    before, after = equation.split("->")
    if set(before) != set(after) or len(set(after)) < len(after):
        raise Unrecordable
    for letter in after:
        while before.count(letter) > 1:
            first = before.index(letter)
            second = before.index(letter, first + 1)
            x = _np.diagonal(x, 0, first, second)
            before = before[:first] + before[first + 1 : second] + before[second + 1 :] + letter
    return x.transpose(tuple(before.index(letter) for letter in after))


FUNCTIONS[np.einsum] = _summed
