"""Notes on large tensors, made while the tensors exist: a tensor may be gone when the results are made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradwire.app.live.readings.pictures import thumbnail_of
from gradwire.engine.base.array_statistics import Survey
from gradwire.engine.base.tensor_spec import Array, Shape

VALUES_KEPT = 16


@dataclass(frozen=True, eq=False)
class Note:
    """A note on one tensor: `numbers` is its row of a survey, `first` its first elements, `picture` its thumbnail."""

    shape: Shape
    dtype: np.dtype[np.generic]
    size: int
    numbers: Survey
    mean: float
    first: Array
    picture: Array | None


def note_of(array: Array, numbers: Survey) -> Note:
    """Returns the note on a tensor whose row of a survey is known."""
    mean = 0.0 if np.isfinite(numbers["total"]) else mean_of(array)
    return Note(array.shape, array.dtype, array.size, numbers, mean, first_of(array).copy(), thumbnail_of(array))


def first_of(array: Array) -> Array:
    """Returns the first elements, copying no more than those that may be among them."""
    part = array if array.flags.c_contiguous else array[tuple(slice(VALUES_KEPT) for _ in array.shape)]
    return part.reshape(-1)[:VALUES_KEPT]


def mean_of(array: Array) -> float:
    """Returns the mean of the finite elements, even if their sum overflows; 0 if there are none."""
    wide = array.reshape(-1).astype(np.float64)
    finite = wide[np.isfinite(wide)]
    return float((finite / finite.size).sum()) if finite.size else 0.0
