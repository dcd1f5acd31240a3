"""Memory limit of a run: checks each result by its shape before it is allocated."""

from __future__ import annotations

import contextlib
import os

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
    # A Path interns its parts; the table of interned texts may then grow by megabytes, just when memory is scarce.
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/meminfo", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return UNKNOWN


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
