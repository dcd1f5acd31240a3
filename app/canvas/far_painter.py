"""Draws a page from far away: blocks as rectangles of their category, wires as lines, on whole device pixels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from app.canvas.arrays import draw_lines, draw_whole_rects
from app.canvas.look import Look
from app.canvas.mirror import Mirror
from app.canvas.page_arrays import Rows
from app.canvas.sprites import Grain
from app.canvas.wire_painter import plain_pen
from app.canvas.wire_strokes import as_rects, chosen_rows, groups

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
    for group, (pen, *_) in _with_chosen(mirror, look, wires):
        points = grain.pixels(mirror.points[group])
        corners = np.concatenate([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 4)
        corners = corners[(corners[:, :2] != corners[:, 2:]).any(axis=1)]
        if pen.style() is Qt.PenStyle.SolidLine:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pen.color())
            draw_whole_rects(painter, as_rects(corners, width))
        else:
            dashed = QPen(pen)
            dashed.setWidthF(width)
            painter.setPen(dashed)
            draw_lines(painter, corners.astype(float))


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
