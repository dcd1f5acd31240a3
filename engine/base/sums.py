"""Sums over many rows by products with ones, which are faster and lose fewer digits than NumPy's.

Source: blocked summation; Higham, The Accuracy of Floating Point Summation (1993). Its error grows with the length of a
strip and the number of strips, not with the number of rows. Cost: O(elements).
"""

from __future__ import annotations

import math

import numpy as np

from gradwire.engine.base.tensor_spec import Array

# NumPy adds rows one by one to a running total, which stops growing in float32 once it is large.
_FEW, _STRIP = 256, 4_096


def added_up(x: Array, axes: tuple[int, ...], keepdims: bool = False) -> Array:
    """Returns the sum along some axes, in the dtype of x."""
    kept = x.shape[len(axes) :]
    rows, columns = math.prod(x.shape[: len(axes)]), math.prod(kept)
    if x.dtype.kind != "f" or x.dtype.itemsize < 4 or axes != (*range(len(axes)),) or columns < 2 or rows < _FEW:
        return np.sum(x, axis=axes, keepdims=keepdims, dtype=x.dtype)
    total = _sum_of_rows(x.reshape((rows, columns)))
    return total.reshape((*(1 for _ in axes), *kept) if keepdims else kept)


def _sum_of_rows(x: Array) -> Array:
    rows, columns = x.shape
    ones = np.ones((1, _STRIP), x.dtype)
    whole = rows // _STRIP
    rest = ones[:, : rows % _STRIP] @ x[whole * _STRIP :] if rows % _STRIP else np.zeros((1, columns), x.dtype)
    if not whole:
        return rest
    strips = ones @ x[: whole * _STRIP].reshape((whole, _STRIP, columns))
    total: Array = rest + np.sum(strips, axis=0, dtype=x.dtype)
    return total
