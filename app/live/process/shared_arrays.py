"""Messages whose large arrays go through memory that two processes share; only what is small goes through a pipe."""

from __future__ import annotations

import mmap
import pickle
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from app.live.shared_memory import SIZE
from engine.tensor_spec import Array

# What is smaller goes through the pipe. Units: bytes.
LARGE = 2**14
# How many messages may lie in the memory; each has as much room. The window has the results that it shows, those from
# which it foretells others and, for a moment, those that come next, while the evaluator packs another message.
PARTS, PART_SIZE = 4, 2**25
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
        self._memory, self._bytes = memory, np.frombuffer(memory, np.uint8)
        # Which parts are in use: set by who packs, and taken back by who opens once nothing refers to what lies there.
        self._used: Array = np.frombuffer(memory, np.bool_, PARTS)

    def pack(self, message: object) -> Parcel:
        """A message ready to be sent. Arrays for which there is no room stay in it."""
        number = int(self._used.argmin())
        start, size = _START + number * PART_SIZE, 0 if self._used[number] else PART_SIZE
        part, places = _Part(self._bytes, start, start + size), list[tuple[int, int]]()
        content = pickle.dumps(
            message, pickle.HIGHEST_PROTOCOL, buffer_callback=lambda item: not part.put(item, places)
        )
        if places:
            self._used[number] = True
        return Parcel(content, tuple(places))

    def open(self, parcel: Parcel) -> Any:  # Any: a message is what was packed
        """The message; its arrays are its own: as long as there are any, nobody writes where they lie."""
        buffers = self._taken(parcel.places) if parcel.places else []
        return pickle.loads(parcel.content, buffers=buffers)

    def _taken(self, places: Sequence[tuple[int, int]]) -> list[Array]:
        """What lies at some places of one part: itself, or copies where no other part is free for the next message."""
        number = (places[0][0] - _START) // PART_SIZE
        if self._used.all():
            copies = [self._bytes[start : start + size].copy() for start, size in places]
            self._used[number] = False
            return copies
        first = _START + number * PART_SIZE
        # An array of its own, not a view of another one: NumPy lets all that is taken from it refer to it.
        whole: Array = np.frombuffer(self._memory, np.uint8, PART_SIZE, first)
        weakref.finalize(whole, self._used.__setitem__, number, False).atexit = False
        return [whole[start - first :][:size] for start, size in places]


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
