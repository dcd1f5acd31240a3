"""Mean and standard deviation in float64, right wherever the numbers lie: no square overflows, vanishes or cancels."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gradwire.engine.base.norms import norm_of
from gradwire.engine.base.tensor_spec import Array

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
