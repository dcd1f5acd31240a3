"""Euclidean norm of a gradient."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.tensor_spec import Array


def norm_of(array: Array) -> float:
    """Returns the Euclidean norm in float64; NaN if any element is, and without intermediate overflow or underflow."""
    if array.size == 0:
        return 0.0
    sizes = np.abs(array.astype(np.float64))
    top = float(sizes.max())
    if top == 0 or not np.isfinite(top):
        return top
    return top * float(np.sqrt(np.square(sizes / top).sum()))
