"""Values drawn small: bars, curves, heat maps and the sliders of an Input."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import takewhile

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gradwire.app.canvas.geometry.shapes import BlockShape, Body
from gradwire.app.canvas.painting.blocks.grown_text import Style, draw_number, draw_text
from gradwire.app.canvas.painting.blocks.heat_map import draw_heat
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.chart_line import finite_runs, polygon
from gradwire.app.look.drawing import CENTRE, LEFT, draw_cross, filled, inked, kept
from gradwire.app.look.numbers import fmt, fmt_short
from gradwire.app.look.theme import Theme
from gradwire.engine.base.tensor_spec import Array

KNOB, TRACK_WIDTH, ARROW = 4.5, 3.0, 16.0
# A number below a bar may stand out so far in all, for its ends are mostly air.
BAR_NUMBER, NUMBERS_OVERLAP = Style("mono", 10), 2.0


def draw_reading(painter: QPainter, look: Look, box: QRectF, reading: Reading, has_numbers: bool, token: str) -> None:
    """Draws a tensor as bars, a curve or a heat map, whichever suits its shape."""
    if reading.thumbnail is not None and reading.thumbnail.ndim == 2:
        draw_heat(painter, look.theme, box, reading.thumbnail)
    elif reading.thumbnail is not None:
        draw_curve(painter, look.theme, box, reading.thumbnail, token)
    elif reading.first:
        draw_bars(painter, look, box, reading.first, has_numbers, token)


def draw_bars(
    painter: QPainter, look: Look, box: QRectF, numbers: Sequence[float], has_numbers: bool, token: str = "value"
) -> None:
    """Draws at most 16 numbers as bars from a zero line; NaN and infinity as crosses in the alarm colour.

    The numbers stand below where all of them fit.
    """
    theme, room = look.theme, box.width() / len(numbers) + NUMBERS_OVERLAP
    texts = _fitting_texts(look, numbers, room) if has_numbers else []
    area = QRectF(box.left(), box.top() + 2, box.width(), box.height() - (14 if texts else 4))
    finite = [item for item in numbers if math.isfinite(item)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    span = (high - low) or 1.0
    zero = area.top() + area.height() * high / span
    each = area.width() / len(numbers)
    inset = min(2.0, each / 6)
    width, bars = each - 2 * inset, []
    for index, item in enumerate(numbers):
        left = area.left() + index * each + inset
        if math.isfinite(item):
            bars.append(_bar(left, width, zero, area.height() * item / span))
        else:
            _draw_cross(painter, QPointF(left + width / 2, area.center().y()), theme.color("alarm"))
    filled(painter, theme.color(token)).drawRects(bars)
    inked(painter, QPen(theme.color("border.strong"), 0.8), Qt.BrushStyle.NoBrush)
    painter.drawLine(QLineF(area.left(), zero, area.right(), zero))
    for index, text in enumerate(texts):
        left = box.left() + index * each - NUMBERS_OVERLAP / 2
        draw_text(painter, look, QRectF(left, box.bottom() - 12, room, 12), CENTRE, text, BAR_NUMBER)


def _fitting_texts(look: Look, numbers: Sequence[float], room: float) -> list[str]:
    """Returns the texts of numbers, in three digits or in two; none if one of them has no room."""
    for digits in (3, 2):
        texts = (fmt_short(item, digits) for item in numbers)
        fitting = list(takewhile(lambda text: BAR_NUMBER.width(text, look) <= room, texts))
        if len(fitting) == len(numbers):
            return fitting
    return []


def _bar(left: float, width: float, zero: float, height: float) -> QRectF:
    """Returns a bar up or down from a zero line; what is too low to be seen lies on it."""
    is_seen = abs(height) >= 1
    return QRectF(left, min(zero, zero - height) if is_seen else zero - 0.5, width, abs(height) if is_seen else 1.0)


def draw_curve(painter: QPainter, theme: Theme, box: QRectF, points: Array, token: str = "value") -> None:
    """Draws a vector of more than 16 elements as a line, with gaps where it is not finite."""
    finite = points[np.isfinite(points)]
    painter.fillRect(box, theme.color("bg.sunken"))
    if not finite.size:
        _draw_cross(painter, box.center(), theme.color("alarm"))
        return
    low, high = float(finite.min()), float(finite.max())
    span = (high - low) or 1.0
    step = (box.width() - 6) / max(len(points) - 1, 1)
    painter.setPen(QPen(theme.color(token), 1.3))
    for places, numbers in finite_runs(np.arange(len(points)), points):
        with np.errstate(all="ignore"):  # the ends may be as far apart as numbers are
            heights = (numbers - low) / span * (box.height() - 8)
        painter.drawPolyline(polygon(box.left() + 3 + places * step, box.bottom() - 4 - heights))


def draw_sliders(
    painter: QPainter,
    look: Look,
    shape: BlockShape,
    values: Sequence[float],
    gradients: Sequence[float] | None,
    bounds: tuple[float, float],
) -> None:
    """Draws the sliders of an Input; beside each knob an amber arrow, as long as the gradient is large."""
    top = max((abs(item) for item in gradients or () if math.isfinite(item)), default=0.0)
    for index, value in enumerate(values[: shape.sliders]):
        slope = gradients[index] / top if gradients is not None and top and math.isfinite(gradients[index]) else 0.0
        box, share, zero = shape.slider_track(index), _share(value, bounds), _share(0.0, bounds)
        if shape.body is Body.SLIDER:
            track = QLineF(box.topLeft(), box.topRight())
            _draw_slider(painter, look.theme, track, share, zero, slope, QPointF(0, -9))
            _write_level_number(painter, look, shape, value, bounds)
        else:
            track = QLineF(box.bottomLeft(), box.topLeft())
            _draw_slider(painter, look.theme, track, share, zero, slope, QPointF(8, 0))
            _write_upright_number(painter, look, shape, index, value)


def _share(value: float, bounds: tuple[float, float]) -> float:
    if not math.isfinite(value):
        return 0.0
    return min(max((value - bounds[0]) / (bounds[1] - bounds[0]), 0.0), 1.0)


def _draw_slider(
    painter: QPainter, theme: Theme, track: QLineF, share: float, zero: float, slope: float, beside: QPointF
) -> None:
    """Draws a track from its low end to its high one, filled from zero to the knob, and an arrow beside that."""
    knob = track.pointAt(share)
    inked(painter, QPen(theme.color("border.default"), TRACK_WIDTH)).drawLine(track)
    inked(painter, QPen(theme.color("value"), TRACK_WIDTH)).drawLine(QLineF(track.pointAt(zero), knob))
    _draw_slope(painter, theme, knob + beside, (track.p2() - track.p1()) / track.length() * (slope * ARROW))
    inked(painter, QPen(theme.color("value"), 2), theme.color("bg.raised")).drawEllipse(knob, KNOB, KNOB)


def _write_upright_number(painter: QPainter, look: Look, shape: BlockShape, index: int, value: float) -> None:
    box = shape.slider_box(index)
    row = QRectF(box.left() - 2, box.bottom() - 16, box.width() + 4, 16)
    draw_number(painter, look, row, CENTRE, fmt_short(value), Style("mono", 10, token="text.primary"))


def _write_level_number(
    painter: QPainter, look: Look, shape: BlockShape, value: float, bounds: tuple[float, float]
) -> None:
    box = shape.slider_box(0)
    row = QRectF(box.left(), box.top(), box.width(), 20)
    used = draw_number(painter, look, row, LEFT, fmt(value), Style("mono", 13, 500, "value")) + 8
    span, style = f"{fmt(bounds[0])} … {fmt(bounds[1])}", Style("ui", 10, token="text.tertiary")
    draw_number(painter, look, row.adjusted(used, 0, 0, 0), LEFT, span, style)


def _draw_slope(painter: QPainter, theme: Theme, start: QPointF, along: QPointF) -> None:
    length = math.hypot(along.x(), along.y())
    if length < 0.5:
        return
    end, unit = start + along, along / length
    side = QPointF(-unit.y(), unit.x())
    inked(painter, QPen(theme.color("grad.text"), 1.6)).drawLine(QLineF(start, end))
    painter.drawLine(QLineF(end, end - unit * 3.5 + side * 3))
    painter.drawLine(QLineF(end, end - unit * 3.5 - side * 3))


def _draw_cross(painter: QPainter, at: QPointF, color: QColor) -> None:
    draw_cross(inked(painter, QPen(color, 1.6)), at, 4)


def draw_hatched_wall(painter: QPainter, box: QRectF, color: QColor) -> None:
    """Draws the wall at which a gradient ends."""
    with kept(painter):
        painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
        painter.setPen(QPen(color, 3))
        for offset in np.arange(0, box.height() + box.width(), 7).tolist():
            start = QPointF(box.left(), box.top() + offset)
            painter.drawLine(QLineF(start, start + QPointF(box.width(), -box.width())))
