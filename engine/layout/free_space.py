"""Free space on a page among rectangles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gradwire.engine.base.tensor_spec import Array

Rect = tuple[float, float, float, float]
GAP = 48.0


def smallest_shift(moving: Sequence[Rect], fixed: Sequence[Rect], grid: int, gap: float = GAP / 2) -> tuple[int, int]:
    """Returns the shortest horizontal or vertical shift that moves rectangles off fixed ones.

    Units: px; rectangles as left, top, width, height; the shift is a multiple of `grid`.
    """
    if not moving or not fixed:
        return 0, 0
    a, b = np.array(moving, float), np.array(fixed, float)
    across, down = _blocked(a, b, 0, gap), _blocked(a, b, 1, gap)
    beside, level = (across[0] < 0) & (across[1] > 0), (down[0] < 0) & (down[1] > 0)
    if not (beside & level).any():
        return 0, 0
    right, below = _least(across, level, grid), _least(down, beside, grid)
    return (right, 0) if abs(right) < abs(below) else (0, below)


def _blocked(a: Array, b: Array, axis: int, gap: float) -> tuple[Array, Array]:
    """Returns the interval of shifts along an axis at which each pair of rectangles overlaps.

    Shapes: (len(a), len(b)).
    """
    start, end = a[:, axis, None], a[:, axis, None] + a[:, axis + 2, None]
    return b[:, axis] - gap - end, b[:, axis] + b[:, axis + 2] + gap - start


def _least(blocked: tuple[Array, Array], counts: Array, grid: int) -> int:
    """Returns the shortest shift on the grid, forward or back, outside all intervals."""
    low = np.floor(blocked[0][counts] / grid)
    high = np.ceil(blocked[1][counts] / grid)
    return grid * min(_past(low, high), -_past(-high, -low), key=abs)


def _past(low: Array, high: Array) -> int:
    """Returns the first non-negative integer that lies strictly inside no interval.

    Source: a sweep over the intervals by their beginnings. Cost: O(n log n).
    """
    place = 0
    for index in np.argsort(low, kind="stable"):
        if low[index] >= place:
            break
        place = max(place, int(high[index]))
    return place
