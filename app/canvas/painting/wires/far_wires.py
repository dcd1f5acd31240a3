"""The straight pieces of wires from far away, on whole device pixels; those that lie upon each other are joined."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import CORNERS, Rows
from gradwire.app.canvas.painting.arrays import RectStore
from gradwire.app.canvas.painting.cache.sprites import Grain

# Beyond this nothing is seen: what Qt draws is at most so far away.
REACH = 32_000
# Places along a line, and level and upright lines, have numbers below these.
_PLACES = 2**17
_LINES = 2**18


class Pieces(NamedTuple):
    """Pieces of wires as rectangles left, top, right, bottom, line by line and along each line.

    `owners` are the places of their wires among those asked for. `starts` and `ends` say where on all the lines, as
    if these were laid end to end, a piece goes.
    """

    rects: Rows
    owners: Rows
    starts: Rows
    ends: Rows


class FarWires:
    """The pieces of some wires from far away, kept while the same wires are seen from the same place."""

    def __init__(self) -> None:
        self._key: object = None
        self._wires = self._ranks = np.zeros(0, np.int64)
        self._found = _pieces(np.zeros((0, CORNERS, 2), np.int64), 1)
        self._joined: tuple[RectStore, list[int]] | None = None

    def find(self, mirror: Mirror, wires: Rows, grain: Grain, width: int) -> Pieces:
        """Returns the pieces of some wires, each so wide."""
        key = (mirror.geometry, grain, width)
        if key != self._key or not np.array_equal(wires, self._wires):
            self._key, self._wires, self._joined = key, wires, None
            self._found = _pieces(device_points(mirror, wires, grain), width)
        return self._found

    def joined(self, ranks: Rows, count: int) -> tuple[RectStore, list[int]]:
        """Returns the pieces that were found last, ordered by the ranks of their wires, and the end of each rank."""
        if self._joined is None or not np.array_equal(ranks, self._ranks):
            rects, ends = joined(self._found, ranks, count)
            self._ranks, self._joined = ranks, (RectStore(rects), ends)
        return self._joined


def device_points(mirror: Mirror, wires: Rows, grain: Grain) -> Rows:
    """Returns the corners of wires in device pixels. Shapes: (wires, 6, 2)."""
    return grain.pixels(mirror.points[wires].reshape(-1, 2)).reshape(-1, CORNERS, 2)


def joined(pieces: Pieces, ranks: Rows, count: int) -> tuple[Rows, list[int]]:
    """Returns the pieces by the ranks of their wires, joined where they overlap, and each rank's end.

    A wire that others run along costs nothing: seen from far away most of them do.
    Shapes: `ranks` (wires,) below `count`; (n, 4) and (count,).
    """
    own = ranks[pieces.owners]
    # NumPy sorts 16 bits by counting.
    order = np.argsort(own.astype(np.int16), kind="stable")
    laid = own[order] * (_LINES * _PLACES)
    starts, reach = pieces.starts[order] + laid, np.maximum.accumulate(pieces.ends[order] + laid)
    firsts = np.flatnonzero(starts[1:] > reach[:-1]) + 1
    firsts = np.concatenate([np.zeros(min(len(order), 1), np.int64), firsts])
    lasts = np.append(firsts[1:], len(order))[: len(firsts)] - 1
    found = pieces.rects[order[firsts]]
    _lengthen(found, pieces.starts[order[firsts]], reach[lasts] % _PLACES - REACH)
    return found, np.searchsorted(laid[firsts], np.arange(count) * (_LINES * _PLACES), side="right").tolist()


def _lengthen(rects: Rows, starts: Rows, ends: Rows) -> None:
    is_upright = starts < _PLACES * _PLACES
    rects[is_upright, 3] = ends[is_upright]
    rects[~is_upright, 2] = ends[~is_upright]


def _pieces(points: Rows, width: int) -> Pieces:
    x, y = np.ascontiguousarray(points[..., 0]), np.ascontiguousarray(points[..., 1])
    left, right = np.minimum(x[:, :-1], x[:, 1:]), np.maximum(x[:, :-1], x[:, 1:])
    top, bottom = np.minimum(y[:, :-1], y[:, 1:]), np.maximum(y[:, :-1], y[:, 1:])
    # A piece shorter than a line is wide is covered by its neighbours; of a short wire something must stay.
    seen = (right - left >= width) | (bottom - top >= width)
    seen[:, 0] |= np.abs(x[:, -1] - x[:, 0]) + np.abs(y[:, -1] - y[:, 0]) <= 2 * width
    is_upright = left[seen] == right[seen]
    rects: Rows = np.stack([left[seen], top[seen], right[seen], bottom[seen]], axis=1).astype(np.int64)
    rects[:, :2] -= width // 2
    rects[:, 2:] += width - width // 2
    np.clip(rects, -REACH, REACH, out=rects)
    return _in_lines(rects, np.nonzero(seen)[0], is_upright)


def _in_lines(rects: Rows, owners: Rows, is_upright: Rows) -> Pieces:
    line = np.where(is_upright, rects[:, 0], rects[:, 1] + _PLACES) + REACH
    along, end = np.where(is_upright, rects[:, 1], rects[:, 0]), np.where(is_upright, rects[:, 3], rects[:, 2])
    starts = line * _PLACES + (along + REACH)
    order = np.argsort(starts)
    return Pieces(rects[order], owners[order], starts[order], (line * _PLACES + (end + REACH))[order])
