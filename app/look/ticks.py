"""Round numbers for the axes of a plot and for its range."""

from __future__ import annotations

import math

_STEPS = (1.0, 2.0, 5.0)
_POWERS = range(-6, 7)
# 1, 2, 5, 10 and so on, beyond every practical range.
LADDER = tuple(float(f"{step}e{power}") for power in _POWERS for step in _STEPS)


def rung_below(number: float) -> int:
    """Returns the index in `LADDER` of the largest number not above `number`; 0 if there is none."""
    return max((place for place, rung in enumerate(LADDER) if rung <= number), default=0)


def ticks(low: float, high: float, count: int) -> list[float]:
    """Returns multiples of a round number between two others, at most about `count`; none if the range is empty."""
    span = high - low
    if not (math.isfinite(span) and span > 0):
        return []
    rough = span / max(count, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(step * power for step in (*_STEPS, 10.0) if step * power >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]
