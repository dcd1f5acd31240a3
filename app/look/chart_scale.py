"""Scales of a chart: linear or logarithmic, with ticks, and series reduced to what a pixel column can show."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gradwire.app.look.ticks import ticks
from gradwire.engine.base.runs_of_equals import starts_of_runs
from gradwire.engine.base.tensor_spec import Array

# A logarithmic scale spans at most so many powers of ten below its largest number.
DECADES = 16
# Multiples of powers of ten on a logarithmic axis, the most that have room.
_LOG_STEPS = ((1, 2, 5), (1, 3), (1,))


@dataclass(frozen=True)
class Scale:
    """Span of numbers along an axis; `is_log` counts in powers of ten."""

    low: float
    high: float
    is_log: bool = False

    def share(self, numbers: Array) -> Array:
        """Returns the places of numbers on the axis, 0 at its low end and 1 at its high end."""
        if not self.is_log:
            found: Array = (numbers - self.low) / ((self.high - self.low) or 1.0)
            return found
        with np.errstate(all="ignore"):
            powers = np.log10(np.maximum(numbers, self.low))
        span = math.log10(self.high / self.low) or 1.0
        shares: Array = (powers - math.log10(self.low)) / span
        return shares

    def ticks(self, count: int) -> list[float]:
        """Returns round numbers on the axis, at most about `count`."""
        if not self.is_log:
            return ticks(self.low, self.high, count)
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


def scale_of(series: list[Array], is_log: bool) -> Scale | None:
    """Returns the scale that shows all finite numbers of some series; None if there is none.

    A logarithmic one leaves out what is not above 0; where nothing is, it is linear.
    """
    known = [item[np.isfinite(item)] for item in series]
    numbers = np.concatenate(known) if known else np.zeros(0)
    positive = numbers[numbers > 0]
    if is_log and positive.size:
        high = float(positive.max())
        low = max(float(positive.min()), high * 10.0**-DECADES)
        return Scale(low / 1.25, high * 1.25, True) if low * 1.01 > high else Scale(low, high, True)
    if not numbers.size:
        return None
    low, high = float(numbers.min()), float(numbers.max())
    room = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
    return Scale(low - room, high + room)


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
