"""The straight pieces of wires from far away, on whole device pixels; those that lie upon each other are joined."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.canvas.mirror import Mirror
from app.canvas.page_arrays import Rows
from app.canvas.routing import CORNERS
from app.canvas.sprites import Grain

# Beyond this nothing is seen: what Qt draws is at most so far away.
REACH = 32_000
_SPAN = 4 * REACH


class Pieces(NamedTuple):
    """Pieces of wires as rectangles left, top, right, bottom, line by line and along each line.

    `owners` are the places of their wires among those asked for, `lines` numbers that count up from line to line,
    `starts` and `ends` from where to where on its line each piece goes.
    """

    rects: Rows
    owners: Rows
    lines: Rows
    starts: Rows
    ends: Rows


class FarWires:
    """The pieces of some wires from far away, kept while the same wires are seen from the same place."""

    def __init__(self) -> None:
        self._key: object = None
        self._wires: Rows = np.zeros(0, np.int64)
        self._found = _pieces(np.zeros((0, CORNERS, 2), np.int64), 1)

    def find(self, mirror: Mirror, wires: Rows, grain: Grain, width: int) -> Pieces:
        """The pieces of some wires, each so wide."""
        key = (mirror.geometry, grain, width)
        if key != self._key or not np.array_equal(wires, self._wires):
            self._key, self._wires = key, wires
            self._found = _pieces(device_points(mirror, wires, grain), width)
        return self._found


def device_points(mirror: Mirror, wires: Rows, grain: Grain) -> Rows:
    """The corners of wires in device pixels. Shapes: (wires, 6, 2)."""
    return grain.pixels(mirror.points[wires].reshape(-1, 2)).reshape(-1, CORNERS, 2)


def joined(pieces: Pieces, ranks: Rows, count: int) -> tuple[Rows, list[int]]:
    """The pieces by the ranks of their wires, where what covers each other is one; and up to where each rank goes.

    A wire that others run along costs nothing: seen from far away most of them do.
    Shapes: `ranks` (wires,) below `count`; (n, 4) and (count,).
    """
    own = ranks[pieces.owners]
    # NumPy sorts 16 bits by counting.
    order = np.argsort(own.astype(np.int16), kind="stable")
    own, lines, rects = own[order], pieces.lines[order], pieces.rects[order]
    is_other = np.ones(len(order), bool)
    is_other[1:] = (lines[1:] != lines[:-1]) | (own[1:] != own[:-1])
    # Each line of each rank begins beyond where all before it end.
    offsets = np.cumsum(is_other) * _SPAN
    reach = np.maximum.accumulate(pieces.ends[order] + offsets)
    is_first = np.ones(len(order), bool)
    is_first[1:] = pieces.starts[order][1:] + offsets[1:] > reach[:-1]
    firsts = np.flatnonzero(is_first)
    found = rects[firsts]
    if len(firsts):
        found[:, 2:] = np.maximum.reduceat(rects[:, 2:], firsts, axis=0)
    return found, np.searchsorted(own[firsts], np.arange(count), side="right").tolist()


def _pieces(points: Rows, width: int) -> Pieces:
    x, y = np.ascontiguousarray(points[..., 0]), np.ascontiguousarray(points[..., 1])
    left, right = np.minimum(x[:, :-1], x[:, 1:]), np.maximum(x[:, :-1], x[:, 1:])
    top, bottom = np.minimum(y[:, :-1], y[:, 1:]), np.maximum(y[:, :-1], y[:, 1:])
    # What is shorter than a line is wide is covered by its neighbours; of a wire that is short something must stay.
    seen = (right - left >= width) | (bottom - top >= width)
    seen[:, 0] |= np.abs(x[:, -1] - x[:, 0]) + np.abs(y[:, -1] - y[:, 0]) <= 2 * width
    is_upright = left[seen] == right[seen]
    rects: Rows = np.stack([left[seen], top[seen], right[seen], bottom[seen]], axis=1).astype(np.int64)
    rects[:, :2] -= width // 2
    rects[:, 2:] += width - width // 2
    np.clip(rects, -REACH, REACH, out=rects)
    return _in_lines(rects, np.nonzero(seen)[0], is_upright)


def _in_lines(rects: Rows, owners: Rows, is_upright: Rows) -> Pieces:
    across = np.where(is_upright, rects[:, 0], rects[:, 1] + _SPAN)
    along, end = np.where(is_upright, rects[:, 1], rects[:, 0]), np.where(is_upright, rects[:, 3], rects[:, 2])
    order = np.argsort(across * _SPAN + along)
    return Pieces(rects[order], owners[order], across[order], along[order], end[order])
