"""Memory that two processes share.

It has no name in any folder, or no name at all: it disappears with both processes, however they end.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
import tempfile
from collections.abc import Iterator

# Unwritten pages take no memory. Units: bytes.
SIZE = 2**27 + 4096
# The first page, before the messages, has the path of the block in progress. Units: bytes.
NOTE, NOTE_SIZE = 1024, 2048
# A file descriptor, or a name on systems whose processes cannot inherit descriptors.
Handle = int | str


def memory_at(handle: Handle) -> mmap.mmap:
    """Returns the memory that another process has made and handed over by `new_memory`."""
    if isinstance(handle, str):
        return _named(handle)
    memory = mmap.mmap(handle, SIZE)
    os.close(handle)
    return memory


@contextlib.contextmanager
def new_memory() -> Iterator[tuple[mmap.mmap, Handle]]:
    """Makes new memory, and yields it with the handle for a process that is started meanwhile.

    A file descriptor must be passed to that process.
    """
    if sys.platform == "win32":
        name = f"gradwire-{os.urandom(16).hex()}"
        yield _named(name), name
        return
    descriptor = _nameless_file()
    try:
        os.ftruncate(descriptor, SIZE)
        yield mmap.mmap(descriptor, SIZE), descriptor
    finally:
        os.close(descriptor)


def _nameless_file() -> int:
    if sys.platform == "linux":
        return os.memfd_create("gradwire")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _named(name: str) -> mmap.mmap:
    """Returns memory by its name; the process that made it must still hold it."""
    if sys.platform == "win32":
        return mmap.mmap(-1, SIZE, tagname=name)
    raise OSError("memory has names only on Windows")
