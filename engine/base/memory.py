"""Memory limit of a run: checks each result by its shape before it is allocated."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys

import numpy as np

from gradwire.engine.base.errors import OutOfMemoryError
from gradwire.engine.base.tensor_spec import Array, TensorSpec

# Fraction of the free memory that one run may take: functions need temporary arrays, and the computer runs other
# programs.
SHARE = 0.5
# Assumption where the system does not tell how much is free. Units: bytes.
UNKNOWN = 2**32
_MIB = 2**20


def limit() -> int:
    """Returns how much memory the next run may take. Units: bytes."""
    return int(free_memory() * SHARE)


def free_memory() -> int:
    """Returns how much memory is available without swapping. Units: bytes."""
    with contextlib.suppress(OSError, ValueError, IndexError, AttributeError):
        if sys.platform == "win32":
            return _free_on_windows()
        if sys.platform == "darwin":
            return _free_on_macos()
        return _free_on_linux()
    return UNKNOWN


def _free_on_linux() -> int:
    # A Path interns its parts; the table of interned texts may then grow by megabytes, just when memory is scarce.
    with open("/proc/meminfo", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))


class MemoryStatus(ctypes.Structure):
    """The state of the memory as Windows fills it in: the structure MEMORYSTATUSEX of its documentation."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("total", ctypes.c_uint64),
        ("available", ctypes.c_uint64),
        *((f"unused_{number}", ctypes.c_uint64) for number in range(5)),
    )


if sys.platform == "win32":

    def _free_on_windows() -> int:
        status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
        if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            raise ctypes.WinError()
        return int(status.available)


if sys.platform == "darwin":
    # Pages that are free, and those that the system can take back without writing: of files, and of caches.
    _TAKEN_BACK = (b"vm.page_free_count", b"vm.page_pageable_external_count", b"vm.page_purgeable_count")

    def _free_on_macos() -> int:
        pages = sum(map(_system_number, _TAKEN_BACK))
        return pages * os.sysconf("SC_PAGE_SIZE")

    def _system_number(name: bytes) -> int:
        found, size = ctypes.c_uint64(0), ctypes.c_size_t(8)
        if ctypes.CDLL(None).sysctlbyname(name, ctypes.byref(found), ctypes.byref(size), None, 0):
            raise OSError(name.decode())
        return found.value


def check_room(size: int) -> None:
    """Checks whether an array of this size may be allocated at all. Units: bytes.

    Raises: OutOfMemoryError if it may not.
    """
    if size > limit():
        raise OutOfMemoryError("there is not enough memory for its result")


class Budget:
    """Remaining memory of a run."""

    def __init__(self) -> None:
        self._left = self._limit = limit()
        # Maps the ids of arrays that own memory to the number of slots that view them, and their sizes.
        self._taken: dict[int, tuple[int, int]] = {}
        self._slots: dict[int, int] = {}

    def check(self, specs: list[TensorSpec], may_take_nothing: bool) -> None:
        """Checks whether results fit before they are made; those that may be views fit while any memory remains.

        Raises: OutOfMemoryError if there is no room for them.
        """
        size = sum(spec.size * spec.dtype.itemsize for spec in specs)
        if (0 if may_take_nothing else size) > self._left:
            names = " and ".join(map(str, specs))
            raise OutOfMemoryError(
                f"its result {names} needs {size // _MIB:,} MiB, but of the {self._limit // _MIB:,} MiB "
                f"that a run may use here {max(self._left, 0) // _MIB:,} MiB remain; "
                "make tensors smaller, or use a smaller dtype"
            )

    def take(self, slot: int, array: Array | None) -> None:
        """Counts a result; a view of another array takes no memory."""
        if array is not None:
            whole = _whole(array)
            users, _ = self._taken.get(id(whole), (0, 0))
            self._taken[id(whole)], self._slots[slot] = (users + 1, whole.nbytes), id(whole)
            self._left -= 0 if users else whole.nbytes

    def give_back(self, slot: int) -> None:
        """Counts a dropped array, if no other slot views its memory."""
        if slot in self._slots:
            users, size = self._taken.pop(self._slots[slot])
            if users > 1:
                self._taken[self._slots[slot]] = users - 1, size
            self._left += 0 if users > 1 else size
            del self._slots[slot]


def _whole(array: Array) -> Array:
    """Returns the array that owns the memory."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
