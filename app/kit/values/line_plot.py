"""A line plot of a vector: its values over the index."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.values.pointed_picture import PointedPicture
from gradwire.app.kit.values.value_parts import NO_PART, Part, share_between
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.chart_line import finite_runs
from gradwire.app.look.drawing import inked, smooth
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import font
from gradwire.engine.base.tensor_spec import Array

HEIGHT, AXIS, DOTS_AT_MOST = 128, 16, 64


class LinePlot(PointedPicture):
    """A line through the finite elements; non-finite elements leave a gap.

    If several elements share a pixel column, the line keeps their extremes.
    """

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, "value_line", HEIGHT)
        self._part = NO_PART

    def show_part(self, part: Part) -> None:
        """Shows a vector."""
        self._part = part
        low, high = self._range()
        ends = {"low": fmt(low), "high": fmt(high)}
        self.setAccessibleName(tr("Line of {count} elements from {low} to {high}", count=part.size, **ends))
        self.update()

    def text_at(self, at: QPointF) -> str:
        """Returns index and value of the nearest element."""
        array = self._part.array
        if array is None or not array.size:
            return ""
        place = round(at.x() / max(1, self.width() - 1) * (array.size - 1))
        place = min(max(place, 0), array.size - 1)
        return f"[{place}] {fmt(float(array.ravel()[place]))}"

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the zero line, the line, dots if they do not touch, and the numbers at the ends."""
        array = self._part.array
        if array is None or not array.size:
            return
        theme = self._appearance.theme
        with smooth(self) as painter:
            low, high = self._range()
            if low < 0 < high:
                painter.setPen(QPen(theme.color("border.strong"), 1, Qt.PenStyle.DashLine))
                zero = self._height_of(0.0)
                painter.drawLine(QLineF(0, zero, self.width(), zero))
            painter.setPen(QPen(theme.color(self._part.token), 1.5))
            for places, numbers in finite_runs(*self._points(array)):
                pairs = zip(places.tolist(), numbers.tolist(), strict=True)
                run = [QPointF(at, self._height_of(item)) for at, item in pairs]
                painter.drawPolyline(QPolygonF(run))
                if array.size <= DOTS_AT_MOST:
                    painter.setBrush(theme.color(self._part.token))
                    for point in run:
                        painter.drawEllipse(point, 2, 2)
            self._paint_axis(painter, array.size)

    def _paint_axis(self, painter: QPainter, count: int) -> None:
        theme, (low, high) = self._appearance.theme, self._range()
        painter.setPen(QPen(theme.color("border.strong"), 1))
        base = self.height() - self._axis
        painter.drawLine(0, base, self.width(), base)
        inked(painter, theme.color("text.secondary"), font=font("mono", 10 * self._appearance.text_scale))
        below = QRect(0, base + 2, self.width(), self._axis)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, str(count - 1))
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, f"{fmt(low)} … {fmt(high)}")

    @property
    def _axis(self) -> int:
        """The height of the numbers below the axis. Units: px."""
        return round(AXIS * self._appearance.text_scale)

    def _range(self) -> tuple[float, float]:
        reading = self._part.reading
        return (0.0, 0.0) if reading is None else (reading.low, reading.high)

    def _height_of(self, number: float) -> float:
        low, high = self._range()
        share = share_between(number, low, high) if high > low else 0.5
        return 4 + (1 - share) * (self.height() - self._axis - 8)

    def _points(self, array: Array) -> tuple[Array, Array]:
        """Returns the place and the number of each element; of very many only each pixel's extremes."""
        numbers = array.ravel().astype(np.float64)
        places = np.linspace(0, self.width() - 1, numbers.size)
        if numbers.size > 4 * self.width():
            starts = np.arange(0, numbers.size, math.ceil(numbers.size / self.width()))
            lows, highs = np.fmin.reduceat(numbers, starts), np.fmax.reduceat(numbers, starts)
            numbers, places = np.column_stack([lows, highs]).ravel(), np.repeat(places[starts], 2)
        return places, numbers
