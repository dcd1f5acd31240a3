"""Lines that help to align what is moved: edges and middles of other blocks, straight wires, equal gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF

from gradwire.app.canvas.geometry.page_arrays import GRID
from gradwire.app.canvas.geometry.routing import Points, rect_boxes

REACH = 6.0
_SAME = 0.5


@dataclass(frozen=True)
class Guide:
    """A line to be shown; one across a gap has ends."""

    line: QLineF
    is_gap: bool = False


@dataclass(frozen=True)
class Candidate:
    """How far to move along an axis to be aligned, and what shows that it is. Units: px of the scene.

    One that does not pull is only shown: middles and far ends of blocks of different sizes lie off the grid.
    """

    offset: float
    lines: tuple[tuple[float, float, float], ...]
    is_gap: bool = False
    pulls: bool = True


@dataclass(frozen=True)
class Surroundings:
    """The things to align with: the other blocks, and the unmoved heights of wires' ends, own one first.

    Shapes: `rects` (n, 4) as left, top, width, height; `wires` (m, 2).
    """

    rects: Points
    wires: Points


Sides = tuple[float, float, float, float]


def aligned(
    rect: QRectF, corner: QPointF, moved: QPointF, around: Surroundings, reach: float
) -> tuple[float, float, list[Guide]]:
    """Returns the offset that aligns `rect`, or moves `corner` to the grid if that is nearer, and the guides.

    `rect` and `corner` are given unmoved, `moved` is how far the pointer went.
    """
    wanted = rect.translated(moved)
    x = _nearest(corner.x() + moved.x(), _across(wanted, around, reach))
    y = _nearest(corner.y() + moved.y(), _down(wanted, around, moved.y(), reach))
    dx, dy = round(moved.x() + x, 6), round(moved.y() + y, 6)
    return dx, dy, _guides(rect.translated(dx, dy), around, dy)


def _nearest(place: float, candidates: Iterator[Candidate]) -> float:
    """Returns the smallest way to the grid or to a candidate; a place is a whole number of px."""
    offsets = [round(place / GRID) * GRID - place, *(item.offset for item in candidates if item.pulls)]
    best = min(offsets, key=abs)
    return round(place + best) - place


def _guides(rect: QRectF, around: Surroundings, dy: float) -> list[Guide]:
    across = [_guide(item, line, is_across=True) for item in _across(rect, around, _SAME) for line in item.lines]
    return across + [_guide(item, line, False) for item in _down(rect, around, dy, _SAME) for line in item.lines]


def _guide(item: Candidate, line: tuple[float, float, float], is_across: bool) -> Guide:
    """Returns a line at one coordinate from and to others; that of a gap runs along the axis, any other across it."""
    at, start, end = line
    lies_flat = is_across == item.is_gap
    return Guide(QLineF(start, at, end, at) if lies_flat else QLineF(at, start, at, end), item.is_gap)


def _across(rect: QRectF, around: Surroundings, reach: float) -> Iterator[Candidate]:
    left, top, right, bottom = rect_boxes(around.rects).T
    mine = (rect.left(), rect.right(), rect.top(), rect.bottom())
    return _candidates(mine, (left, right, top, bottom), reach)


def _down(rect: QRectF, around: Surroundings, dy: float, reach: float) -> Iterator[Candidate]:
    left, top, right, bottom = rect_boxes(around.rects).T
    mine = (rect.top(), rect.bottom(), rect.left(), rect.right())
    yield from _candidates(mine, (top, bottom, left, right), reach)
    for own, other in around.wires.tolist():
        if abs(other - own - dy) <= reach:
            yield Candidate(other - own - dy, ())


def _candidates(mine: Sides, theirs: tuple[Points, Points, Points, Points], reach: float) -> Iterator[Candidate]:
    """Yields the candidates along one axis; blocks are given by their ends along it and their ends across it."""
    start, end, side_start, side_end = mine
    low, high, side_low, side_high = theirs
    # Of blocks that begin alike one line is enough.
    apart = np.abs(low - start) > _SAME
    lines = (
        (start, low, True),
        ((start + end) / 2, np.where(apart, (low + high) / 2, np.nan), False),
        (end, high, False),
    )
    for own, others, pulls in lines:
        for at in np.unique(others[np.abs(others - own) <= reach]).tolist():
            same = others == at
            first, last = float(side_low[same].min()), float(side_high[same].max())
            yield Candidate(at - own, ((at, min(first, side_start), max(last, side_end)),), pulls=pulls)
    beside = (side_low < side_end) & (side_high > side_start)
    for candidate in _gaps(start, end, (side_start + side_end) / 2, low[beside], high[beside]):
        if abs(candidate.offset) <= reach:
            yield candidate


def _gaps(start: float, end: float, at: float, low: Points, high: Points) -> Iterator[Candidate]:
    """Yields places with the gap between two other blocks, or with the same gap on both sides."""
    order = np.argsort(low)
    for (a, b), (c, d) in pairwise(zip(low[order].tolist(), high[order].tolist(), strict=True)):
        gap = c - b
        if gap <= 0:
            continue
        yield Candidate(d + gap - start, ((at, b, c), (at, d, d + gap)), True)
        yield Candidate(a - gap - end, ((at, a - gap, a), (at, b, c)), True)
        room = (gap - (end - start)) / 2
        if room > 0:
            yield Candidate(b + room - start, ((at, b, b + room), (at, c - room, c)), True)
