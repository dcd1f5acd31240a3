"""Norm, mean and standard deviation in float64, right wherever the numbers lie: no square overflows or vanishes."""

from __future__ import annotations

import math
from typing import NamedTuple

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


# The opposite of this exponent is still one of a finite power of two.
_LEAST_SHIFT = -1000


class Moments(NamedTuple):
    """Mean and standard deviation of the finite elements; 0 where there are none."""

    mean: float
    spread: float


def moments_of(array: Array) -> Moments:
    """Returns the moments of an array; it reads broadcast elements once.

    Two passes over numbers scaled by a power of two, which changes no digit. The second one also takes away the mean
    that is left of the differences.
    Source: Chan, Golub and LeVeque, Algorithms for Computing the Sample Variance (1983). Cost: O(elements).
    """
    once = array[tuple(slice(None) if step else slice(1) for step in array.strides)] if array.size else array
    numbers = once.reshape(-1).astype(np.float64)
    numbers = numbers[np.isfinite(numbers)]
    top = float(np.abs(numbers).max(initial=0.0))
    if top == 0:
        return Moments(0.0, 0.0)
    shift = max(math.frexp(top)[1], _LEAST_SHIFT)
    scaled = np.ldexp(numbers, -shift)
    mean = float(scaled.mean())
    apart = scaled - mean
    rest = float(apart.mean())
    spread = norm_of(apart - rest) / math.sqrt(numbers.size)
    # No mean and no deviation is larger than the largest number; the last rounding might make it so.
    return Moments(math.ldexp(mean + rest, shift), min(math.ldexp(min(spread, 1.0), shift - 1) * 2, top))
