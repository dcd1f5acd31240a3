"""Draws |∂L| over the rounds of a loop into its block, with the stops between rounds."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.loop_norms import LoopNorms
from gradwire.app.canvas.painting.blocks.grown_text import Style, draw_number, draw_text
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.chart_pieces import draw_pieces, pieces_of
from gradwire.app.look.chart_scale import Scale
from gradwire.app.look.drawing import CENTRE, LEFT, RIGHT, draw_cross, filled, inked
from gradwire.app.look.numbers import fmt
from gradwire.engine.base.tensor_spec import Array

NUMBER, BELOW, INSET, LINE = Style("mono", 10), 14.0, 5.0, 1.4
# Norms are drawn by their powers of ten from this ratio on.
DECADES = 30.0
# A stop is a line through the plot where stops are so far apart, and else a mark at its upper edge; every round has a
# dot where rounds are so far apart. Units: px at 100 %.
APART, MARK, DOTS_APART, DOT = 6.0, 5.0, 5.0, 1.7


def draw_loop(painter: QPainter, look: Look, box: QRectF, shown: LoopNorms | None, has_numbers: bool = True) -> None:
    """Draws the norms as a line, hollow dots where they are 0, and the numbers of the first and the last round."""
    theme = look.theme
    below = BELOW * look.growth(NUMBER.px) if has_numbers else 0.0
    plot = box.adjusted(0, 0, 0, -below)
    painter.fillRect(plot, theme.color("bg.sunken"))
    if shown is None:
        return
    if not shown.has_path:
        draw_text(painter, look, plot, CENTRE, tr("no path"), Style("ui", 10, token="text.tertiary"))
        return
    room = plot.adjusted(INSET, INSET, -INSET, -INSET)
    _draw_stops(painter, look, plot, room, shown)
    _draw_norms(painter, look, room, shown)
    if has_numbers:
        _draw_ends(painter, look, QRectF(box.left(), plot.bottom(), box.width(), below), shown)


def norm_scale(norms: Array) -> Scale:
    """Returns the scale on which norms are drawn: from 0, or by powers of ten where they span more than one."""
    known = norms[np.isfinite(norms) & (norms > 0)]
    if not known.size:
        return Scale(0.0, 1.0)
    low, high = float(known.min()), float(known.max())
    if high / low < DECADES:
        return Scale(0.0, high)
    return Scale(0.0, high, True, low) if (norms == 0).any() else Scale(low, high, True)


def heights(scale: Scale, room: QRectF, numbers: Array) -> Array:
    """Returns how far down in a room numbers are drawn; what is not finite, at the upper edge."""
    shares, is_known = np.ones(numbers.size), np.isfinite(numbers)
    shares[is_known] = scale.share(numbers[is_known])
    return room.bottom() - shares * room.height()


def _draw_norms(painter: QPainter, look: Look, room: QRectF, shown: LoopNorms) -> None:
    theme, norms = look.theme, shown.norms
    color = theme.color("text.disabled" if look.is_stale else "grad.text")
    shares = np.arange(norms.size) / (norms.size - 1) if norms.size > 1 else np.full(1, 0.5)
    across, down = room.left() + shares * room.width(), heights(norm_scale(norms), room, norms)
    pieces = pieces_of(np.arange(norms.size), norms)
    lines = [(across[rounds], down[rounds]) for rounds, _ in pieces.lines]
    alone = pieces.marks[0]
    draw_pieces(painter, QPen(color, LINE), lines, (across[alone], down[alone]))
    if norms.size > 1 and across[1] - across[0] >= DOTS_APART:
        filled(painter, color)
        draw_dots(painter, across, down, np.isfinite(norms) & (norms > 0), DOT)
        inked(painter, QPen(theme.color("wire.zero"), 1.2), theme.color("bg.sunken"))
        draw_dots(painter, across, down, norms == 0, DOT)
    inked(painter, QPen(theme.color("alarm"), 1.6), Qt.BrushStyle.NoBrush)
    for round_number in np.flatnonzero(np.isinf(norms))[:1].tolist():
        draw_cross(painter, QPointF(across[round_number], down[round_number]), 3)


def draw_dots(painter: QPainter, across: Array, down: Array, where: Array, radius: float) -> None:
    """Draws a dot at some of the places of a line."""
    for x, y in zip(across[where].tolist(), down[where].tolist(), strict=True):
        painter.drawEllipse(QPointF(x, y), radius, radius)


def _draw_stops(painter: QPainter, look: Look, plot: QRectF, room: QRectF, shown: LoopNorms) -> None:
    """Draws each stop between the round before it and the round after it."""
    if not shown.stops:
        return
    step = room.width() / max(shown.norms.size - 1, 1)
    are_apart = len(shown.stops) < 2 or (shown.stops[1] - shown.stops[0]) * step >= APART
    bottom = plot.bottom() if are_apart else plot.top() + MARK
    painter.setPen(QPen(look.theme.color("stop"), 1.4 if are_apart else 1.0, Qt.PenStyle.SolidLine))
    places = room.left() - step / 2 + step * np.array(shown.stops)
    # Of stops closer than pixels, one each.
    places = places if are_apart else np.unique(np.rint(places))
    painter.drawLines([QLineF(x, plot.top(), x, bottom) for x in places.tolist()])


def _draw_ends(painter: QPainter, look: Look, row: QRectF, shown: LoopNorms) -> None:
    """Writes the norms of the first and the last round, and between them what they are if there is room."""
    style = NUMBER.inked("text.disabled" if look.is_stale else "grad.text")
    first, last = map(fmt, shown.norms[[0, -1]].tolist())
    used = draw_number(painter, look, row, LEFT, first, style) if shown.norms.size > 1 else 0.0
    rest = row.adjusted(used + 6 if used else 0.0, 0, 0, 0)
    used_right = draw_number(painter, look, rest, RIGHT, last, style)
    middle = QRectF(row.left() + used + 4, row.top(), row.width() - used - used_right - 8, row.height())
    if NUMBER.width("|∂L|", look) <= middle.width():
        draw_text(painter, look, middle, CENTRE, "|∂L|", NUMBER.inked("text.tertiary"))
