"""Integer codes for roots of zeros, so that one array names the root of every element of a gradient."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, MutableMapping
from typing import NamedTuple, TypeVar

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Application, Expression

_Key = TypeVar("_Key", bound=Hashable)
_RANKS = {cause: rank for rank, cause in enumerate(Cause, start=1)}
# A code is the rank of a cause above a number: the least code has precedence, and 0 stands for "not zero". All are
# below 2**53, so that steps that only move elements can move codes as float64.
_SHIFT = 40
# Code of zeros with an unknown root; every known root has precedence.
UNEXPLAINED = len(_RANKS) + 1 << _SHIFT | 1
_FIRST = 2
# From this number of elements on, codes are packed.
LARGE = 2**16
# Up to this size, counting in Python is faster than sorting in NumPy.
_SMALL = 256


class Root(NamedTuple):
    """Root of a zero: an `edge`, the step `step` of its gradient, or the sum of gradients of `port`."""

    cause: Cause
    edge: Edge | None = None
    step: Application | None = None
    port: Expression | None = None

    @property
    def application(self) -> Application:
        """Application that is responsible for the zero."""
        owner = self.port if self.edge is None else self.edge
        assert owner is not None
        return owner.application


class RootCodes:
    """Two-way map between roots and codes."""

    def __init__(self) -> None:
        self._roots: dict[int, Root] = {}
        self._codes: dict[Root, int] = {}

    def code(self, root: Root) -> int:
        """Returns the code of a root, always the same."""
        if root not in self._codes:
            code = _RANKS[root.cause] << _SHIFT | _FIRST + len(self._codes)
            self._codes[root], self._roots[code] = code, root
        return self._codes[root]

    def root(self, code: int) -> Root | None:
        """Returns the root that has this code; None for `UNEXPLAINED`."""
        return self._roots.get(code)

    @property
    def by_number(self) -> Array:
        """All codes, each at the index of its own number."""
        return np.array([0, UNEXPLAINED, *self._roots])


class CodeArrays(MutableMapping[_Key, Array | None]):
    """Arrays of codes by key, None where nothing is zero.

    Of large arrays only the numbers of the codes are kept, mostly one byte each, and consecutive equal arrays are
    shared: from one gradient to the next zeros seldom change.
    """

    def __init__(self, registry: RootCodes) -> None:
        self._registry = registry
        self._kept: dict[_Key, Array | None] = {}
        self._packed: dict[_Key, Array] = {}
        self._newest: Array = np.zeros(0, np.uint8)

    def holds(self, key: _Key) -> bool:
        """Returns whether there are codes."""
        return self._kept.get(key) is not None or key in self._packed

    def counts(self, key: _Key, marks: Array) -> dict[int, int]:
        """Returns the number of marked elements for each code."""
        packed = self._packed.get(key)
        if packed is None:
            codes = self._kept.get(key)
            return {} if codes is None else counts(np.where(marks, codes, 0))
        times = np.bincount(packed[marks])
        found = zip(self._registry.by_number.tolist(), times.tolist(), strict=False)
        return {code: count for code, count in sorted(found) if code and count}

    def __setitem__(self, key: _Key, codes: Array | None) -> None:
        is_large = codes is not None and codes.size > LARGE
        self._kept[key] = None if is_large else codes
        self._packed.pop(key, None)
        if codes is not None and is_large:
            numbers: Array = (codes & ((1 << _SHIFT) - 1)).astype(np.min_scalar_type(len(self._registry.by_number)))
            self._newest = self._newest if np.array_equal(numbers, self._newest) else numbers
            self._packed[key] = self._newest

    def __getitem__(self, key: _Key) -> Array | None:
        packed = self._packed.get(key)
        return self._kept[key] if packed is None else self._registry.by_number[packed]

    def __delitem__(self, key: _Key) -> None:
        del self._kept[key]
        self._packed.pop(key, None)

    def __contains__(self, key: object) -> bool:
        return key in self._kept

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


def counts(codes: Array) -> dict[int, int]:
    """Returns how often each code occurs."""
    first = codes.flat[0] if codes.size else 0
    if (codes == first).all():
        return {int(first): codes.size} if first else {}
    if codes.size <= _SMALL:
        return {code: count for code, count in sorted(Counter(codes.ravel().tolist()).items()) if code}
    found, times = np.unique(codes, return_counts=True)
    return {int(code): int(count) for code, count in zip(found, times, strict=True) if code}


def all_zero(parts: Iterable[Array | None], like: Array) -> Array:
    """Returns the codes of a sum where all parts are zero, else 0; the first cause has precedence."""
    largest = np.iinfo(np.int64).max
    found = np.full(like.shape, largest)
    for part in parts:
        found = np.zeros(like.shape, np.int64) if part is None else np.where(part == 0, 0, np.minimum(found, part))
    return np.where(found == largest, 0, found)
