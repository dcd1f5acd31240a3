"""Draws a page from far away: blocks as rectangles of their category, wires as lines, on whole device pixels."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import Rows, rect_boxes, segments
from gradwire.app.canvas.painting.arrays import RectStore, draw_lines, draw_whole_rects
from gradwire.app.canvas.painting.block_problems import has_severity
from gradwire.app.canvas.painting.cache.sprites import Grain
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.wires.far_curves import draw_far_curves
from gradwire.app.canvas.painting.wires.far_wires import FarWires, device_points
from gradwire.app.canvas.painting.wires.wire_painter import with_width
from gradwire.app.canvas.painting.wires.wire_strokes import chosen_rows, groups
from gradwire.app.look.drawing import filled, kept

LINE = 2.0


def draw_far(
    painter: QPainter, mirror: Mirror, look: Look, blocks: Rows, wires: Rows, known: FarWires | None = None
) -> None:
    """Draws some blocks and wires; patterns of wires are kept, their widths are not. `known` saves time."""
    grain = Grain.of(painter)
    with kept(painter):
        painter.setWorldTransform(grain.to_device())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if mirror.is_curved:
            draw_far_curves(painter, mirror, look, wires, grain, max(round(LINE * grain.ratio), 1))
        else:
            _draw_wires(painter, mirror, look, wires, grain, known or FarWires())
        _draw_blocks(painter, mirror, look, blocks, grain)


def _draw_wires(painter: QPainter, mirror: Mirror, look: Look, wires: Rows, grain: Grain, known: FarWires) -> None:
    width = max(round(LINE * grain.ratio), 1)
    pieces = known.find(mirror, wires, grain, width)
    parts = list(groups(mirror, look, wires))
    store, ends = known.joined(_ranks(wires, [group for group, _ in parts]), len(parts))
    start = 0
    for (group, (pen, *_)), end in zip(parts, ends, strict=True):
        if pen.style() is Qt.PenStyle.SolidLine:
            filled(painter, pen.color())
            store.draw(painter, start, end - start)
        else:
            painter.setPen(with_width(pen, width))
            draw_lines(painter, segments(device_points(mirror, group, grain).astype(float)).reshape(-1, 4))
        start = end
    chosen = chosen_rows(mirror, look, wires)
    if chosen:
        filled(painter, look.theme.color("accent"))
        draw_whole_rects(painter, pieces.rects[np.isin(wires[pieces.owners], chosen)])


def _ranks(wires: Rows, groups: list[Rows]) -> Rows:
    """Returns which of some groups each wire is in."""
    found = np.zeros(int(wires.max(initial=-1)) + 1, np.int64)
    for rank, group in enumerate(groups):
        found[group] = rank
    return found[wires]


def _draw_blocks(painter: QPainter, mirror: Mirror, look: Look, blocks: Rows, grain: Grain) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    corners = grain.pixels(rect_boxes(mirror.rects[blocks]).reshape(-1, 2)).reshape(-1, 4)
    corners[:, 2:] = np.maximum(corners[:, 2:], corners[:, :2] + 1)
    codes = mirror.token_codes[blocks]
    # NumPy sorts 16 bits by counting.
    store = RectStore(corners[np.argsort(codes.astype(np.int16), kind="stable")])
    counts = np.bincount(codes, minlength=len(mirror.tokens))
    for token, start, count in zip(mirror.tokens, (np.cumsum(counts) - counts).tolist(), counts.tolist(), strict=True):
        painter.setBrush(look.theme.color(token))
        store.draw(painter, start, count)
    erroneous = frozenset(name for name in mirror.problems if has_severity(mirror, name, "error"))
    for token, names in (("error", erroneous), ("accent", look.selection.blocks)):
        marked = [mirror.rows[name] for name in names if name in mirror.rows]
        if marked:
            painter.setBrush(look.theme.color(token))
            draw_whole_rects(painter, corners[np.isin(blocks, marked)])
