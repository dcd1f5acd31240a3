"""Notes on large tensors, made while the tensors exist: a tensor may be gone when the results are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gradwire.app.live.readings.pictures import thumbnail_of
from gradwire.engine.base.array_statistics import Survey
from gradwire.engine.base.norms import Moments, moments_of
from gradwire.engine.base.tensor_spec import Array, Shape

VALUES_KEPT = 16
NO_MOMENTS = Moments(0.0, 0.0)
# Where a deviation is a smaller share of the norm, the squares of the survey cancel too much.
_LEAST_SHARE = 1e-6
# Smaller numbers have fewer digits, which the difference between norm and mean needs.
_LEAST_NORM = 2.0**-900


def told_by(rows: Survey, sizes: Array) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Returns of which tensors the survey tells mean and deviation: no sum overflows, and enough digits are left."""
    with np.errstate(all="ignore"):
        level, mean = rows["norm"] / np.sqrt(sizes), np.abs(rows["total"]) / sizes
        keeps_digits = (rows["norm"] > _LEAST_NORM) & (rows["norm"] < np.inf) & (level - mean > _LEAST_SHARE * level)
    is_even = rows["low"] == rows["high"]
    is_broken = rows["nan"] + rows["infinite"] > 0
    found: np.ndarray[Any, np.dtype[np.bool_]] = np.isfinite(rows["total"]) & (is_even | is_broken | keeps_digits)
    return found


@dataclass(frozen=True, eq=False)
class Note:
    """A note on one tensor: `numbers` is its row of a survey, `first` its first elements, `picture` its thumbnail."""

    shape: Shape
    dtype: np.dtype[np.generic]
    size: int
    numbers: Survey
    moments: Moments
    first: Array
    picture: Array | None


def note_of(array: Array, numbers: Survey) -> Note:
    """Returns the note on a tensor whose row of a survey is known."""
    is_told = bool(told_by(numbers.reshape(1), np.array([array.size]))[0])
    moments = NO_MOMENTS if is_told else moments_of(array)
    return Note(array.shape, array.dtype, array.size, numbers, moments, first_of(array).copy(), thumbnail_of(array))


def first_of(array: Array) -> Array:
    """Returns the first elements, copying no more than those that may be among them."""
    part = array if array.flags.c_contiguous else array[tuple(slice(VALUES_KEPT) for _ in array.shape)]
    return part.ravel()[:VALUES_KEPT]
