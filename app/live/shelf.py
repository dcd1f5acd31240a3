"""Messages whose large arrays go through memory that two processes share; only what is small goes through a pipe."""

from __future__ import annotations

import mmap
import pickle
from typing import Any, NamedTuple

import numpy as np

from app.live.shared_memory import SIZE
from engine.tensor_spec import Array

# What is smaller goes through the pipe. Units: bytes.
LARGE = 2**14
# How many messages may lie in the memory that have not been opened yet; each has as much room.
PARTS, PART_SIZE = 2, 2**25
_START, _ALIGNMENT = 4096, 64
assert _START + PARTS * PART_SIZE <= SIZE


class Parcel(NamedTuple):
    """A message on its way: pickled but for its large arrays, and where those lie as offset and size."""

    content: bytes
    places: tuple[tuple[int, int], ...]


class Shelf:
    """Memory that one process packs messages into and another one, to which it has been handed over, opens them from.

    It has no name in any folder, or none at all: when both processes have gone, however they ended, it has too.
    """

    def __init__(self, memory: mmap.mmap) -> None:
        self._bytes: Array = np.frombuffer(memory, np.uint8)
        # How many messages have been opened, written by that side alone.
        self._opened: Array = np.frombuffer(memory, np.int64, 1)
        self._packed = 0

    def pack(self, message: object) -> Parcel:
        """A message ready to be sent. Arrays for which there is no room stay in it."""
        part, places = self._free_part(), list[tuple[int, int]]()
        content = pickle.dumps(
            message, pickle.HIGHEST_PROTOCOL, buffer_callback=lambda item: not part.put(item, places)
        )
        self._packed += bool(places)
        return Parcel(content, tuple(places))

    def open(self, parcel: Parcel) -> Any:  # Any: a message is what was packed
        """The message; its arrays are its own."""
        buffers = [self._bytes[start : start + size].copy() for start, size in parcel.places]
        self._opened += bool(buffers)
        return pickle.loads(parcel.content, buffers=buffers)

    def _free_part(self) -> _Part:
        """Room for one message; none while as many as there are parts have not been opened."""
        start = _START + self._packed % PARTS * PART_SIZE
        is_free = self._packed - int(self._opened[0]) < PARTS
        return _Part(self._bytes, start, start + PART_SIZE if is_free else start)


class _Part:
    """Room for the arrays of one message."""

    def __init__(self, memory: Array, start: int, end: int) -> None:
        self._bytes, self._start, self._end = memory, start, end

    def put(self, item: pickle.PickleBuffer, places: list[tuple[int, int]]) -> bool:
        """Notes where an array lies now, if it is large and there is room for it."""
        array = np.frombuffer(item.raw(), np.uint8)
        if not LARGE <= array.size <= self._end - self._start:
            return False
        self._bytes[self._start : self._start + array.size] = array
        places.append((self._start, array.size))
        self._start += -(-array.size // _ALIGNMENT) * _ALIGNMENT
        return True
