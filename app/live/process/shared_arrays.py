"""Messages whose large arrays go through memory that two processes share; the pipe carries the rest."""

from __future__ import annotations

import mmap
import pickle
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gradwire.app.live.process.shared_memory import SIZE
from gradwire.engine.base.tensor_spec import Array

# Smaller arrays go through the pipe. Units: bytes.
LARGE = 2**14
# The number of messages that fit into the memory, each with the same room. The window holds the results that it shows,
# those from which it predicts others and, for a moment, the next ones. Meanwhile the evaluator packs another message.
PARTS, PART_SIZE = 4, 2**25
_START, _ALIGNMENT = 4096, 64
assert _START + PARTS * PART_SIZE <= SIZE


class Parcel(NamedTuple):
    """A message on its way: the pickle without its large arrays, and their offsets and sizes in the memory."""

    content: bytes
    places: tuple[tuple[int, int], ...]


class SharedArrays:
    """Memory into which one process packs messages and from which another one opens them.

    It has no name in any folder, or no name at all: it disappears with both processes, however they end.
    """

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory, self._bytes = memory, np.frombuffer(memory, np.uint8)
        # The parts in use: the packing process sets a flag; the other clears it once nothing refers to the part.
        self._used: Array = np.frombuffer(memory, np.bool_, PARTS)

    def pack(self, message: object) -> Parcel:
        """Returns a message ready to be sent. Arrays that do not fit stay in it."""
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
        """Returns the message. Its arrays are its own: nobody overwrites their memory while any of them exists."""
        buffers = self._taken(parcel.places) if parcel.places else []
        return pickle.loads(parcel.content, buffers=buffers)

    def _taken(self, places: Sequence[tuple[int, int]]) -> list[Array]:
        """Returns the arrays in one part, or copies if no other part is free for the next message."""
        number = (places[0][0] - _START) // PART_SIZE
        if self._used.all():
            copies = [self._bytes[start : start + size].copy() for start, size in places]
            self._used[number] = False
            return copies
        first = _START + number * PART_SIZE
        # This must not be a view: NumPy makes every array taken from a view refer to the view's base.
        whole: Array = np.frombuffer(self._memory, np.uint8, PART_SIZE, first)
        weakref.finalize(whole, self._used.__setitem__, number, False).atexit = False
        return [whole[start - first :][:size] for start, size in places]


class _Part:
    """Room for the arrays of one message."""

    def __init__(self, memory: Array, start: int, end: int) -> None:
        self._bytes, self._start, self._end = memory, start, end

    def put(self, item: pickle.PickleBuffer, places: list[tuple[int, int]]) -> bool:
        """Copies an array into the part and notes its place, if it is large and fits."""
        array = np.frombuffer(item.raw(), np.uint8)
        if not LARGE <= array.size <= self._end - self._start:
            return False
        self._bytes[self._start : self._start + array.size] = array
        places.append((self._start, array.size))
        self._start += -(-array.size // _ALIGNMENT) * _ALIGNMENT
        return True
