"""Draws a page from far away: blocks as rectangles of their category, wires as lines, on whole device pixels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from app.canvas.arrays import RectStore, draw_lines, draw_whole_rects
from app.canvas.look import Look
from app.canvas.mirror import Mirror
from app.canvas.page_arrays import Rows
from app.canvas.routing import CORNERS, segments
from app.canvas.sprites import Grain
from app.canvas.wire_painter import plain_pen
from app.canvas.wire_strokes import chosen_rows, groups

LINE = 2.0


def draw_far(painter: QPainter, mirror: Mirror, look: Look, blocks: Rows, wires: Rows) -> None:
    """Draws some blocks and wires; patterns of wires are kept, their widths are not."""
    grain = Grain.of(painter)
    painter.save()
    painter.setWorldTransform(grain.to_device())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    _draw_wires(painter, mirror, look, wires, grain)
    _draw_blocks(painter, mirror, look, blocks, grain)
    painter.restore()


def _draw_wires(painter: QPainter, mirror: Mirror, look: Look, wires: Rows, grain: Grain) -> None:
    width = max(round(LINE * grain.ratio), 1)
    parts = list(_with_chosen(mirror, look, wires))
    points = [grain.pixels(mirror.points[group].reshape(-1, 2)).reshape(-1, CORNERS, 2) for group, _ in parts]
    rects, ends = _rects(np.concatenate(points) if points else np.zeros((0, CORNERS, 2), np.int32), width)
    store, start, done = RectStore(rects), 0, 0
    for corners, (group, (pen, *_)) in zip(points, parts, strict=True):
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
            draw_lines(painter, segments(corners.astype(float)).reshape(-1, 4))
        start = end


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
    for code, token in enumerate(mirror.tokens):
        painter.setBrush(look.theme.color(token))
        draw_whole_rects(painter, corners[codes == code])
    erroneous = frozenset(name for name in mirror.problems if mirror.has_error(name))
    for token, names in (("error", erroneous), ("accent", look.selection.blocks)):
        marked = [mirror.rows[name] for name in names if name in mirror.rows]
        painter.setBrush(look.theme.color(token))
        draw_whole_rects(painter, corners[np.isin(blocks, marked)])
