"""What the window is told of a large tensor, read while the tensor is there: it may be gone when results are made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.live.pictures import thumbnail_of
from engine.survey import Survey
from engine.tensor_spec import Array, Shape

VALUES_KEPT = 16


@dataclass(frozen=True, eq=False)
class Note:
    """One tensor: `numbers` is its row of a survey, `first` are its first elements, and `picture` shows it."""

    shape: Shape
    dtype: np.dtype[np.generic]
    size: int
    numbers: Survey
    mean: float
    first: Array
    picture: Array | None


def note_of(array: Array, numbers: Survey) -> Note:
    """What is told of a tensor whose row of a survey is known."""
    mean = 0.0 if np.isfinite(numbers["total"]) else mean_of(array)
    return Note(array.shape, array.dtype, array.size, numbers, mean, first_of(array).copy(), thumbnail_of(array))


def first_of(array: Array) -> Array:
    """The first elements; no more is copied than may be among them."""
    part = array if array.flags.c_contiguous else array[tuple(slice(VALUES_KEPT) for _ in array.shape)]
    return part.reshape(-1)[:VALUES_KEPT]


def mean_of(array: Array) -> float:
    """The mean of the finite elements, also where their sum is too large for a number; 0 where there are none."""
    wide = array.reshape(-1).astype(np.float64)
    finite = wide[np.isfinite(wide)]
    return float((finite / finite.size).sum()) if finite.size else 0.0
