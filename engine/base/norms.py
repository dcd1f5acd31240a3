"""Euclidean norm of a gradient."""

from __future__ import annotations

import math

import numpy as np

from gradwire.engine.base.tensor_spec import Array

# Squares in between neither overflow nor lose a digit that counts.
_LEAST_PLAIN, _LARGEST_PLAIN = 2.0**-800, 2.0**800


def norm_of(array: Array) -> float:
    """Returns the Euclidean norm in float64; NaN if any element is, and without intermediate overflow or underflow."""
    if array.size == 0:
        return 0.0
    numbers = array.astype(np.float64, copy=False)
    with np.errstate(all="ignore"):
        squares = float(np.add.reduce(numbers * numbers, axis=None))
    return math.sqrt(squares) if _LEAST_PLAIN < squares < _LARGEST_PLAIN else _scaled(numbers)


def _scaled(numbers: Array) -> float:
    sizes = np.abs(numbers)
    top = float(sizes.max())
    if top == 0 or not math.isfinite(top):
        return top
    return top * math.sqrt(np.square(sizes / top).sum())
