"""Integer codes for roots of zeros, so that one array names the root of every element of a gradient."""

from __future__ import annotations

import functools
from array import array as numbers
from collections.abc import Callable, Hashable, Iterable, Iterator, MutableMapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.tensor_spec import Array, Shape
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Application, Expression

_Key = TypeVar("_Key", bound=Hashable)
Code = np.unsignedinteger[Any]
_RANKS = {cause: rank for rank, cause in enumerate([*Cause, None])}
# Code of zeros with an unknown root; every known root has precedence. 0 stands for "not zero".
UNEXPLAINED = np.uint8(1)
# The precedence of a code is the rank of its cause above the code itself: the least one comes first.
_SHIFT = 40
# From this number of elements on, equal arrays are shared.
LARGE = 2**16
# Up to this size one pass counts all codes; in larger arrays, so many codes are counted one by one, ten times as fast.
_SMALL, _FEW = 2**10, 16


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
    """Two-way map between roots and codes: consecutive numbers, each in the narrowest dtype that holds it.

    An array of codes is as narrow, mostly one byte an element. Masks select from it by products: NumPy's `where` takes
    twenty times as long where zeros are scattered, since processors cannot predict them.
    """

    def __init__(self) -> None:
        self._roots: list[Root | None] = [None, None]
        self._codes: dict[Root, Code] = {}
        self._precedence = numbers("q", [0, _RANKS[None] << _SHIFT | int(UNEXPLAINED)])

    def code(self, root: Root) -> Code:
        """Returns the code of a root, always the same."""
        if root not in self._codes:
            number = len(self._roots)
            self._codes[root] = np.min_scalar_type(number).type(number)
            self._roots.append(root)
            self._precedence.append(_RANKS[root.cause] << _SHIFT | number)
        return self._codes[root]

    def root(self, code: int) -> Root | None:
        """Returns the root that has this code; None for `UNEXPLAINED`."""
        return self._roots[code]

    def by_precedence(self, codes: Iterable[int]) -> list[int]:
        """Returns codes in the order of their causes, and of the same cause the first one first."""
        return sorted(codes, key=self._precedence.__getitem__)

    def all_zero(self, parts: Sequence[Array | None], shape: Shape) -> Array:
        """Returns the codes of a sum where all parts are zero, else 0; the first cause has precedence."""
        known = [part for part in parts if part is not None]
        if not known or len(known) < len(parts):
            return np.zeros(shape, np.uint8)
        if all(part is known[0] for part in known):
            return known[0]
        at = np.asarray(functools.reduce(np.logical_and, known))
        found = at.astype(np.result_type(*known))
        if at.any():
            precedence = np.frombuffer(self._precedence, np.int64)
            first = functools.reduce(np.minimum, [precedence[part[at]] for part in known])
            found[at] = first & ((1 << _SHIFT) - 1)
        return found

    def of_numbers(self, moved: Array) -> Array:
        """Returns the codes that a step has moved as floats; `UNEXPLAINED` everywhere if they are none."""
        sizes = np.abs(moved)
        largest = float(sizes.max(initial=0))
        if not largest < len(self._roots):
            return np.full(moved.shape, UNEXPLAINED)
        return sizes.astype(np.min_scalar_type(int(largest)))


class CodeArrays(MutableMapping[_Key, Array | None]):
    """Arrays of codes by key, None where nothing is zero.

    Large arrays are shared if they equal the one before: from one gradient to the next zeros seldom change.
    """

    def __init__(self) -> None:
        self._kept: dict[_Key, Array | None] = {}
        self._newest: Array = np.zeros(0, np.uint8)

    def holds(self, key: _Key) -> bool:
        """Returns whether there are codes."""
        return self._kept.get(key) is not None

    def __setitem__(self, key: _Key, codes: Array | None) -> None:
        if codes is not None and codes.size > LARGE and codes is not self._newest:
            self._newest = self._newest if np.array_equal(codes, self._newest) else codes
            codes = self._newest
        self._kept[key] = codes

    def __getitem__(self, key: _Key) -> Array | None:
        return self._kept[key]

    def __delitem__(self, key: _Key) -> None:
        del self._kept[key]

    def __contains__(self, key: object) -> bool:
        return key in self._kept

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


def completed(codes: Array | None, zeros: Array, rest: Callable[[], Code]) -> Array:
    """Returns the codes of zeros, that of `rest` where there is none, and 0 where nothing is zero."""
    if codes is None:
        return np.asarray(zeros * rest())
    missing = zeros & (codes == 0)
    return np.asarray(codes * zeros + missing * rest() if missing.any() else codes * zeros)


def marked(codes: Array, marks: Array, code: Code) -> Array:
    """Returns codes with one of them at the marked elements."""
    return np.asarray(codes * ~marks + marks * code)


def counts(codes: Array) -> dict[int, int]:
    """Returns how often each code occurs."""
    found: dict[int, int] = {}
    while codes.size > _SMALL and len(found) < _FEW and (code := codes.max()):
        marks = codes == code
        found[int(code)] = int(np.count_nonzero(marks))
        codes = codes * ~marks
    if codes.size <= _SMALL or len(found) == _FEW:
        times = enumerate(np.bincount(codes.ravel()).tolist())
        found |= {code: count for code, count in times if code and count}
    return found
