"""Where the tensors of a plan lie in one piece of memory."""

from __future__ import annotations

import math
from array import array as numbers
from typing import Any, NamedTuple

import numpy as np

from engine.loops import Strided, contiguous, view_of
from engine.memory import check_room
from engine.survey import KINDS
from engine.tensor_spec import Array, Shape

ALIGNMENT = 64
NONE = -1
# Room beside what a plan needs, for steps that come later: as much again, but at least and at most so many bytes.
_LEAST_SPARE, _MOST_SPARE = 1 << 20, 1 << 26
# What nobody asks for how much memory there is. Units: bytes.
_ALWAYS_FITS = 1 << 24


class Layout(NamedTuple):
    """How the elements of an array stand, wherever its first one lies.

    Units: bytes.
    """

    shape: Shape
    strides: tuple[int, ...]
    dtype: np.dtype[Any]

    def look(self) -> tuple[int, int, int]:
        """The number of elements that differ in place, their kind in `KINDS`, and how often each is repeated.

        The number is NONE if they have gaps, or are of another kind.
        """
        if self.dtype not in KINDS or 0 in self.shape:
            return NONE, 0, 1
        axes = sorted((step, size) for size, step in zip(self.shape, self.strides, strict=True) if size > 1 and step)
        whole = self.dtype.itemsize
        for step, size in axes:
            if step != whole:
                return NONE, 0, 1
            whole *= size
        count = whole // self.dtype.itemsize
        return count, KINDS.index(self.dtype), math.prod(self.shape) // count


class Places:
    """The offset and the layout of each slot; NONE where no step has written it yet.

    `rooms` says how many bytes a slot has for itself; one whose elements are another's has none. `looks` says of each
    layout how its elements stand. What is in `filled` is not yet in the memory.
    """

    def __init__(self) -> None:
        self.top = 0
        self.offsets, self.layouts, self.rooms, self.looks = (numbers("q") for _ in range(4))
        self.known: list[Layout] = []
        self.filled: list[tuple[Strided, Array]] = []
        self._by_layout: dict[Layout, int] = {}

    def number(self, layout: Layout) -> int:
        """The number of a layout."""
        found = self._by_layout.get(layout)
        if found is None:
            found = self._by_layout[layout] = len(self.known)
            self.known.append(layout)
            self.looks.extend(layout.look())
        return found

    def reserve(self, count: int) -> None:
        """Makes so many slots, if there are not as many."""
        missing = [NONE] * (count - len(self.offsets))
        for column in (self.offsets, self.layouts, self.rooms):
            column.extend(missing)

    def take(self, size: int) -> int:
        """The offset of a new piece of memory, of a rounded size."""
        start = self.top
        self.top = start + size
        return start

    def room(self, slot: int, size: int) -> int:
        """The offset of memory for a slot: where it has been, if that is large enough."""
        if self.rooms[slot] >= size > 0:
            return self.offsets[slot]
        start = self.top
        self.top = start + size
        return start

    def put(self, slot: int, offset: int, layout: int, room: int) -> bool:
        """Says where a slot lies; whether it has been elsewhere before."""
        before, place = self.layouts[slot], self.offsets[slot]
        self.offsets[slot], self.layouts[slot], self.rooms[slot] = offset, layout, room
        return before != NONE and (before != layout or place != offset)

    def keep(self, array: Array, slot: int | None = None) -> tuple[int, int, int]:
        """The offset, layout and size of a place with this array in it; what is repeated is kept once."""
        seen = array[tuple(slice(None) if step else slice(0, 1) for step in array.strides)]
        steps = contiguous(seen.shape, seen.dtype.itemsize)
        size = rounded(seen.nbytes)
        offset = self.take(size) if slot is None else self.room(slot, size)
        self.filled.append((Strided(0, offset, seen.shape, steps, seen.dtype), seen))
        strides = tuple([step if given else 0 for step, given in zip(steps, array.strides, strict=True)])
        return offset, self.number(Layout(array.shape, strides, array.dtype)), size

    def fill(self, memory: Array) -> None:
        """Puts into the memory what belongs there."""
        for place, array in self.filled:
            np.copyto(view_of(place, memory), array, casting="no")
        self.filled.clear()

    def strided(self, slot: int) -> Strided:
        """The place of a slot."""
        return Strided(0, self.offsets[slot], *self.known[self.layouts[slot]])


def rounded(size: int) -> int:
    """A size of which the next piece is aligned as well."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def memory_for(size: int) -> Array:
    """Zeros for so many bytes, and some more for what comes later: the system gives them out when they are used.

    Raises: OutOfMemoryError if so much is not there.
    """
    size += min(max(size, _LEAST_SPARE), _MOST_SPARE)
    if size > _ALWAYS_FITS:
        check_room(size)
    whole = np.zeros(size + ALIGNMENT, np.uint8)
    start = -whole.ctypes.data % ALIGNMENT
    return whole[start : start + size]


def first_steps(layout: Layout, count: int) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Where the first elements stand, in the order of the axes, counted from the first of all. Units: elements."""
    shown = min(math.prod(layout.shape), count)
    places = np.unravel_index(np.arange(shown), layout.shape) if layout.shape else ()
    steps = zip(places, layout.strides, strict=True)
    return sum((place * step for place, step in steps), start=np.zeros(shown, np.intp)) // layout.dtype.itemsize
