"""Draws many wires of a screen straight from memory, in their order, each over those below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.canvas.arrays import LineStore, draw_lines, draw_whole_rects
from app.canvas.look import Level, Look, Overlay
from app.canvas.mirror import Mirror
from app.canvas.page_arrays import Rows
from app.canvas.routing import Points, rounded_pieces
from app.canvas.sprites import Grain
from app.canvas.wire_painter import WirePainter, flow_pens
from app.live.readings import STATUS_ROW
from engine.status import Status

# Into how many straight pieces a bend is cut: enough that none is longer than 2 px or so on the screen.
CHORDS = {Level.SHAPE: 2, Level.COMPACT: 4, Level.FULL: 6, Level.DETAIL: 12}
WIDEST = 10.0
BUCKETS, BROKEN = 8, 999
FLOW = STATUS_ROW[Status.FLOW]


def draw_strokes(painter: QPainter, mirror: Mirror, look: Look, area: QRectF, rows: list[int]) -> None:
    """Draws wires one after the other, with casing, pipe and core."""
    if not rows:
        return
    wires = WirePainter(painter, mirror, look)
    pieces = rounded_pieces(mirror.points[rows], CHORDS[look.level])
    seen = _seen(pieces, area)
    counts = seen.sum(axis=1)
    starts = np.cumsum(counts) - counts
    store = LineStore(pieces[seen])
    for index, (row, start, count) in enumerate(zip(rows, starts.tolist(), counts.tolist(), strict=True)):
        for pen in wires.strokes(row) if count else ():
            painter.setPen(pen)
            if pen.style() is Qt.PenStyle.SolidLine:
                store.draw(painter, start, count)
            else:
                # Dashes are counted from where the wire starts, seen or not.
                draw_lines(painter, pieces[index])
        wires.draw_signs(row)


def draw_in_groups(painter: QPainter, mirror: Mirror, look: Look, area: QRectF, rows: Rows) -> None:
    """Draws wires without casing, those of one look in one call: what is far away has no crossings to be read."""
    grain = Grain.of(painter)
    for group, pens in groups(mirror, look, rows):
        pieces = rounded_pieces(mirror.points[group], CHORDS[look.level])
        seen = pieces[_seen(pieces, area)]
        outermost = _whole_width(pens[0], grain)
        for pen in pens:
            width = _whole_width(pen, grain)
            # Of one parity, or the strokes of a wire would not have one middle.
            width -= (outermost - width) % 2
            made = QPen(pen)
            made.setWidthF(width / grain.scale)
            painter.setPen(made)
            if pen.style() is Qt.PenStyle.SolidLine:
                _draw_solid(painter, seen, width, grain)
            else:
                draw_lines(painter, pieces.reshape(-1, 4))
    draw_strokes(painter, mirror, look, area, chosen_rows(mirror, look, rows))


def _whole_width(pen: QPen, grain: Grain) -> int:
    """How wide a stroke is in whole device pixels, at least 2 px of the screen."""
    return max(round(min(pen.widthF(), 8.0) * grain.scale), round(2 * grain.ratio))


def _draw_solid(painter: QPainter, pieces: Points, width: int, grain: Grain) -> None:
    """Draws what is level or upright as rectangles of whole pixels, which costs a fifth, and the bends as lines."""
    is_straight = (pieces[:, :2] == pieces[:, 2:]).any(axis=1)
    draw_lines(painter, pieces[~is_straight])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setWorldTransform(grain.to_device())
    painter.setBrush(painter.pen().color())
    painter.setPen(Qt.PenStyle.NoPen)
    corners = grain.pixels(pieces[is_straight].reshape(-1, 2)).reshape(-1, 4)
    draw_whole_rects(painter, as_rects(corners, width))
    painter.restore()


def as_rects(lines: Rows, width: int) -> Rows:
    """Level and upright lines, round a corner without a gap, as rectangles left, top, right, bottom.

    Shapes: (n, 4).
    """
    low, high = np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])
    found: Rows = np.concatenate([low - width // 2, high - width // 2 + width], axis=1)
    return found


def chosen_rows(mirror: Mirror, look: Look, rows: Rows) -> list[int]:
    """Those of some wires that are selected."""
    chosen = [mirror.wire_rows[wire] for wire in look.selection.wires if wire in mirror.wire_rows]
    found: list[int] = rows[np.isin(rows, chosen)].tolist() if chosen else []
    return found


def groups(mirror: Mirror, look: Look, rows: Rows) -> Iterator[tuple[Rows, tuple[QPen, ...]]]:
    """The wires that look nearly the same with their strokes, the most important last."""
    wires = WirePainter(QPainter(), mirror, look)
    keys = mirror.wire_status[rows].astype(np.int64)
    flows = keys == FLOW
    if mirror.broken:
        keys[np.isin(rows, list(mirror.broken))] = BROKEN
    for key in np.unique(keys[~flows | (keys == BROKEN)]).tolist():
        group = rows[keys == key]
        yield group, wires.pens(int(group[0]))
    carrying = rows[keys == FLOW]
    if look.is_stale or look.overlay in (Overlay.OFF, Overlay.LABELS):
        if len(carrying):
            yield carrying, wires.pens(int(carrying[0]))
        return
    # Buckets of fixed width: what is drawn of a part of the page must not depend on the rest.
    steps = (mirror.magnitudes(carrying) * (BUCKETS - 1)).astype(np.int64)
    signs = np.sign(np.nan_to_num(mirror.wire_total[carrying])).astype(np.int64)
    signs = signs if look.overlay is Overlay.SIGN else np.zeros_like(signs)
    codes = steps * 3 + signs + 1
    for code in np.unique(codes).tolist():
        sign = code % 3 - 1 if look.overlay is Overlay.SIGN else None
        yield carrying[codes == code], flow_pens(look.theme, code // 3 / (BUCKETS - 1), sign, False)


def _seen(pieces: Points, area: QRectF) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which pieces of wires touch an area. Shapes: `pieces` (wires, n, 4)."""
    x1, y1, x2, y2 = np.moveaxis(pieces, 2, 0)
    pad = WIDEST
    across = (np.minimum(x1, x2) <= area.right() + pad) & (np.maximum(x1, x2) >= area.left() - pad)
    down = (np.minimum(y1, y2) <= area.bottom() + pad) & (np.maximum(y1, y2) >= area.top() - pad)
    found: np.ndarray[Any, np.dtype[np.bool_]] = across & down & ((x1 != x2) | (y1 != y2))
    return found
