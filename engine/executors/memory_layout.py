"""Memory layout of a plan's tensors in one piece of memory."""

from __future__ import annotations

import math
from array import array as numbers
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.base.array_statistics import look_of
from gradwire.engine.base.memory import check_room
from gradwire.engine.base.tensor_spec import Array, Shape
from gradwire.engine.executors.ufunc_loops import Strided, contiguous, view_of

ALIGNMENT = 64
NONE = -1
# Spare memory for later steps: as much as the plan needs, within these bounds. Units: bytes.
_LEAST_SPARE, _MOST_SPARE = 1 << 20, 1 << 26
# Up to this size the free memory is not checked. Units: bytes.
_ALWAYS_FITS = 1 << 24


class ArrayLayout(NamedTuple):
    """Shape, strides and dtype of an array, independent of its offset.

    Units: bytes.
    """

    shape: Shape
    strides: tuple[int, ...]
    dtype: np.dtype[Any]

    def look(self) -> tuple[int, int, int]:
        """Returns what `look_of` returns, with NONE as the number of elements that it does not know."""
        return look_of(self.shape, self.strides, self.dtype) or (NONE, 0, 1)


class MemoryLayout:
    """Offset and layout of each slot; NONE where no step has written it yet.

    `rooms` has the bytes that each slot owns; a view owns none. `looks` has the result of `look` for each layout. The
    arrays in `filled` are not yet in the memory.
    """

    def __init__(self) -> None:
        self.top = 0
        self.offsets, self.layouts, self.rooms, self.looks = (numbers("q") for _ in range(4))
        self.known: list[ArrayLayout] = []
        self.filled: list[tuple[Strided, Array]] = []
        self._by_layout: dict[ArrayLayout, int] = {}

    def number(self, layout: ArrayLayout) -> int:
        """Returns the number of a layout."""
        found = self._by_layout.get(layout)
        if found is None:
            found = self._by_layout[layout] = len(self.known)
            self.known.append(layout)
            self.looks.extend(layout.look())
        return found

    def reserve(self, count: int) -> None:
        """Creates slots until there are at least `count`."""
        missing = [NONE] * (count - len(self.offsets))
        for column in (self.offsets, self.layouts, self.rooms):
            column.extend(missing)

    def take(self, size: int) -> int:
        """Returns the offset of a new piece of memory, of a rounded size."""
        start = self.top
        self.top = start + size
        return start

    def room(self, slot: int, size: int) -> int:
        """Returns the offset of memory for a slot: its former place, if that is large enough."""
        if size and self.rooms[slot] >= size:
            return self.offsets[slot]
        start = self.top
        self.top = start + size
        return start

    def put(self, slot: int, offset: int, layout: int, room: int) -> bool:
        """Sets the location of a slot; returns whether it was elsewhere before."""
        before, place = self.layouts[slot], self.offsets[slot]
        self.offsets[slot], self.layouts[slot], self.rooms[slot] = offset, layout, room
        return before != NONE and (before != layout or place != offset)

    def keep(self, array: Array, slot: int | None = None) -> tuple[int, int, int]:
        """Returns the offset, layout and size of a place with this array in it; broadcast elements are stored once."""
        seen = array[tuple(slice(None) if step else slice(0, 1) for step in array.strides)]
        steps = contiguous(seen.shape, seen.dtype.itemsize)
        size = rounded(seen.nbytes)
        offset = self.take(size) if slot is None else self.room(slot, size)
        self.filled.append((Strided(0, offset, seen.shape, steps, seen.dtype), seen))
        strides = tuple([step if given else 0 for step, given in zip(steps, array.strides, strict=True)])
        return offset, self.number(ArrayLayout(array.shape, strides, array.dtype)), size

    def fill(self, memory: Array) -> None:
        """Copies pending arrays into the memory."""
        for place, array in self.filled:
            np.copyto(view_of(place, memory), array, casting="no")
        self.filled.clear()

    def strided(self, slot: int) -> Strided:
        """Returns the location of a slot."""
        return Strided(0, self.offsets[slot], *self.known[self.layouts[slot]])


def rounded(size: int) -> int:
    """Rounds a size up, so that the next piece is aligned, too."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def memory_for(size: int) -> Array:
    """Returns zeroed memory with some spare; the system assigns its pages on first use.

    Raises: OutOfMemoryError if so much is not available.
    """
    size += min(max(size, _LEAST_SPARE), _MOST_SPARE)
    if size > _ALWAYS_FITS:
        check_room(size)
    whole = np.zeros(size + ALIGNMENT, np.uint8)
    start = -whole.ctypes.data % ALIGNMENT
    return whole[start : start + size]


def first_steps(layout: ArrayLayout, count: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Returns the offsets of the first elements, in C order, relative to the first one. Units: elements."""
    shown = min(math.prod(layout.shape), count)
    places = np.unravel_index(np.arange(shown), layout.shape) if layout.shape else ()
    steps = zip(places, layout.strides, strict=True)
    return sum((place * step for place, step in steps), start=np.zeros(shown, np.intp)) // layout.dtype.itemsize
