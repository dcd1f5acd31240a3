"""Batched reading of the first elements of many arrays in one piece of memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.memory_layout import ArrayLayout, MemoryLayout, first_steps
from gradwire.engine.executors.ufunc_loops import contiguous

_DOUBLE = np.dtype(np.float64)
Rows = np.ndarray[tuple[int], np.dtype[np.intp]]


class Runs:
    """First `count` elements of contiguous arrays of one dtype, at given places."""

    def __init__(self, memory: Array, dtype: np.dtype[Any], offsets: Sequence[int] | Array, count: int) -> None:
        # A window starts at every element, so each run is one item and NumPy copies it whole.
        size = count * dtype.itemsize
        windows = max((len(memory) - size) // dtype.itemsize + 1, 0)
        self._windows = np.ndarray((windows,), f"V{size}", memory.data, 0, (dtype.itemsize,))
        self._starts = np.array(offsets, np.intp) // dtype.itemsize
        self._dtype = dtype

    def read(self) -> Array:
        """Returns the elements, a row for each array."""
        found: Array = self._windows[self._starts][:, np.newaxis].view(self._dtype)
        return found


class LeadingElements:
    """First `count` elements of the arrays in some slots, one row for each array."""

    def __init__(self, memory: Array, places: MemoryLayout, slots: Sequence[int], count: int) -> None:
        wanted = np.array(slots, np.intp)
        offsets, layouts = np.array(places.offsets)[wanted], np.array(places.layouts)[wanted]
        numbers = np.unique(layouts).tolist()
        runs = [number for number in numbers if _is_run_of_doubles(places.known[number], count)]
        self._long = np.flatnonzero(np.isin(layouts, runs))
        self._runs = Runs(memory, _DOUBLE, offsets[self._long], count)
        self._groups = []
        for number in numbers:
            if number not in runs:
                rows = np.flatnonzero(layouts == number)
                self._groups.append(_Group(memory, places.known[number], offsets[rows], rows, count))
        self._item = np.dtype(f"V{count * _DOUBLE.itemsize}")

    def write(self, target: Array, rows: Rows) -> None:
        """Writes the elements into rows of a matrix and leaves the other rows unchanged.

        Shapes: `target` has `count` columns, `rows` one entry for each array.
        """
        target.view(self._item)[rows[self._long]] = self._runs.read().view(self._item)
        for group in self._groups:
            target[rows[group.rows, None], group.columns] = group.read()


class _Group:
    """Elements of arrays of one layout, gathered one by one."""

    def __init__(self, memory: Array, layout: ArrayLayout, offsets: Array, rows: Array, count: int) -> None:
        size, steps = layout.dtype.itemsize, first_steps(layout, count)
        self.rows, self.columns = rows, np.arange(len(steps))
        self._offsets = offsets[:, None] // size + steps
        self._whole = memory[: len(memory) // size * size].view(layout.dtype)

    def read(self) -> Array:
        """Returns the current elements."""
        found: Array = self._whole[self._offsets]
        return found


def _is_run_of_doubles(layout: ArrayLayout, count: int) -> bool:
    is_whole = layout.strides == contiguous(layout.shape, layout.dtype.itemsize)
    return layout.dtype == _DOUBLE and is_whole and math.prod(layout.shape) >= count
