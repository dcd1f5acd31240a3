"""The first elements of many arrays in one piece of memory, to be read all at once."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.loops import Strided, contiguous
from engine.tensor_spec import Array

_DOUBLE = np.dtype(np.float64)
Rows = np.ndarray[tuple[int], np.dtype[np.intp]]


class Runs:
    """The first `count` elements of arrays at some places, all of one dtype and each in one piece."""

    def __init__(self, memory: Array, dtype: np.dtype[Any], offsets: Sequence[int], count: int) -> None:
        # Windows at every element: a run is then one item, copied whole.
        size = count * dtype.itemsize
        windows = max((len(memory) - size) // dtype.itemsize + 1, 0)
        self._windows = np.ndarray((windows,), f"V{size}", memory.data, 0, (dtype.itemsize,))
        self._starts = np.array(offsets, np.intp) // dtype.itemsize
        self._dtype = dtype

    def read(self) -> Array:
        """The elements, a row for each array."""
        found: Array = self._windows[self._starts][:, np.newaxis].view(self._dtype)
        return found


class Heads:
    """The first `count` elements of arrays at some places; each array has a row."""

    def __init__(self, memory: Array, places: Sequence[Strided], count: int) -> None:
        is_long = [_is_run_of_doubles(place, count) for place in places]
        self._long = np.flatnonzero(is_long)
        self._runs = Runs(memory, _DOUBLE, [places[row].offset for row in self._long.tolist()], count)
        short = [(row, place) for row, place in enumerate(places) if not is_long[row]]
        dtypes = dict.fromkeys(place.dtype for _, place in short)
        self._groups = [
            _Group(memory, dtype, [item for item in short if item[1].dtype == dtype], count) for dtype in dtypes
        ]
        self._item = np.dtype(f"V{count * _DOUBLE.itemsize}")

    def write(self, target: Array, rows: Rows) -> None:
        """Writes the elements into rows of a matrix, of which the rest stays as it is.

        Shapes: `target` has `count` columns, `rows` one entry for each array.
        """
        target.view(self._item)[rows[self._long]] = self._runs.read().view(self._item)
        for group in self._groups:
            target[rows[group.rows], group.columns] = group.read()


class _Group:
    """Elements of one dtype, one by one."""

    def __init__(self, memory: Array, dtype: np.dtype[Any], places: Sequence[tuple[int, Strided]], count: int) -> None:
        found = [(row, _firsts(place, count)) for row, place in places]
        self.rows = np.repeat([row for row, _ in found], [len(items) for _, items in found]).astype(np.intp)
        self.columns = np.array([column for _, items in found for column in range(len(items))], np.intp)
        self._offsets = np.array([offset for _, items in found for offset in items], np.intp) // dtype.itemsize
        self._whole = memory[: len(memory) // dtype.itemsize * dtype.itemsize].view(dtype)

    def read(self) -> Array:
        """The elements as they are now."""
        found: Array = self._whole[self._offsets]
        return found


def _is_run_of_doubles(place: Strided, count: int) -> bool:
    is_whole = place.strides == contiguous(place.shape, place.dtype.itemsize)
    return place.dtype == _DOUBLE and is_whole and math.prod(place.shape) >= count


def _firsts(place: Strided, count: int) -> list[int]:
    """The offsets of the first elements, in order."""
    size = math.prod(place.shape)
    if place.strides == contiguous(place.shape, place.dtype.itemsize):
        return [place.offset + index * place.dtype.itemsize for index in range(min(size, count))]
    indices = itertools.islice(np.ndindex(*place.shape), count)
    return [place.offset + sum(map(operator.mul, index, place.strides)) for index in indices]
