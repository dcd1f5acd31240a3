"""Statistics of all arrays of a run in one pass, since most arrays are small."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array

# `least` and `largest` are absolute values, NaN if any element is; `low`, `high` and `total` are those of the finite
# numbers, 0 if there are none; `norm` is the L2 norm. The compiled interpreter writes the same columns.
COLUMNS = ("nan", "infinite", "least", "largest", "low", "high", "total", "norm")
# Dtypes that the compiled interpreter can read in place, by their index.
KINDS = tuple(map(np.dtype, ("float32", "float64", "bool", "int32", "int64")))
Survey = np.ndarray[Any, np.dtype[Any]]
_DTYPE = np.dtype([(name, "f8") for name in COLUMNS])
# Arrays up to this size are processed together, larger ones in parts of this size, so that temporaries stay small.
_SMALL, _PART = 256, 2**15


def empty_survey(count: int) -> Survey:
    """Returns a survey of `count` unknown arrays: every number is NaN."""
    return as_survey(np.full((count, len(COLUMNS)), np.nan))


def as_survey(numbers: Array) -> Survey:
    """Returns rows of numbers as records with named columns."""
    return numbers.view(_DTYPE)[:, 0]


def as_numbers(survey: Survey) -> Array:
    """Returns a survey as a plain matrix."""
    found: Array = survey.view(np.float64).reshape(len(survey), len(COLUMNS))
    return found


def survey_of(arrays: Sequence[Array | None]) -> Survey:
    """Returns one row for each array; all NaN where there is none."""
    found = empty_survey(len(arrays))
    small: list[int] = []
    for row, array in enumerate(arrays):
        if array is not None and 0 < array.size <= _SMALL:
            small.append(row)
        elif array is not None:
            found[row] = _of_large(array) if array.size else _EMPTY
    if small:
        wide = [_wide(array) for row in small if (array := arrays[row]) is not None]
        starts = np.cumsum([0, *(array.size for array in wide[:-1])])
        found[small] = _surveyed(np.concatenate(wide), starts)
    return found


_EMPTY = (0, 0, np.inf, 0, 0, 0, 0, 0)
_WHOLE = np.zeros(1, np.intp)


def _of_large(array: Array) -> Survey:
    """Returns the row of one array; reads broadcast elements once."""
    once = array[tuple(slice(None) if step else slice(1) for step in array.strides)].ravel(order="K")
    with np.errstate(all="ignore"):
        parts = np.array([_of_part(once[start : start + _PART]) for start in range(0, once.size, _PART)])
        found, repeats = _joined(as_survey(parts), once.size), array.size // once.size
        for name in ("nan", "infinite", "total"):
            found[name] *= repeats
        found["norm"] *= math.sqrt(repeats)
    return found


def _of_part(numbers: Array) -> Sequence[float]:
    """Returns the row of a contiguous part, by a faster way if all numbers are finite and narrow."""
    low, high = float(numbers.min()), float(numbers.max())
    if numbers.dtype.kind != "f" or not -math.inf < low <= high < math.inf:
        return list(as_numbers(_surveyed(_wide(numbers), _WHOLE))[0])
    least, largest = float(np.abs(numbers).min()), max(high, -low)
    wide = numbers.astype(np.float64)
    total, norm = float(wide.sum()), 0.0
    if largest:
        wide /= largest
        wide *= wide
        norm = largest * math.sqrt(wide.sum())
    return 0, 0, least, largest, low, high, total, norm


def _joined(parts: Survey, size: int) -> Survey:
    """Returns the row of an array from the rows of its parts."""
    found: Survey = empty_survey(1)[0]
    for name in ("nan", "infinite", "total"):
        found[name] = parts[name].sum()
    found["least"], found["largest"] = parts["least"].min(), parts["largest"].max()
    lengths = np.minimum(size - _PART * np.arange(len(parts)), _PART)
    finite = parts[parts["nan"] + parts["infinite"] < lengths]
    found["low"], found["high"] = (finite["low"].min(), finite["high"].max()) if len(finite) else (0, 0)
    top = parts["norm"].max()
    is_plain = 0 < top < np.inf
    found["norm"] = top * np.sqrt(np.square(parts["norm"] / top).sum()) if is_plain else top
    return found


def _wide(array: Array) -> Array:
    return array.reshape(-1).astype(np.float64, copy=False)


def _surveyed(numbers: Array, starts: np.ndarray[Any, np.dtype[np.intp]]) -> Survey:
    """Returns the rows of runs of numbers; each begins at one of `starts`."""
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
    """Counts non-finite numbers and writes the statistics of the finite ones."""
    finite = np.isfinite(numbers)
    found["nan"] = np.add.reduceat(np.isnan(numbers), starts, dtype=np.int64)
    found["infinite"] = np.add.reduceat(~finite, starts, dtype=np.int64) - found["nan"]
    has_any = np.logical_or.reduceat(finite, starts)
    low = np.minimum.reduceat(np.where(finite, numbers, np.inf), starts)
    high = np.maximum.reduceat(np.where(finite, numbers, -np.inf), starts)
    found["low"], found["high"] = np.where(has_any, low, 0), np.where(has_any, high, 0)
    found["total"] = np.add.reduceat(np.where(finite, numbers, 0), starts)
