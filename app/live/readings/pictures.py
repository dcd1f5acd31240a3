"""Small pictures of tensors: all pictures of a table form one array, made, sent and compared at once."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from gradwire.engine.base.norms import SUMMED, means_along
from gradwire.engine.base.tensor_spec import Array

HEAT_ROWS, HEAT_COLUMNS, SPARK_POINTS = 4, 13, 64
# Vectors up to this size are shown number by number.
FEW = 16
# The number of elements that are processed together.
_AT_ONCE = 2**16
_MANY = 12
# A part of all rows as small as this is looked at row by row.
_FEW_ROWS = 8
Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Pictures(Mapping[int, Array]):
    """The pictures of some rows of a table, in float64. `places` has the start in `cells` and the shape of each."""

    places: Mapping[int, tuple[int, Shape]]
    cells: Array

    def __getitem__(self, row: int) -> Array:
        start, shape = self.places[row]
        return self.cells[start : start + int(np.prod(shape))].reshape(shape)

    def _differs(self, other: Pictures, row: int) -> bool:
        one, two = self[row].ravel(), other[row].ravel()
        return not np.array_equal(one.view(np.uint64), two.view(np.uint64))

    def __iter__(self) -> Iterator[int]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def differing(self, other: Pictures, among: Sequence[int] | None = None) -> list[int]:
        """Returns the rows whose pictures differ, if both have the same places. NaN equals NaN.

        Where only the rows `among` some are asked for, others may be left out.
        """
        if among is not None and len(among) < len(self.places) // _FEW_ROWS:
            return [row for row in among if row in self.places and self._differs(other, row)]
        # Behind the last place the cells of removed pictures may be left, in one of both.
        count = min(len(self.cells), len(other.cells))
        is_other = self.cells[:count].view(np.uint64) != other.cells[:count].view(np.uint64)
        if not is_other.any():
            return []
        starts = np.fromiter((start for start, _ in self.places.values()), np.intp, len(self.places))
        order = np.argsort(starts)
        rows = np.fromiter(self.places, np.intp, len(self.places))[order]
        found: list[int] = rows[np.logical_or.reduceat(is_other, starts[order])].tolist()
        return found


NO_PICTURES = Pictures({}, np.zeros(0))


def pictures_of(arrays: Mapping[int, Array], made: Mapping[int, Array] = MappingProxyType({})) -> Pictures:
    """Returns the pictures by row: those of the tensors that have one, together with pictures made before."""
    parts = {row: part for row, array in arrays.items() if (part := shown_part(array)) is not None}
    groups: dict[Shape, list[int]] = {}
    for row, part in parts.items():
        groups.setdefault(part.shape, []).append(row)
    places, found, start = dict[int, tuple[int, Shape]](), list[Array](), 0
    for rows in itertools.chain.from_iterable(batches(rows, shape) for shape, rows in groups.items()):
        cells = sampled(stacked([parts[row] for row in rows]))
        shape = cells.shape[1:]
        size = cells[0].size
        places.update((row, (start + index * size, shape)) for index, row in enumerate(rows))
        found.append(cells.ravel())
        start += cells.size
    for row, picture in made.items():
        places[row] = (start, picture.shape)
        found.append(picture.ravel())
        start += picture.size
    return Pictures(places, np.concatenate(found)) if found else NO_PICTURES


def thumbnail_of(array: Array) -> Array | None:
    """Returns the picture of one tensor, or None if it has none.

    Rank 2 and above has a matrix of at most 4 by 13 means (first slice); a vector has a curve of at most 64 points.
    """
    part = shown_part(array)
    return None if part is None else sampled(stacked([part]))[0]


def _of_large(part: Array) -> Array:
    if not any(part.strides):
        # One number stands for all: zeros that stand for no gradient, or the gradient of a sum.
        most = (SPARK_POINTS,) if part.ndim == 1 else (HEAT_ROWS, HEAT_COLUMNS)
        return np.full(tuple(map(min, part.shape, most)), next(part.flat), np.float64)
    return _curve(part) if part.ndim == 1 else _heat_map(part)


def _curve(part: Array) -> Array:
    """Returns the curve of a large vector; converts it in pieces, since it must not be copied whole."""
    starts, lengths = _cuts(part.size, SPARK_POINTS)
    count = _count_at_once(int(lengths[0]))
    ends = [*starts[::count].tolist(), part.size]
    means = [
        means_along(_wide(part[start:end]), starts[place * count : (place + 1) * count] - start, 0)
        for place, (start, end) in enumerate(itertools.pairwise(ends))
    ]
    return np.concatenate(means)


def _heat_map(part: Array) -> Array:
    """Returns the heat map of a large matrix; converts it in pieces, since it must not be copied whole."""
    starts, lengths = _cuts(len(part), min(len(part), HEAT_ROWS))
    bands = (part[start : start + length] for start, length in zip(starts.tolist(), lengths.tolist(), strict=True))
    return np.concatenate([_means(_mean_row(band)[np.newaxis], HEAT_COLUMNS, 1) for band in bands])


def _mean_row(band: Array) -> Array:
    if len(band) == 1:
        return _wide(band[0])
    found = _mean_of_scaled(band, 0)
    # A sum may overflow where its mean does not.
    return found if np.isfinite(found).all() else _mean_of_scaled(band, SUMMED)


def _mean_of_scaled(band: Array, exponent: int) -> Array:
    """Returns the mean row of a band, whose numbers are divided by a power of two while they are added up."""
    rows, columns = band.shape
    count = _count_at_once(columns)
    total: Array = np.zeros(columns)
    for row in range(0, rows, count):
        part = _wide(band[row : row + count])
        total += _column_sums(np.ldexp(part, -exponent) if exponent else part)
    total /= rows
    return np.ldexp(total, exponent) if exponent else total


def _column_sums(matrix: Array) -> Array:
    """Returns the sum of each column; `sum` takes several times as long."""
    is_narrow = matrix.shape[1] < _MANY
    found: Array = np.add.reduceat(matrix, [0], axis=0)[0] if is_narrow else np.einsum("rc->c", matrix)
    return found


def _wide(array: Array) -> Array:
    return array.astype(np.float64, copy=False)


def shown_part(array: Array) -> Array | None:
    """Returns the part that a picture shows: the first matrix or a long vector; None without a picture."""
    if array.ndim >= 2 and array.size:
        part: Array = array[(0,) * (array.ndim - 2)]
        return part
    return array if array.size > FEW else None


def batches(rows: Sequence[int], shape: Shape) -> Iterable[Sequence[int]]:
    """Yields groups of rows with parts of one shape, each small enough to process at once."""
    count = _count_at_once(math.prod(shape))
    return (rows[start : start + count] for start in range(0, len(rows), count))


def _count_at_once(size: int) -> int:
    """Returns how many arrays of a size are processed together."""
    return max(_AT_ONCE // size, 1)


def stacked(parts: Sequence[Array]) -> Array:
    """Stacks parts of one shape into one array."""
    return np.stack(parts) if len(parts) > 1 else parts[0][np.newaxis]


def sampled(parts: Array) -> Array:
    """Returns the pictures of parts of one shape, stacked along the first axis."""
    with np.errstate(all="ignore"):
        if parts[0].size > _AT_ONCE:
            return np.stack([_of_large(part) for part in parts])
        wide = _wide(parts)
        if wide.ndim == 2:
            return _means(wide, SPARK_POINTS, 1)
        return _means(_means(wide, HEAT_ROWS, 1), HEAT_COLUMNS, 2)


def _means(array: Array, count: int, axis: int) -> Array:
    """Returns the array with one axis cut into at most `count` parts of about equal length.

    Each part is replaced by its mean.
    """
    if array.shape[axis] <= count:
        return array
    return means_along(array, _cuts(array.shape[axis], count)[0], axis)


@functools.lru_cache(maxsize=256)
def _cuts(length: int, count: int) -> tuple[Array, Array]:
    """Returns the starts and the lengths of parts of about equal length."""
    starts = np.linspace(0, length, count, endpoint=False).astype(int)
    return starts, np.diff(np.append(starts, length))
