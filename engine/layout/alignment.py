"""Positions that align blocks with each other or distribute them with equal gaps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from gradwire.engine.layout.free_space import Rect

Side = Literal["left", "centre", "right", "top", "middle", "bottom"]
Axis = Literal["across", "down"]
Corner = tuple[int, int]
# For each side: the axis, and the fraction of a rectangle's extent along it at which its line runs.
_LINES: dict[Side, tuple[int, float]] = {
    "left": (0, 0.0),
    "centre": (0, 0.5),
    "right": (0, 1.0),
    "top": (1, 0.0),
    "middle": (1, 0.5),
    "bottom": (1, 1.0),
}


def aligned(rects: Mapping[str, Rect], side: Side) -> dict[str, Corner]:
    """Returns the corners of rectangles with one side aligned with the outermost one, or with centres aligned.

    Units: px; rectangles as left, top, width, height.
    """
    axis, share = _LINES[side]
    low = min((rect[axis] for rect in rects.values()), default=0.0)
    high = max((rect[axis] + rect[axis + 2] for rect in rects.values()), default=0.0)
    line = low + share * (high - low)
    return {name: _moved(rect, axis, line - share * rect[axis + 2]) for name, rect in rects.items()}


def distributed(rects: Mapping[str, Rect], axis: Axis) -> dict[str, Corner]:
    """Returns the corners of rectangles after making the gaps between them equal; the outermost two stay.

    Units: px; rectangles as left, top, width, height.
    """
    at = 0 if axis == "across" else 1
    order = sorted(rects, key=lambda name: (rects[name][at] + rects[name][at + 2] / 2, name))
    if len(order) < 3:
        return {name: _moved(rect, at, rect[at]) for name, rect in rects.items()}
    first, last = rects[order[0]], rects[order[-1]]
    inner = sum(rects[name][at + 2] for name in order[1:-1])
    gap = (last[at] - first[at] - first[at + 2] - inner) / (len(order) - 1)
    found, place = {}, first[at]
    for name in order[:-1]:
        found[name] = _moved(rects[name], at, place)
        place += rects[name][at + 2] + gap
    found[order[-1]] = _moved(last, at, last[at])
    return found


def _moved(rect: Rect, axis: int, place: float) -> Corner:
    x, y = (place, rect[1]) if axis == 0 else (rect[0], place)
    return round(x), round(y)
