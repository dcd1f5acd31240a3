"""Newest results of a function that makes large arrays, up to a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
LIMIT = 2**28


class Recent(Generic[K, V]):
    """Function whose newest results are kept: as many as fit into the limit, and always the last one.

    Units: `size` gives bytes.
    """

    def __init__(self, make: Callable[[K], V], size: Callable[[V], int], limit: int = LIMIT) -> None:
        self._make, self._size, self._limit = make, size, limit
        self._kept: OrderedDict[K, V] = OrderedDict()

    def __call__(self, key: K) -> V:
        """Returns the result for a key, made anew if it is not kept."""
        found = self._kept.pop(key, None)
        if found is None:
            found = self._make(key)
        self._kept[key] = found
        sizes = {item: self._size(value) for item, value in self._kept.items()}
        total = sum(sizes.values())
        for item in list(self._kept)[:-1]:
            if total > self._limit:
                total -= sizes[item]
                self._kept.pop(item, None)
        return found

    def __len__(self) -> int:
        return len(self._kept)
