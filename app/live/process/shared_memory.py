"""Memory that two processes share.

It has no name in any folder, or none at all: when both processes have gone, however they ended, it has too.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import sys
import tempfile
from collections.abc import Iterator

# Pages that nobody writes to take no memory. Units: bytes.
SIZE = 2**27 + 4096
# In the first page, before what is sent: which block is being computed. Units: bytes.
NOTE, NOTE_SIZE = 1024, 2048
# Before that: id and exit code of a process that the window has not started itself.
PID, CODE, NUMBER = 512, 516, struct.Struct("<i")
# A file descriptor, or a name where these cannot be inherited.
Handle = int | str


def memory_at(handle: Handle) -> mmap.mmap:
    """The memory that another process has made and handed over, as `new_memory` says."""
    if isinstance(handle, str):
        return _named(handle)
    memory = mmap.mmap(handle, SIZE)
    os.close(handle)
    return memory


@contextlib.contextmanager
def new_memory() -> Iterator[tuple[mmap.mmap, Handle]]:
    """New memory, and what a process started meanwhile gets it by; a file descriptor has to be passed on to it."""
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
    """Memory by its name, which the process that made it must still have."""
    if sys.platform == "win32":
        return mmap.mmap(-1, SIZE, tagname=name)
    raise OSError("memory has names only on Windows")
