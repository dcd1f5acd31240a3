"""A limit of the size of files, as a full disk has it, for Python and Qt alike."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator

import pytest


@contextlib.contextmanager
def no_larger_files_than(size: int) -> Iterator[None]:
    """Lets every write beyond a size fail, and skips a test where the system knows no such limit. Units: bytes."""
    resource = pytest.importorskip("resource")
    limits, ignored = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    # Python keeps a compiled module that was cut off here, and no program would start with it any more.
    writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
        sys.dont_write_bytecode = writes_none
