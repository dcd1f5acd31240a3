"""Who owns the memory of arrays: of views of one array, all keep the whole of it."""

from __future__ import annotations

from collections import Counter

import numpy as np

from engine.tensor_spec import Array

# A run and one of its slots.
Key = tuple[int, int]


class Owners:
    """Who owns the memory of large arrays: many are views of one. What sources hold weighs nothing."""

    def __init__(self) -> None:
        self.size = 0
        self._of_slots: dict[Key, Array] = {}
        self._users: Counter[int] = Counter()
        self._given: dict[Key, Array] = {}
        self._free: set[int] = set()

    def give(self, key: Key, array: Array) -> None:
        """Takes note of what a source holds, instead of what it held before."""
        self._given[key] = _owner(array)
        self._free = {id(item) for item in self._given.values()}

    def weight(self, array: Array) -> int:
        """How much memory an array keeps."""
        owner = _owner(array)
        return 0 if id(owner) in self._free else owner.nbytes

    def add(self, key: Key, array: Array) -> None:
        """Counts the array in a slot."""
        owner = self._of_slots[key] = _owner(array)
        self.size += 0 if self._users[id(owner)] else owner.nbytes
        self._users[id(owner)] += 1

    def remove(self, key: Key) -> None:
        """Counts it no more, if it was counted."""
        owner = self._of_slots.pop(key, None)
        if owner is not None:
            self._users[id(owner)] -= 1
            self.size -= 0 if self._users[id(owner)] else owner.nbytes

    def forget(self, run: int) -> None:
        """Takes note that the sources of a run hold nothing any more."""
        self._given = {key: array for key, array in self._given.items() if key[0] != run}
        self._free = {id(item) for item in self._given.values()}


def _owner(array: Array) -> Array:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
