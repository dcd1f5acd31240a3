"""Draws a page from far away: blocks as rectangles of their category, wires as lines, on whole device pixels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from app.canvas.arrays import RectStore, draw_lines, draw_whole_rects
from app.canvas.far_curves import draw_far_curves
from app.canvas.look import Look
from app.canvas.mirror import Mirror
from app.canvas.page_arrays import Rows
from app.canvas.routing import CORNERS, segments
from app.canvas.sprites import Grain
from app.canvas.wire_painter import plain_pen
from app.canvas.wire_strokes import chosen_rows, groups

LINE = 2.0


class FarWires:
    """The rectangles of some wires from far away, kept while the same wires are seen from the same place."""

    def __init__(self) -> None:
        self._key: object = None
        self._wires: Rows = np.zeros(0, np.int64)
        self._found: tuple[Rows, Rows] = self._wires, self._wires

    def find(self, mirror: Mirror, wires: Rows, grain: Grain, width: int) -> tuple[Rows, Rows]:
        """The rectangles of all the wires, and up to where in them those of each wire go."""
        key = (mirror.geometry, grain, width)
        if key != self._key or not np.array_equal(wires, self._wires):
            self._key, self._wires = key, wires
            self._found = _rects(_device_points(mirror, wires, grain), width)
        return self._found


def draw_far(
    painter: QPainter, mirror: Mirror, look: Look, blocks: Rows, wires: Rows, known: FarWires | None = None
) -> None:
    """Draws some blocks and wires; patterns of wires are kept, their widths are not. `known` saves time."""
    grain = Grain.of(painter)
    painter.save()
    painter.setWorldTransform(grain.to_device())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    if mirror.is_curved:
        draw_far_curves(painter, mirror, look, wires, grain, max(round(LINE * grain.ratio), 1))
    else:
        _draw_wires(painter, mirror, look, wires, grain, known or FarWires())
    _draw_blocks(painter, mirror, look, blocks, grain)
    painter.restore()


def _draw_wires(painter: QPainter, mirror: Mirror, look: Look, wires: Rows, grain: Grain, known: FarWires) -> None:
    width = max(round(LINE * grain.ratio), 1)
    rects, ends = known.find(mirror, wires, grain, width)
    parts = list(_with_chosen(mirror, look, wires))
    pieces, ends = _pieces(ends, wires, [group for group, _ in parts])
    store, start, done = RectStore(rects[pieces]), 0, 0
    for group, (pen, *_) in parts:
        done += len(group)
        end = int(ends[done - 1])
        if pen.style() is Qt.PenStyle.SolidLine:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pen.color())
            store.draw(painter, start, end - start)
        else:
            dashed = QPen(pen)
            dashed.setWidthF(width)
            painter.setPen(dashed)
            draw_lines(painter, segments(_device_points(mirror, group, grain).astype(float)).reshape(-1, 4))
        start = end


def _device_points(mirror: Mirror, wires: Rows, grain: Grain) -> Rows:
    return grain.pixels(mirror.points[wires].reshape(-1, 2)).reshape(-1, CORNERS, 2)


def _pieces(ends: Rows, wires: Rows, groups: list[Rows]) -> tuple[Rows, Rows]:
    """Which rectangles groups of wires have, one after the other, and up to where in those each wire's go."""
    order = np.concatenate(groups) if groups else np.zeros(0, np.int64)
    places = np.zeros(int(wires.max(initial=-1)) + 1, np.int64)
    places[wires] = np.arange(len(wires))
    counts = np.diff(ends, prepend=0)[places[order]]
    found = np.cumsum(counts)
    pieces: Rows = np.repeat(ends[places[order]] - found, counts) + np.arange(counts.sum())
    return pieces, found


def _rects(points: Rows, width: int) -> tuple[Rows, Rows]:
    """The pieces of wires as rectangles left, top, right, bottom, and up to where in them those of each wire go.

    Shapes: `points` (wires, 6, 2); (n, 4) and (wires,).
    """
    x, y = np.ascontiguousarray(points[..., 0]), np.ascontiguousarray(points[..., 1])
    left, right = np.minimum(x[:, :-1], x[:, 1:]), np.maximum(x[:, :-1], x[:, 1:])
    top, bottom = np.minimum(y[:, :-1], y[:, 1:]), np.maximum(y[:, :-1], y[:, 1:])
    # What is shorter than a line is wide is covered by its neighbours; of a wire that is short something must stay.
    seen = (right - left >= width) | (bottom - top >= width)
    seen[:, 0] |= np.abs(x[:, -1] - x[:, 0]) + np.abs(y[:, -1] - y[:, 0]) <= 2 * width
    found: Rows = np.empty((np.count_nonzero(seen), 4), points.dtype)
    found[:, 0], found[:, 1], found[:, 2], found[:, 3] = left[seen], top[seen], right[seen], bottom[seen]
    found[:, :2] -= width // 2
    found[:, 2:] += width - width // 2
    return found, np.cumsum(np.count_nonzero(seen, axis=1))


def _with_chosen(mirror: Mirror, look: Look, wires: Rows) -> Iterator[tuple[Rows, tuple[QPen, ...]]]:
    yield from groups(mirror, look, wires)
    chosen = chosen_rows(mirror, look, wires)
    if chosen:
        yield np.array(chosen), (plain_pen(look.theme, "accent", LINE),)


def _draw_blocks(painter: QPainter, mirror: Mirror, look: Look, blocks: Rows, grain: Grain) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    rects = mirror.rects[blocks]
    corners = np.concatenate([grain.pixels(rects[:, :2]), grain.pixels(rects[:, :2] + rects[:, 2:])], axis=1)
    corners[:, 2:] = np.maximum(corners[:, 2:], corners[:, :2] + 1)
    codes = mirror.token_codes[blocks]
    store = RectStore(corners[np.argsort(codes, kind="stable")])
    counts = np.bincount(codes, minlength=len(mirror.tokens))
    for token, start, count in zip(mirror.tokens, (np.cumsum(counts) - counts).tolist(), counts.tolist(), strict=True):
        painter.setBrush(look.theme.color(token))
        store.draw(painter, start, count)
    erroneous = frozenset(name for name in mirror.problems if mirror.has_error(name))
    for token, names in (("error", erroneous), ("accent", look.selection.blocks)):
        marked = [mirror.rows[name] for name in names if name in mirror.rows]
        if marked:
            painter.setBrush(look.theme.color(token))
            draw_whole_rects(painter, corners[np.isin(blocks, marked)])
