"""Schedules: the rate of a rule as a function of the round.

Source: Keras's ExponentialDecay and CosineDecay, PyTorch's OneCycleLR.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

KINDS = ("step", "exponential", "cosine", "warmup", "list", "one_cycle")


@dataclass(frozen=True)
class Schedule:
    """Rate that may change from round to round; `kind` is "" for a fixed one.

    `numbers` stand as in the file, the pairs of a list one after the other; `then` follows a warm-up.
    """

    kind: str
    numbers: tuple[float, ...]
    then: Schedule | None = None

    def at(self, n: int) -> float:
        """Returns the rate in round n, counted from 0."""
        if not self.kind:
            return self.numbers[0]
        if self.kind == "list":
            return _listed(self.numbers, n)
        if self.kind == "one_cycle":
            return _one_cycle(n, *self.numbers)
        if self.kind == "warmup":
            return self._warming_up(n, *self.numbers)
        return _decayed(self.kind, n, *self.numbers)

    def _warming_up(self, n: int, first: float, rounds: float) -> float:
        assert self.then is not None
        if n >= rounds:
            return self.then.at(n - int(rounds))
        return first + (self.then.at(0) - first) * n / rounds


def fixed(rate: float) -> Schedule:
    """Returns the schedule of a rate that stays."""
    return Schedule("", (rate,))


def _listed(numbers: tuple[float, ...], n: int) -> float:
    return [rate for start, rate in zip(numbers[::2], numbers[1::2], strict=True) if start <= n][-1]


def _decayed(kind: str, n: int, first: float, a: float, b: float) -> float:
    if kind == "step":
        return first * _power(b, math.floor(n / a))
    if kind == "exponential":
        return first * _power(b, n / a)
    return a + (first - a) * (1 + math.cos(math.pi * min(n, b) / b)) / 2


def _power(base: float, exponent: float) -> float:
    """Returns a power; infinity beyond all numbers, with which the training stops."""
    try:
        return float(base**exponent)
    except OverflowError:
        return math.inf


def _one_cycle(n: int, top: float, rounds: float) -> float:
    start = top / 25
    end, peak = start / 10000, 0.3 * rounds - 1
    if n <= peak:
        return top + (start - top) * (1 + math.cos(math.pi * n / peak)) / 2
    share = (min(n, rounds - 1) - peak) / (rounds - 1 - peak)
    return end + (top - end) * (1 + math.cos(math.pi * share)) / 2
