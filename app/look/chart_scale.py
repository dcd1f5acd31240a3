"""Scales of a chart: linear, logarithmic, or with a place for 0 too; series reduced to what a pixel column can show."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gradwire.app.base.translation import tr
from gradwire.app.look.ticks import ticks
from gradwire.engine.base.runs_of_equals import starts_of_runs
from gradwire.engine.base.tensor_spec import Array

# Multiples of powers of ten on a logarithmic axis, the most that have room.
_LOG_STEPS = ((1, 2, 5), (1, 3), (1,))
# Share of the powers of ten on an axis that 0 keeps away from the smallest number.
GAP = 0.1
LINEAR, LOG, SYMLOG = "linear", "log", "symlog"
MOST = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Scale:
    """Span of numbers along an axis; `is_log` counts in powers of ten.

    With an `unit`, the scale is linear up to this number, and logarithmic beyond: it has a place for 0.
    """

    low: float
    high: float
    is_log: bool = False
    unit: float = 0.0

    @property
    def kind(self) -> str:
        """The name of the scale: linear, log, or symlog."""
        return LINEAR if not self.is_log else SYMLOG if self.unit else LOG

    def share(self, numbers: Array) -> Array:
        """Returns the places of numbers on the axis, 0 at its low end and 1 at its high end."""
        low, high = self._places(np.array([self.low, self.high]))
        return (self._places(np.asarray(numbers, np.float64)) - low) / ((high - low) or 1.0)

    def _places(self, numbers: Array) -> Array:
        if not self.is_log:
            # Halves: the difference of the largest numbers would not be finite.
            return numbers / 2
        with np.errstate(all="ignore"):
            if not self.unit:
                return np.asarray(np.log10(np.maximum(numbers, self.low)))
            powers = np.log10(np.maximum(numbers, self.unit)) - math.log10(self.unit)
            # Below the unit there is room to tell it from 0.
            room = max(1.0, GAP * (math.log10(self.high) - math.log10(self.unit)))
            return np.asarray(powers + room * np.minimum(numbers / self.unit, 1))

    def ticks(self, count: int) -> list[float]:
        """Returns round numbers on the axis, at most about `count`."""
        if not self.is_log:
            return ticks(self.low, self.high, count)
        if self.unit:
            return [0.0, *Scale(min(self.unit, self.high), self.high, True).ticks(count - 1)]
        for steps in _LOG_STEPS:
            found = [number for number in self._multiples(steps) if self.low <= number <= self.high]
            if 2 <= len(found) <= count + 1:
                return found
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        step = max(1, math.ceil((last - first + 1) / max(count, 1)))
        powers = [10.0**power for power in range(first, last + 1, step)]
        # Between two neighbouring powers of ten, even numbers have to do.
        return powers if len(powers) > 1 else ticks(self.low, self.high, count)

    def _multiples(self, steps: tuple[int, ...]) -> list[float]:
        """Returns some multiples of the powers of ten around the scale."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        return [float(f"{step}e{power}") for power in powers for step in steps]


def kind_text(kind: str) -> str:
    """Returns the name of a kind of scale for the user."""
    return {LINEAR: tr("linear"), LOG: tr("log"), SYMLOG: tr("log, with 0")}[kind]


def scale_of(series: list[Array], is_log: bool) -> Scale | None:
    """Returns the scale that shows all finite numbers of some series; None if there is none.

    Where a logarithmic one has to show 0, it has a place for that; where it has to show less, it is linear.
    """
    known = [item[np.isfinite(item)] for item in series]
    numbers = np.concatenate(known) if known else np.zeros(0)
    if not numbers.size:
        return None
    low, high = float(numbers.min()), float(numbers.max())
    if not is_log or low < 0 or high <= 0:
        room = 0.12 * (high / 2 - low / 2) or 0.1 * abs(high) or 1.0
        return Scale(max(low - room, -MOST), min(high + room, MOST))
    least = float(numbers[numbers > 0].min())
    if low == 0:
        return Scale(0.0, high, True, least)
    return Scale(low / 1.25 or low, min(high * 1.25, MOST), True) if low * 1.01 > high else Scale(low, high, True)


def reduced(rounds: Array, numbers: Array, first: float, last: float, columns: int) -> tuple[Array, Array]:
    """Returns a series with at most its extremes in each of so many columns, in the order of rounds.

    Cost: one look at the numbers, and a binary search for each column.
    """
    if rounds.size <= 4 * columns:
        return rounds, numbers
    edges = first + (last - first) / columns * np.arange(columns)
    starts = np.searchsorted(rounds, edges)
    starts = starts[starts_of_runs(starts)]
    starts = starts[starts < rounds.size]
    low, high = np.fmin.reduceat(numbers, starts), np.fmax.reduceat(numbers, starts)
    return np.repeat(rounds[starts], 2), np.stack([low, high], 1).ravel()
