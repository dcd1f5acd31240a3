"""Breaks of a curve: places between its points where it jumps or has a pole, found by bisection."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

# A change is suspicious if it exceeds the median change so much; so many of the largest are looked into.
SUSPICIOUS, LOOKED_INTO = 4.0, 3
# After so many halvings a continuous curve has shrunk the change to a small part; a jump keeps a good
# part of it, even where its height lies in two halves, as of Sign.
HALVINGS, KEPT = 40, 0.25
# The curve is given up as continuous as soon as the change has shrunk to this share.
SHRUNK = 0.05


def find_breaks(
    places: Sequence[float], losses: Sequence[float], loss_at: Callable[[float], float], end: float = math.inf
) -> tuple[float, ...]:
    """Returns the places where a curve jumps or has a pole; none that could not be proven until `end`.

    `end` is a time of `time.perf_counter`. Cost: at most 40 losses for each of the 3 largest changes.
    """
    pairs = [
        (abs(after[1] - before[1]), before, after)
        for before, after in pairwise(zip(places, losses, strict=True))
        if math.isfinite(before[1]) and math.isfinite(after[1])
    ]
    if len(pairs) < 3:
        return ()
    usual = float(np.median([change for change, *_ in pairs]))
    largest = sorted(pairs, key=lambda pair: -pair[0])[:LOOKED_INTO]
    found = (
        _break_between(before, after, loss_at, end)
        for change, before, after in largest
        if change > max(SUSPICIOUS * usual, 1e-12 * max(abs(before[1]), abs(after[1])))
    )
    return tuple(sorted(place for place in found if place is not None))


def _break_between(
    low: tuple[float, float], high: tuple[float, float], loss_at: Callable[[float], float], end: float
) -> float | None:
    """Returns the place of a break between two points of a curve; None if the curve is continuous there."""
    first = abs(high[1] - low[1])
    for _ in range(HALVINGS):
        if time.perf_counter() > end:
            return None
        middle = (low[0] + high[0]) / 2
        if middle in (low[0], high[0]):
            break
        loss = loss_at(middle)
        if not math.isfinite(loss):
            return middle
        left, right = abs(loss - low[1]), abs(high[1] - loss)
        low, high = (low, (middle, loss)) if left >= right else ((middle, loss), high)
        if max(left, right) < SHRUNK * first:
            return None
    return (low[0] + high[0]) / 2 if abs(high[1] - low[1]) > KEPT * first else None
