"""A tensor for display, with its cached reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from gradwire.app.live.readings.readings import Reading, reading_of
from gradwire.engine.base.tensor_spec import Array


@dataclass(frozen=True, eq=False)
class Shown:
    """One tensor with its name; `array` is None if it is unknown."""

    name: str
    array: Array | None
    is_gradient: bool = False


@dataclass(frozen=True, eq=False)
class Part(Shown):
    """A tensor for display, with its cached reading."""

    reading: Reading | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the tensor; a scalar's shape if it is unknown."""
        return () if self.array is None else self.array.shape

    @property
    def size(self) -> int:
        """The number of elements; 0 if the tensor is unknown."""
        return 0 if self.array is None else self.array.size

    @property
    def top(self) -> float:
        """The largest magnitude of a finite element."""
        return 0.0 if self.reading is None else max(abs(self.reading.low), abs(self.reading.high))

    @property
    def token(self) -> str:
        """The colour token of its name and line."""
        return "grad.text" if self.is_gradient else "value"

    def sliced(self, index: Sequence[int], kept: int) -> Part:
        """Returns the last `kept` axes at an index along the others; empty if one of the others is empty."""
        if self.array is None or self.array.ndim <= kept:
            return self
        is_empty = 0 in self.array.shape[:-kept]
        array = np.zeros((0,) * (kept - 1) + self.array.shape[-1:]) if is_empty else self.array[tuple(index)]
        return replace(self, array=array)


NO_PART = Part("", None)
Number = TypeVar("Number", float, np.ndarray[Any, np.dtype[np.float64]])


def share_between(number: Number, low: float, high: float) -> Number:
    """Returns the positions of numbers along an axis, 0 at its low end and 1 at its high end.

    Halved first, as the difference of the ends may overflow; that of two neighbours of 0 vanishes.
    """
    return (number / 2 - low / 2) / ((high / 2 - low / 2) or 1.0)


def part_of(shown: Shown) -> Part:
    """Returns the tensor with its reading."""
    reading = None if shown.array is None else reading_of(shown.array)
    return Part(shown.name, shown.array, shown.is_gradient, reading)
