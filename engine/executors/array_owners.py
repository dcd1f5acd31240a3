"""Owners of arrays' memory: several views of one array keep all of it alive."""

from __future__ import annotations

from collections import Counter

import numpy as np

from gradwire.engine.base.tensor_spec import Array

# A run and one of its slots.
Key = tuple[int, int]


class Owners:
    """Register of the arrays that own the memory of large arrays; memory of sources weighs nothing."""

    def __init__(self) -> None:
        self.size = 0
        self._of_slots: dict[Key, Array] = {}
        self._users: Counter[int] = Counter()
        self._given: dict[Key, Array] = {}
        self._free: set[int] = set()

    def give(self, key: Key, array: Array) -> None:
        """Records the array that a source holds, in place of its former one."""
        self._given[key] = _owner(array)
        self._free = {id(item) for item in self._given.values()}

    def weight(self, array: Array) -> int:
        """Returns how much memory an array keeps alive."""
        owner = _owner(array)
        return 0 if id(owner) in self._free else owner.nbytes

    def add(self, key: Key, array: Array) -> None:
        """Counts the array in a slot."""
        owner = self._of_slots[key] = _owner(array)
        self.size += 0 if self._users[id(owner)] else owner.nbytes
        self._users[id(owner)] += 1

    def remove(self, key: Key) -> None:
        """Stops counting the array in a slot, if it was counted."""
        owner = self._of_slots.pop(key, None)
        if owner is not None:
            self._users[id(owner)] -= 1
            self.size -= 0 if self._users[id(owner)] else owner.nbytes

    def forget(self, run: int) -> None:
        """Removes the records of a run's sources."""
        self._given = {key: array for key, array in self._given.items() if key[0] != run}
        self._free = {id(item) for item in self._given.values()}


def _owner(array: Array) -> Array:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
