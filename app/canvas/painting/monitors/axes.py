"""Axes of a plot on a block: the room inside them, round numbers beside it, and points in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from gradwire.app.canvas.painting.blocks.grown_text import Style, draw_number
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.chart_scale import Scale
from gradwire.app.look.drawing import CENTRE, RIGHT
from gradwire.app.look.numbers import fmt, fmt_short
from gradwire.engine.base.tensor_spec import Array

NUMBER = Style("mono", 10, token="text.tertiary")
# Room around the points, and for the numbers below. Units: px at 100 %.
INSET, BELOW, BESIDE = 4.0, 15.0, 5.0
# A level axis has a number each so many px on the screen, an upright one each so many.
_LEVEL_STEP, _UPRIGHT_STEP = 44.0, 18.0


@dataclass(frozen=True)
class Axes:
    """Room of a plot with the scales of both axes, and the numbers on them."""

    room: QRectF
    x: Scale
    y: Scale
    x_ticks: tuple[float, ...] = ()
    y_ticks: tuple[float, ...] = ()

    def places(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Returns where some places of the plot are; all must be finite."""
        room = self.room
        left = room.left() + self.x.share(x) * room.width()
        return left, room.bottom() - np.clip(self.y.share(y), -1.0, 2.0) * room.height()

    def points(self, x: Array, y: Array) -> list[QPointF]:
        """Returns the same as points."""
        return [QPointF(*point) for point in zip(*(item.tolist() for item in self.places(x, y)), strict=True)]

    def box(self, low: tuple[float, float], high: tuple[float, float]) -> QRectF:
        """Returns the rectangle between two corners of the plot."""
        first, second = self.points(np.array([low[0], high[0]]), np.array([low[1], high[1]]))
        return QRectF(first, second).normalized()


def axes_in(look: Look, box: QRectF, x: Scale, y: Scale, has_numbers: bool) -> Axes:
    """Returns axes that fill a box; without numbers the plot has all of it."""
    if not has_numbers:
        return Axes(box.adjusted(INSET, INSET, -INSET, -INSET), x, y)
    below = BELOW * look.growth(NUMBER.px)
    height = box.height() - INSET - below
    y_ticks = _ticks(y, height * look.reading_scale / _UPRIGHT_STEP)
    left = max((NUMBER.width(text, look) for text in map(fmt_short, y_ticks)), default=0.0) + 2 * BESIDE
    x_ticks = _ticks(x, (box.width() - left) * look.reading_scale / _LEVEL_STEP)
    room = QRectF(box.left() + left, box.top() + INSET, box.width() - left - 2 * INSET, height)
    return Axes(room, x, y, x_ticks, y_ticks)


def _ticks(scale: Scale, count: float) -> tuple[float, ...]:
    return tuple(tick for tick in scale.ticks(max(2, int(count))) if scale.low <= tick <= scale.high)


def draw_axes(painter: QPainter, look: Look, axes: Axes) -> None:
    """Draws a line for each number of the upright axis, and the numbers of both."""
    theme, room, grow = look.theme, axes.room, look.growth(NUMBER.px)
    places = np.full(len(axes.y_ticks), axes.x.low)
    painter.setPen(QPen(theme.color("border.subtle"), 1))
    heights = [point.y() for point in axes.points(places, np.array(axes.y_ticks))] if axes.y_ticks else []
    for y in heights:
        painter.drawLine(QLineF(room.left(), y, room.right(), y))
    for y, tick in zip(heights, axes.y_ticks, strict=True):
        box = QRectF(room.left() - 200, y - 7 * grow, 200 - BESIDE, 14 * grow)
        draw_number(painter, look, box, RIGHT, fmt_short(tick), NUMBER)
    if not axes.x_ticks:
        return
    points = axes.points(np.array(axes.x_ticks), np.full(len(axes.x_ticks), axes.y.low))
    for point, tick in zip(points, axes.x_ticks, strict=True):
        half = NUMBER.width(fmt(tick), look) / 2 + 1
        middle = min(max(point.x(), room.left()), room.right() + 2 * INSET - half)
        box = QRectF(middle - half, room.bottom() + 1, 2 * half, 13 * grow)
        draw_number(painter, look, box, CENTRE, fmt(tick), NUMBER)
