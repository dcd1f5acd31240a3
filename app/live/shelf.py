"""Messages whose large arrays go through memory that two processes share; only what is small goes through a pipe."""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import secrets
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from engine.tensor_spec import Array

# What is smaller goes through the pipe. Units: bytes.
LARGE = 2**14
# How many messages may lie in the memory that have not been opened yet; each has as much room. Pages that nobody
# writes to take no memory.
PARTS, PART_SIZE = 2, 2**25
_START, _ALIGNMENT = 4096, 64
_SIZE = _START + PARTS * PART_SIZE
# A file descriptor, or a name where these cannot be inherited.
Handle = int | str


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

    @classmethod
    def at(cls, handle: Handle) -> Shelf:
        """The shelf that another process has made and handed over, as `new_shelf` says."""
        if isinstance(handle, str):
            return cls(_named(handle))
        memory = mmap.mmap(handle, _SIZE)
        os.close(handle)
        return cls(memory)

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


@contextlib.contextmanager
def new_shelf() -> Iterator[tuple[Shelf, Handle]]:
    """A shelf, and what a process started meanwhile gets it by; a file descriptor has to be passed on to it."""
    if sys.platform == "win32":
        name = f"gradwire-{secrets.token_hex(16)}"
        yield Shelf(_named(name)), name
        return
    descriptor = _nameless_file()
    try:
        os.ftruncate(descriptor, _SIZE)
        yield Shelf(mmap.mmap(descriptor, _SIZE)), descriptor
    finally:
        os.close(descriptor)


def _nameless_file() -> int:
    if sys.platform == "linux":
        return os.memfd_create("gradwire")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _named(name: str) -> mmap.mmap:
    """Memory by its name, which the process that made it must still have."""
    if sys.platform == "win32":
        return mmap.mmap(-1, _SIZE, tagname=name)
    raise OSError("memory has names only on Windows")
