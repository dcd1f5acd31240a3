"""Room for the large arrays of a run, and of those beside it: what was used last is kept, whichever run it is of."""

from __future__ import annotations

import itertools
from collections import OrderedDict

from engine.owners import Key, Owners
from engine.tensor_spec import Array


class Store:
    """The memory that the large arrays of some runs may take altogether.

    Units: bytes.
    """

    def __init__(self, budget: int) -> None:
        self.budget, self.owners = budget, Owners()
        # What may go, that which was used last at the end; and what stays as long as its run has anchors.
        self.loose: OrderedDict[Key, Array] = OrderedDict()
        self.anchored: dict[Key, Array] = {}
        # What the anchors of each run take. A run that has none yet, or no more, takes them anew when it computes.
        self.promised: dict[int, int] = {}
        self._numbers = itertools.count()

    def share(self) -> Share:
        """A share for one more run: as it is at work now, all others hold on to nothing."""
        self.loose = OrderedDict(self.anchored | self.loose)
        self.anchored, self.promised = {}, {}
        return Share(self, next(self._numbers))

    @property
    def left(self) -> int:
        """What is promised to no run."""
        return self.budget - sum(self.promised.values())

    def make_room(self) -> None:
        """Lets go what was used longest ago, if more is there than there is room for."""
        while self.owners.size > self.budget and len(self.loose) > 1:
            key, _ = self.loose.popitem(last=False)
            self.owners.remove(key)


class Share:
    """What one run has in a store, by its slots."""

    def __init__(self, store: Store, number: int) -> None:
        self._store, self._number = store, number

    @property
    def size(self) -> int:
        """What all runs of the store have there. Units: bytes."""
        return self._store.owners.size

    @property
    def has_anchors(self) -> bool:
        """Whether the run has been promised room for anchors."""
        return self._number in self._store.promised

    def anchor(self, slots: frozenset[int], size: int) -> None:
        """Promises room for the arrays in some slots, which stay from now on. Units: `size` in bytes."""
        store = self._store
        store.promised[self._number] = size
        for key in [(self._number, slot) for slot in slots]:
            if key in store.loose and self._may_stay(store.loose[key]):
                store.anchored[key] = store.loose.pop(key)

    def __contains__(self, slot: int) -> bool:
        key = self._number, slot
        return key in self._store.loose or key in self._store.anchored

    def get(self, slot: int) -> Array | None:
        """The array in a slot if it is still there, which uses it."""
        loose, key = self._store.loose, (self._number, slot)
        if key in loose:
            loose.move_to_end(key)
            return loose[key]
        return self._store.anchored.get(key)

    def put(self, slot: int, array: Array, is_anchor: bool) -> None:
        """Keeps an array, for good or until something else needs the room."""
        key = self._number, slot
        stays = is_anchor and self._may_stay(array)
        (self._store.anchored if stays else self._store.loose)[key] = array
        self._store.owners.add(key, array)
        self._store.make_room()

    def _may_stay(self, array: Array) -> bool:
        """A part of a larger array would keep the whole of it."""
        return self.weight(array) <= array.nbytes

    def weight(self, array: Array) -> int:
        """How much memory an array keeps; what sources hold weighs nothing. Units: bytes."""
        return self._store.owners.weight(array)

    def give(self, slot: int, array: Array) -> None:
        """Takes note of what a source holds, instead of what it held before."""
        self._store.owners.give((self._number, slot), array)

    def pass_by(self, slot: int) -> None:
        """What is in a slot is not needed soon: it goes first."""
        if (self._number, slot) in self._store.loose:
            self._store.loose.move_to_end((self._number, slot), last=False)

    def drop(self, slot: int) -> None:
        """Lets an array go, if it is there."""
        key = self._number, slot
        self._store.loose.pop(key, None)
        self._store.anchored.pop(key, None)
        self._store.owners.remove(key)

    def take_over(self, slot: int, other: Share, other_slot: int) -> None:
        """Has from now on what another run of the store had, if that is still there."""
        array = other.get(other_slot)
        if array is not None:
            other.drop(other_slot)
            self.put(slot, array, is_anchor=False)

    def drop_all(self) -> None:
        """Lets all arrays go; something else needs the room."""
        self._store.promised.pop(self._number, None)
        for key in [key for key in (*self._store.loose, *self._store.anchored) if key[0] == self._number]:
            self.drop(key[1])

    def leave(self) -> None:
        """The run is over: nothing of it is wanted any more."""
        self.drop_all()
        self._store.owners.forget(self._number)

    @property
    def left(self) -> int:
        """What is promised to no run. Units: bytes."""
        return self._store.left
