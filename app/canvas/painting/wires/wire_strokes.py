"""Draws many wires of a screen in their order, each over those below it, and those far away by groups."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator
from operator import itemgetter

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gradwire.app.canvas.geometry.curves import curved_pieces, is_curve
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import CORNERS, RADIUS, Points, Rows, rounded_pieces
from gradwire.app.canvas.painting.arrays import draw_lines, draw_whole_rects
from gradwire.app.canvas.painting.cache.sprites import Grain
from gradwire.app.canvas.painting.cache.wire_parts import wire_parts
from gradwire.app.canvas.painting.cache.wire_pictures import WirePictures
from gradwire.app.canvas.painting.look import Level, Look, Overlay
from gradwire.app.canvas.painting.magnitudes import magnitudes
from gradwire.app.canvas.painting.wires.wire_painter import WirePainter, with_width
from gradwire.app.look.drawing import filled, kept
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.runs_of_equals import starts_of_runs
from gradwire.engine.evaluation.status_table import STATUS_ROW, STATUSES

# Into how many straight pieces a bend is cut: enough that none is longer than 2 px or so on the screen.
CHORDS = {Level.SHAPE: 2, Level.COMPACT: 4, Level.FULL: 6, Level.DETAIL: 12}
# How many magnitudes are told apart: among wires with a casing, where half a step is a 25th of a px, and far away.
STEPS, FAR_STEPS = 64, 8
FIRST_FLOW, ALARM, BREAKING, BROKEN = 1000, 20_000, 20_001, 20_002
FLOW = STATUS_ROW[Status.FLOW]
MARGIN = np.array([-2, -2, 2, 2])
# The parts that wires of one look are put together from.
Known = dict[Hashable, WirePictures]


def draw_strokes(painter: QPainter, mirror: Mirror, look: Look, area: QRectF, rows: list[int], known: Known) -> None:
    """Draws wires one after the other, with casing, pipe and core; `known` keeps what they are put together from."""
    if not rows:
        return
    wires, grain, to_scene = WirePainter(painter, mirror, look), Grain.of(painter), painter.worldTransform()
    if is_curve(mirror.points):
        # No two curves are alike: there is nothing to put them together from.
        for row in rows:
            wires.draw(row)
        return
    pictures = _pictures(wires, mirror, look, rows, grain, known)
    halves = np.array([item.half for item in pictures])
    points = grain.pixels(mirror.points[rows].reshape(-1, 2)).reshape(-1, CORNERS, 2)
    corners = np.array([(area.left(), area.top()), (area.right(), area.bottom())])
    parts = wire_parts(points, round(RADIUS * grain.scale), halves, grain.pixels(corners).reshape(4) + MARGIN)
    for index, own in itertools.groupby(parts.tolist(), itemgetter(0)):
        picture, row = pictures[index], rows[index]
        if picture.is_dashed:
            _draw_dashed(painter, wires.strokes(row), rounded_pieces(mirror.points[[row]], CHORDS[look.level])[0])
        else:
            painter.setWorldTransform(grain.to_device())
            picture.copy(painter, own)
            painter.setWorldTransform(to_scene)
        wires.draw_signs(row)


def _draw_dashed(painter: QPainter, pens: Iterable[QPen], pieces: Points) -> None:
    for pen in pens:
        painter.setPen(pen)
        # Dashes are counted from where the wire starts, seen or not.
        draw_lines(painter, pieces)


def _pictures(
    wires: WirePainter, mirror: Mirror, look: Look, rows: list[int], grain: Grain, known: Known
) -> list[WirePictures]:
    chosen = {mirror.wire_rows.get(wire) for wire in look.selection.wires | look.hovered.selection().wires}
    found = []
    for row, code in zip(rows, importance(mirror, look, np.array(rows)).tolist(), strict=True):
        key = code, (row, look.hovered.wire, look.selection.wires) if row in chosen else None
        if key not in known:
            known[key] = WirePictures(wires.framed(_pens(wires, code, STEPS), row), grain.scale)
        found.append(known[key])
    return found


def draw_in_groups(painter: QPainter, mirror: Mirror, look: Look, area: QRectF, rows: Rows, known: Known) -> None:
    """Draws wires without casing, those of one look in one call: what is far away has no crossings to be read."""
    grain = Grain.of(painter)
    for group, pens in groups(mirror, look, rows):
        points = mirror.points[group]
        pieces = curved_pieces(points) if is_curve(points) else rounded_pieces(points, CHORDS[look.level])
        flat = pieces.reshape(-1, 4)
        outermost = _whole_width(pens[0], grain)
        for pen in pens:
            width = _whole_width(pen, grain)
            # Of one parity, or the strokes of a wire would not have one middle.
            width -= (outermost - width) % 2
            if len(pens) > 1 and pen is pens[-1] and pen.style() is Qt.PenStyle.SolidLine and width >= outermost:
                continue
            painter.setPen(with_width(pen, width / grain.scale))
            if pen.style() is Qt.PenStyle.SolidLine:
                _draw_solid(painter, flat, width, grain)
            elif is_curve(points):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                for row in group.tolist():
                    painter.drawPath(mirror.path(row))
            else:
                draw_lines(painter, flat)
    draw_strokes(painter, mirror, look, area, chosen_rows(mirror, look, rows), known)


def _whole_width(pen: QPen, grain: Grain) -> int:
    """Returns how wide a stroke is in whole device pixels, at least 2 px of the screen."""
    return max(round(min(pen.widthF(), 8.0) * grain.scale), round(2 * grain.ratio))


def _draw_solid(painter: QPainter, pieces: Points, width: int, grain: Grain) -> None:
    """Draws what is level or upright as rectangles of whole pixels, which costs a fifth, and the bends as lines."""
    # A piece of length 0 is alike in both coordinates.
    is_straight = (pieces[:, :2] == pieces[:, 2:]).sum(axis=1) == 1
    draw_lines(painter, pieces[~is_straight])
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setWorldTransform(grain.to_device())
        filled(painter, painter.pen().color())
        corners = grain.pixels(pieces[is_straight].reshape(-1, 2)).reshape(-1, 4)
        draw_whole_rects(painter, as_rects(corners, width))


def as_rects(lines: Rows, width: int) -> Rows:
    """Returns level and upright lines, round a corner without a gap, as rectangles left, top, right, bottom.

    Shapes: (n, 4).
    """
    low, high = np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])
    return np.concatenate([low - width // 2, high - width // 2 + width], axis=1)


def chosen_rows(mirror: Mirror, look: Look, rows: Rows) -> list[int]:
    """Returns those of some wires that are selected."""
    chosen = [mirror.wire_rows[wire] for wire in look.selection.wires if wire in mirror.wire_rows]
    return rows[np.isin(rows, chosen)].tolist() if chosen else []


def groups(mirror: Mirror, look: Look, rows: Rows) -> Iterator[tuple[Rows, tuple[QPen, ...]]]:
    """Yields the wires that look nearly the same with their strokes, the most important last."""
    wires = WirePainter(QPainter(), mirror, look)
    # Steps of fixed width: what is drawn of a part of the page must not depend on the rest.
    codes = importance(mirror, look, rows, FAR_STEPS)
    # NumPy sorts 16 bits by counting.
    order = np.argsort(codes.astype(np.int16), kind="stable")
    starts = starts_of_runs(codes[order])
    for code, group in zip(codes[order[starts]].tolist(), np.split(rows[order], starts[1:]), strict=False):
        yield group, _pens(wires, code, FAR_STEPS)


def importance(mirror: Mirror, look: Look, rows: Rows, steps: int = STEPS) -> Rows:
    """Returns one number for all wires that look the same but for what is chosen; larger ones are more important."""
    codes = mirror.wire_status[rows].astype(np.int64)
    flows = codes == FLOW
    codes[flows] = FIRST_FLOW
    codes[codes == STATUS_ROW[Status.NONFINITE]] = ALARM
    if look.overlay in (Overlay.MAGNITUDE, Overlay.SIGN) and not look.is_stale:
        carrying = rows[flows]
        codes[flows] += np.rint(magnitudes(mirror, carrying) * (steps - 1)).astype(np.int64) * 3
        if look.overlay is Overlay.SIGN:
            codes[flows] += np.sign(np.nan_to_num(mirror.wire_total[carrying])).astype(np.int64) + 1
    codes[mirror.wire_breaks[rows]] = BREAKING
    if mirror.broken:
        codes[np.isin(rows, list(mirror.broken))] = BROKEN
    return codes


def importance_color(mirror: Mirror, look: Look, code: int) -> QColor:
    """Returns the colour of the wires of an `importance`."""
    return _pens(WirePainter(QPainter(), mirror, look), code, STEPS)[0].color()


def _pens(wires: WirePainter, code: int, steps: int) -> tuple[QPen, ...]:
    if code == BROKEN:
        return wires.pens_of(None, 0.0, 0)
    if code == BREAKING:
        return wires.breaking_pens()
    if code == ALARM or code < FIRST_FLOW:
        return wires.pens_of(Status.NONFINITE if code == ALARM else STATUSES[code], 0.0, 0)
    step, sign = divmod(code - FIRST_FLOW, 3)
    return wires.pens_of(Status.FLOW, step / (steps - 1), sign - 1)
