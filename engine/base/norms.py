"""Norms, means and products in float64, right wherever the numbers lie: nothing on the way overflows or vanishes."""

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


# Sums of fewer than two to this power of finite numbers stay finite if each is divided by it first.
SUMMED = 40
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
    numbers = once.ravel().astype(np.float64)
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


def exponent_of(*arrays: Array) -> int:
    """Returns an exponent of two that makes finite numbers at most 1, and the largest at least 1/2; 0 without any."""
    sizes = (np.abs(array.astype(np.float64)) for array in arrays)
    top = max((float(size.max(initial=0.0, where=np.isfinite(size))) for size in sizes), default=0.0)
    return math.frexp(top)[1]


def scaled(array: Array, exponent: int) -> Array:
    """Returns numbers in float64 divided by a power of two, which changes no digit."""
    return np.ldexp(array.astype(np.float64), -exponent)


def change_of(new: Array, old: Array) -> float:
    """Returns the norm of a change relative to that of the old numbers; 0 of none, infinity where all of them are 0."""
    with np.errstate(all="ignore"):
        size, gap = norm_of(old), norm_of(np.subtract(new, old, dtype=np.float64))
        if not (_LEAST_PLAIN < size < _LARGEST_PLAIN and gap < _LARGEST_PLAIN):
            exponent = exponent_of(new, old)
            before = scaled(old, exponent)
            size, gap = norm_of(before), norm_of(scaled(new, exponent) - before)
    return gap / size if size else math.inf if gap else 0.0


def dot_of(a: Array, b: Array) -> float:
    """Returns the sum of the products of two arrays of one shape; infinite only if the sum itself is too large."""
    first, second = exponent_of(a), exponent_of(b)
    with np.errstate(all="ignore"):
        # Rounded product by product: fused with the sum, as in some processors' kernels, equal ones would not cancel.
        total = float(np.sum(scaled(a, first) * scaled(b, second)))
    try:
        return math.ldexp(total, first + second)
    except OverflowError:
        return math.copysign(math.inf, total)


def means_along(array: Array, starts: Array, axis: int) -> Array:
    """Returns the mean of each piece of an axis; `starts` are the first places of the pieces.

    Shapes: those of `array`, with one element along `axis` for each start.
    """
    lengths = np.diff(np.append(starts, array.shape[axis])).reshape(-1, *(1,) * (array.ndim - 1 - axis))
    with np.errstate(all="ignore"):
        found: Array = np.add.reduceat(array, starts, axis=axis) / lengths
        if not np.isfinite(found).all():
            # A sum may overflow where its mean does not.
            again = np.ldexp(np.add.reduceat(np.ldexp(array, -SUMMED), starts, axis=axis) / lengths, SUMMED)
            found = np.where(np.isfinite(again), again, found)
    return found
