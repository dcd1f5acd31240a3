"""Statistics of all arrays of a run in one pass, since most arrays are small."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.base.lane_sums import PIECE, lanes_of, sums_of_runs, total_of
from gradwire.engine.base.tensor_spec import Array, Shape

# `least` and `largest` are absolute values, NaN if any element is; `low`, `high` and `total` are those of the finite
# numbers, 0 if there are none; `norm` is the L2 norm. No zero has a sign. The compiled interpreter writes the same bits
# (engine/executors/_survey.c).
COLUMNS = ("nan", "infinite", "least", "largest", "low", "high", "total", "norm")
# Dtypes that the compiled interpreter can read in place, by their index.
KINDS = tuple(map(np.dtype, ("float32", "float64", "bool", "int32", "int64")))
Survey = np.ndarray[Any, np.dtype[Any]]
_DTYPE = np.dtype([(name, "f8") for name in COLUMNS])
# Arrays up to the first size are processed together, so many numbers at once, and larger ones in parts, so that
# temporaries stay small.
_SMALL, _TOGETHER, _PART = PIECE, 2**14, 2**15
# The squares of numbers outside of these bounds overflow, or lose digits that count.
_LEAST_PLAIN, _LARGEST_PLAIN = 2.0**-400, 2.0**400
# The opposite of this exponent is still one of a finite power of two.
_LEAST_SHIFT = -1000


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


def look_of(shape: Shape, strides: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[int, int, int] | None:
    """Returns the number of distinct elements, their kind in `KINDS`, and how often each is repeated.

    None if the elements have gaps, or are of another kind. Units: strides in bytes.
    """
    if dtype not in KINDS or 0 in shape:
        return None
    whole = dtype.itemsize
    for step, size in sorted((step, size) for size, step in zip(shape, strides, strict=True) if size > 1 and step):
        if step != whole:
            return None
        whole *= size
    count = whole // dtype.itemsize
    return count, KINDS.index(dtype), math.prod(shape) // count


def once(array: Array) -> Array:
    """Returns the distinct elements of an array, broadcast ones once, in the order of the memory.

    Shapes: the result has one axis.
    """
    found: Array = array[tuple(slice(None) if step else slice(1) for step in array.strides)].ravel(order="K")
    return found


def survey_of(arrays: Sequence[Array | None]) -> Survey:
    """Returns one row for each array; all NaN where there is none."""
    found = empty_survey(len(arrays))
    rows: list[int] = []
    small: list[Array] = []
    for row, array in enumerate(arrays):
        if array is not None and 0 < array.size <= _SMALL:
            rows.append(row)
            small.append(_wide(array))
        elif array is not None:
            found[row] = _of_large(array) if array.size else _EMPTY
    ends = np.cumsum([array.size for array in small])
    cuts = [0, *(np.flatnonzero(np.diff(ends // _TOGETHER)) + 1).tolist(), len(small)]
    for start, end in itertools.pairwise(cuts if small else ()):
        found[rows[start:end]] = _of_small(small[start:end])
    return found


_EMPTY = (0, 0, np.inf, 0, 0, 0, 0, 0)


def _of_large(array: Array) -> Survey:
    """Returns the row of one array; reads broadcast elements once."""
    numbers = once(array)
    repeats = array.size // numbers.size
    with np.errstate(all="ignore"):
        if numbers.size <= _SMALL:
            found: Survey = _of_small([_wide(numbers)])[0]
        else:
            found = _joined([_of_part(part) for part in _parts(numbers)], numbers)
        for name in ("nan", "infinite", "total"):
            found[name] *= repeats
        found["norm"] *= math.sqrt(repeats)
    return found


def _parts(numbers: Array) -> Iterator[Array]:
    return (numbers[start : start + _PART] for start in range(0, numbers.size, _PART))


class _Part(NamedTuple):
    """Statistics of a contiguous part of an array: `total` and `squares` are sums of lanes, the others numbers.

    `low` is above `high` if no number is finite.
    """

    nan: int
    infinite: int
    least: float
    low: float
    high: float
    total: Array
    squares: Array


def _of_part(numbers: Array) -> _Part:
    wide = _wide(numbers)
    low, high, nan, infinite = float(numbers.min()), float(numbers.max()), 0, 0
    # The least magnitude of integers need not be an integer of their dtype.
    least = float(np.abs(numbers if numbers.dtype.kind == "f" else wide).min())
    if not -math.inf < low <= high < math.inf:
        finite = np.isfinite(wide)
        nan = int(np.isnan(wide).sum())
        infinite = wide.size - nan - int(finite.sum())
        low = float(wide.min(initial=math.inf, where=finite))
        high = float(wide.max(initial=-math.inf, where=finite))
        wide = np.where(finite, wide, 0)
    return _Part(nan, infinite, least, low, high, lanes_of(wide), lanes_of(wide * wide))


def _joined(parts: Sequence[_Part], numbers: Array) -> Survey:
    """Returns the row of an array from its parts."""
    found: Survey = empty_survey(1)[0]
    low, high = min(part.low for part in parts), max(part.high for part in parts)
    found["nan"], found["infinite"] = sum(part.nan for part in parts), sum(part.infinite for part in parts)
    found["least"] = np.min([part.least for part in parts])
    found["low"], found["high"] = (low + 0.0, high + 0.0) if low <= high else (0, 0)
    found["largest"] = largest = _largest(found)
    found["total"] = total_of(np.concatenate([part.total for part in parts])) + 0.0
    if _LEAST_PLAIN <= largest <= _LARGEST_PLAIN:
        found["norm"] = math.sqrt(total_of(np.concatenate([part.squares for part in parts])))
    else:
        found["norm"] = _scaled_norm(numbers, largest) if 0 < largest < math.inf else largest
    return found


def _largest(row: Survey) -> float:
    if row["nan"]:
        return math.nan
    return math.inf if row["infinite"] else float(max(row["high"], -row["low"]))


def _scaled_norm(numbers: Array, largest: float) -> float:
    """Returns a norm from scaled squares, which neither overflow nor vanish: a power of two changes no digit."""
    shift = max(math.frexp(largest)[1], _LEAST_SHIFT)
    scaled = (_wide(part) * 2.0**-shift for part in _parts(numbers))
    return float(np.ldexp(math.sqrt(total_of(np.concatenate([lanes_of(part * part) for part in scaled]))), shift))


def _wide(array: Array) -> Array:
    return array.ravel().astype(np.float64, copy=False)


def _of_small(arrays: Sequence[Array]) -> Survey:
    """Returns the rows of arrays of 1 to `_SMALL` numbers in float64."""
    found, numbers = empty_survey(len(arrays)), np.concatenate(arrays)
    counts = np.array([array.size for array in arrays], np.intp)
    starts = np.cumsum(counts) - counts
    with np.errstate(all="ignore"):
        sizes = np.abs(numbers)
        found["least"], found["largest"] = np.minimum.reduceat(sizes, starts), np.maximum.reduceat(sizes, starts)
        top = found["largest"]
        if np.all(top < np.inf):
            found["nan"] = found["infinite"] = 0
            low, high = np.minimum.reduceat(numbers, starts), np.maximum.reduceat(numbers, starts)
            found["low"], found["high"] = low + 0.0, high + 0.0
        else:
            _survey_finite(found, numbers, starts)
            numbers = np.where(np.isfinite(numbers), numbers, 0)
        is_any, is_plain = (top > 0) & (top < np.inf), (top >= _LEAST_PLAIN) & (top <= _LARGEST_PLAIN)
        shifts = np.where(is_any & ~is_plain, np.maximum(np.frexp(top)[1], _LEAST_SHIFT), 0)
        scaled = numbers * np.repeat(np.ldexp(1.0, -shifts), counts) if shifts.any() else numbers
        # NumPy moves and adds both parts of a complex number at once.
        pairs = np.empty(numbers.size, np.complex128)
        pairs.real, pairs.imag = numbers, scaled * scaled
        sums = sums_of_runs(pairs, counts)
        found["total"] = sums.real + 0.0
        found["norm"] = np.where(is_any, np.ldexp(np.sqrt(sums.imag), shifts), top)
    return found


def _survey_finite(found: Survey, numbers: Array, starts: np.ndarray[Any, np.dtype[np.intp]]) -> None:
    """Counts non-finite numbers and writes the least and the largest of the finite ones."""
    finite = np.isfinite(numbers)
    found["nan"] = np.add.reduceat(np.isnan(numbers), starts, dtype=np.int64)
    found["infinite"] = np.add.reduceat(~finite, starts, dtype=np.int64) - found["nan"]
    has_any = np.logical_or.reduceat(finite, starts)
    low = np.minimum.reduceat(np.where(finite, numbers, np.inf), starts)
    high = np.maximum.reduceat(np.where(finite, numbers, -np.inf), starts)
    found["low"], found["high"] = np.where(has_any, low, 0) + 0.0, np.where(has_any, high, 0) + 0.0
