"""Roots of zeros as numbers, so that an array says of every element of a gradient where its zero arises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from engine.cause import Cause
from engine.expression import Application, Expression
from engine.gradients import Edge
from engine.tensor_spec import Array

_Key = TypeVar("_Key", bound=Hashable)
_RANKS = {cause: rank for rank, cause in enumerate(Cause, start=1)}
# A code is the rank of a cause above a number: the least code has precedence, and 0 stands for "not zero". All are
# below 2**53, so that steps that only move elements can move codes as float64.
_SHIFT = 40
# The code of zeros whose root could not be worked out: whatever is known has precedence.
UNEXPLAINED = len(_RANKS) + 1 << _SHIFT | 1
_FIRST = 2
# From this number of elements on, codes are packed.
LARGE = 2**16
# Up to this size, counting in Python is faster than sorting in NumPy.
_SMALL = 256


@dataclass(frozen=True)
class Root:
    """Where a zero arises: at `edge`, in the step `step` of its gradient, or in the sum that comes back to `port`."""

    cause: Cause
    edge: Edge | None = None
    step: Application | None = None
    port: Expression | None = None

    @property
    def application(self) -> Application:
        """What the zero is put down to."""
        owner = self.port if self.edge is None else self.edge
        assert owner is not None
        return owner.application


class RootCodes:
    """Gives every root a code, and the root of a code."""

    def __init__(self) -> None:
        self._roots: dict[int, Root] = {}
        self._codes: dict[Root, int] = {}

    def code(self, root: Root) -> int:
        """The code of a root, always the same."""
        if root not in self._codes:
            code = _RANKS[root.cause] << _SHIFT | _FIRST + len(self._codes)
            self._codes[root], self._roots[code] = code, root
        return self._codes[root]

    def root(self, code: int) -> Root | None:
        """The root that has this code; None for `UNEXPLAINED`."""
        return self._roots.get(code)

    @property
    def by_number(self) -> Array:
        """All codes that there are, each at the place that its own number says."""
        return np.array([0, UNEXPLAINED, *self._roots])


class CodeArrays(MutableMapping[_Key, Array | None]):
    """Arrays of codes by what they belong to, None where nothing is zero.

    Of large ones only the numbers of the codes are kept, mostly a byte each, and those that are equal are one: from
    one gradient to the next zeros seldom change.
    """

    def __init__(self, registry: RootCodes) -> None:
        self._registry = registry
        self._kept: dict[_Key, Array | None] = {}
        self._packed: dict[_Key, Array] = {}
        self._newest: Array = np.zeros(0, np.uint8)

    def holds(self, key: _Key) -> bool:
        """Whether there are codes."""
        return self._kept.get(key) is not None or key in self._packed

    def counts(self, key: _Key, marks: Array) -> dict[int, int]:
        """How often each code occurs among the marked elements."""
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
    """How often each code occurs."""
    first = codes.flat[0] if codes.size else 0
    if (codes == first).all():
        return {int(first): codes.size} if first else {}
    if codes.size <= _SMALL:
        return {code: count for code, count in sorted(Counter(codes.ravel().tolist()).items()) if code}
    found, times = np.unique(codes, return_counts=True)
    return {int(code): int(count) for code, count in zip(found, times, strict=True) if code}


def all_zero(parts: Iterable[Array | None], like: Array) -> Array:
    """The codes of a sum, where all parts are zero: of several roots, the one whose cause comes first; else 0."""
    largest = np.iinfo(np.int64).max
    found = np.full(like.shape, largest)
    for part in parts:
        found = np.zeros(like.shape, np.int64) if part is None else np.where(part == 0, 0, np.minimum(found, part))
    return np.where(found == largest, 0, found)
