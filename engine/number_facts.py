"""What the arrays of a run hold: whether all is finite, whether anything is zero, and how large the numbers are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.expression import Expression
from engine.plan import Results
from engine.tensor_spec import Array

# Arrays up to this size are looked at together.
_SMALL = 256


class Sizes(NamedTuple):
    """The smallest and the largest absolute value of an array; both are NaN if any element is."""

    least: float
    largest: float

    @property
    def is_finite(self) -> bool:
        """Whether no element is NaN or infinite."""
        return self.largest < np.inf

    @property
    def has_zero(self) -> bool:
        """Whether any element is zero; of an array with a NaN that is not known."""
        return self.least == 0


# An array without elements holds neither a zero nor anything that is not finite.
_EMPTY = Sizes(np.inf, 0.0)


class NumberFacts:
    """The sizes of the numbers in every array of floats of a run, found for all small arrays of a dtype at once."""

    def __init__(self, results: Results) -> None:
        self._slots = results.plan.slots
        self._sizes = dict(_sizes(results.values))

    def of(self, expression: Expression) -> Sizes:
        """The sizes of the numbers of an expression, which has been computed and is of floats."""
        return self._sizes[self._slots[expression]]

    def broken_slots(self) -> set[int]:
        """The slots whose arrays hold NaN or infinity."""
        return {slot for slot, sizes in self._sizes.items() if not sizes.is_finite}


def _sizes(values: list[Array | None]) -> Iterator[tuple[int, Sizes]]:
    small: dict[np.dtype[np.generic], list[tuple[int, Array]]] = {}
    for slot, array in enumerate(values):
        if array is None or array.dtype.kind != "f":
            continue
        if array.size == 0:
            yield slot, _EMPTY
        elif array.size <= _SMALL:
            small.setdefault(array.dtype, []).append((slot, array.ravel()))
        else:
            absolute = np.abs(array)
            yield slot, Sizes(float(absolute.min()), float(absolute.max()))
    for items in small.values():
        slots, arrays = zip(*items, strict=True)
        absolute = np.abs(np.concatenate(arrays))
        starts = np.cumsum([0, *(array.size for array in arrays[:-1])])
        least, largest = (reduced(absolute, starts).tolist() for reduced in (np.minimum.reduceat, np.maximum.reduceat))
        yield from zip(slots, map(Sizes, least, largest), strict=True)
