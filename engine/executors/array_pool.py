"""Array pool for large arrays of several runs, with a common budget and least-recently-used eviction.

Source: least recently used, as in Belady, A Study of Replacement Algorithms (1966). Cost: O(1) for each access.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.array_owners import Key, Owners


class ArrayPool:
    """Memory that the large arrays of some runs may take together.

    Units: bytes.
    """

    def __init__(self, budget: int) -> None:
        self.budget, self.owners = budget, Owners()
        # Evictable arrays, most recently used last; and arrays that stay while their run has checkpoints.
        self.loose: OrderedDict[Key, Array] = OrderedDict()
        self.anchored: dict[Key, Array] = {}
        # Memory reserved for the checkpoints of each run. A run without any reserves them when it next computes.
        self.promised: dict[int, int] = {}
        self._numbers = itertools.count()

    def share(self) -> PoolShare:
        """Returns a share for one more run and makes the checkpoints of all other runs evictable."""
        self.loose = OrderedDict(self.anchored | self.loose)
        self.anchored, self.promised = {}, {}
        return PoolShare(self, next(self._numbers))

    @property
    def left(self) -> int:
        """Memory that is reserved for no run."""
        return self.budget - sum(self.promised.values())

    def make_room(self) -> None:
        """Evicts the least recently used arrays while the pool exceeds its budget."""
        while self.owners.size > self.budget and len(self.loose) > 1:
            key, _ = self.loose.popitem(last=False)
            self.owners.remove(key)


class PoolShare:
    """Arrays of one run in a store, by slot."""

    def __init__(self, store: ArrayPool, number: int) -> None:
        self._store, self._number = store, number

    @property
    def size(self) -> int:
        """Memory of all runs of the store. Units: bytes."""
        return self._store.owners.size

    @property
    def has_anchors(self) -> bool:
        """True if memory is reserved for the run's checkpoints."""
        return self._number in self._store.promised

    def anchor(self, slots: frozenset[int], size: int) -> None:
        """Reserves memory for the arrays in some slots, which stay from now on. Units: `size` in bytes."""
        store = self._store
        store.promised[self._number] = size
        for key in [(self._number, slot) for slot in slots]:
            if key in store.loose and self._may_stay(store.loose[key]):
                store.anchored[key] = store.loose.pop(key)

    def __contains__(self, slot: int) -> bool:
        key = self._number, slot
        return key in self._store.loose or key in self._store.anchored

    def get(self, slot: int) -> Array | None:
        """Returns the array in a slot if it still exists, and marks it as used."""
        loose, key = self._store.loose, (self._number, slot)
        if key in loose:
            loose.move_to_end(key)
            return loose[key]
        return self._store.anchored.get(key)

    def put(self, slot: int, array: Array, is_anchor: bool) -> None:
        """Stores an array, permanently as a checkpoint or until it is evicted."""
        key = self._number, slot
        stays = is_anchor and self._may_stay(array)
        (self._store.anchored if stays else self._store.loose)[key] = array
        self._store.owners.add(key, array)
        self._store.make_room()

    def _may_stay(self, array: Array) -> bool:
        """Returns whether an array may stay; a view of a larger array would keep all of that alive."""
        return self.weight(array) <= array.nbytes

    def weight(self, array: Array) -> int:
        """Returns how much memory an array keeps alive; arrays of sources weigh nothing. Units: bytes."""
        return self._store.owners.weight(array)

    def give(self, slot: int, array: Array) -> None:
        """Records the array that a source holds, in place of its former one."""
        self._store.owners.give((self._number, slot), array)

    def pass_by(self, slot: int) -> None:
        """Marks the array in a slot as the next to be evicted."""
        if (self._number, slot) in self._store.loose:
            self._store.loose.move_to_end((self._number, slot), last=False)

    def drop(self, slot: int) -> None:
        """Drops an array, if it exists."""
        key = self._number, slot
        self._store.loose.pop(key, None)
        self._store.anchored.pop(key, None)
        self._store.owners.remove(key)

    def take_over(self, slot: int, other: PoolShare, other_slot: int) -> None:
        """Moves an array of another run of the store to this one, if it still exists."""
        array = other.get(other_slot)
        if array is not None:
            other.drop(other_slot)
            self.put(slot, array, is_anchor=False)

    def drop_all(self) -> None:
        """Drops all arrays of the run to make room."""
        self._store.promised.pop(self._number, None)
        for key in [key for key in (*self._store.loose, *self._store.anchored) if key[0] == self._number]:
            self.drop(key[1])

    def leave(self) -> None:
        """Ends the run: drops all of its arrays and records."""
        self.drop_all()
        self._store.owners.forget(self._number)

    @property
    def left(self) -> int:
        """Memory that is reserved for no run. Units: bytes."""
        return self._store.left
