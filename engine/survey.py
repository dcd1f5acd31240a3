"""What the numbers of many arrays are like: found for all arrays of a run in one go, since most are small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.tensor_spec import Array

# `least` and `largest` are absolute values, NaN where anything is; `low`, `high` and `total` are those of the finite
# numbers, 0 where there are none; `norm` is the L2 norm. The compiled interpreter writes the same columns.
COLUMNS = ("nan", "infinite", "least", "largest", "low", "high", "total", "norm")
# Dtypes that can be looked at where they lie in an arena, by their places here.
KINDS = tuple(map(np.dtype, ("float32", "float64", "bool", "int32", "int64")))
Survey = np.ndarray[Any, np.dtype[Any]]
_DTYPE = np.dtype([(name, "f8") for name in COLUMNS])
# Arrays up to this size are looked at together.
_SMALL = 256


def empty_survey(count: int) -> Survey:
    """A survey of `count` arrays of which nothing is known: every number is NaN."""
    return as_survey(np.full((count, len(COLUMNS)), np.nan))


def as_survey(numbers: Array) -> Survey:
    """Rows of numbers, of which each column has its name."""
    return numbers.view(_DTYPE)[:, 0]


def as_numbers(survey: Survey) -> Array:
    """A survey as a matrix: the columns have no names."""
    found: Array = survey.view(np.float64).reshape(len(survey), len(COLUMNS))
    return found


def survey_of(arrays: Sequence[Array | None]) -> Survey:
    """One row for each array; NaN throughout where there is none."""
    found = empty_survey(len(arrays))
    small: list[int] = []
    for row, array in enumerate(arrays):
        if array is not None and 0 < array.size <= _SMALL:
            small.append(row)
        elif array is not None:
            found[row] = _surveyed(_wide(array), np.zeros(min(array.size, 1), np.intp))[0] if array.size else _EMPTY
    if small:
        wide = [_wide(array) for row in small if (array := arrays[row]) is not None]
        starts = np.cumsum([0, *(array.size for array in wide[:-1])])
        found[small] = _surveyed(np.concatenate(wide), starts)
    return found


_EMPTY = (0, 0, np.inf, 0, 0, 0, 0, 0)


def _wide(array: Array) -> Array:
    return array.reshape(-1).astype(np.float64, copy=False)


def _surveyed(numbers: Array, starts: np.ndarray[Any, np.dtype[np.intp]]) -> Survey:
    """The rows of runs of numbers, each of which begins at one of `starts`."""
    found = empty_survey(len(starts))
    counts = np.diff(starts, append=numbers.size)
    with np.errstate(all="ignore"):
        sizes = np.abs(numbers)
        found["least"], found["largest"] = np.minimum.reduceat(sizes, starts), np.maximum.reduceat(sizes, starts)
        top = found["largest"]
        if np.all(top < np.inf):
            found["nan"] = found["infinite"] = 0
            found["low"], found["high"] = np.minimum.reduceat(numbers, starts), np.maximum.reduceat(numbers, starts)
            found["total"] = np.add.reduceat(numbers, starts)
        else:
            _survey_finite(found, numbers, starts)
        is_plain = (top > 0) & (top < np.inf)
        # Scaled first, so that large elements do not overflow.
        sizes /= np.repeat(np.where(is_plain, top, 1), counts)
        sizes *= sizes
        found["norm"] = np.where(is_plain, top * np.sqrt(np.add.reduceat(sizes, starts)), top)
    return found


def _survey_finite(found: Survey, numbers: Array, starts: np.ndarray[Any, np.dtype[np.intp]]) -> None:
    """How many numbers are not finite, and what the others are like."""
    finite = np.isfinite(numbers)
    found["nan"] = np.add.reduceat(np.isnan(numbers), starts, dtype=np.int64)
    found["infinite"] = np.add.reduceat(~finite, starts, dtype=np.int64) - found["nan"]
    has_any = np.logical_or.reduceat(finite, starts)
    low = np.minimum.reduceat(np.where(finite, numbers, np.inf), starts)
    high = np.maximum.reduceat(np.where(finite, numbers, -np.inf), starts)
    found["low"], found["high"] = np.where(has_any, low, 0), np.where(has_any, high, 0)
    found["total"] = np.add.reduceat(np.where(finite, numbers, 0), starts)
