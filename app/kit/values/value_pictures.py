"""Pictures of a tensor: a histogram, and a line with its least, largest, mean and norm."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import grouped, tr
from gradwire.app.kit.values.value_parts import share_between
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import filled, inked
from gradwire.app.look.numbers import fmt, fmt_statistic, shape_text
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import ThemedWidget
from gradwire.engine.base.tensor_spec import Array


class Histogram(ThemedWidget):
    """A histogram of the finite elements of a tensor; for a gradient, 0 is in the middle."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent, "value_hist")
        self.counts: list[int] = []
        self._low = self._high = 0.0
        self._is_gradient = False

    def show_array(self, array: Array | None, is_gradient: bool) -> None:
        """Counts the elements of another tensor."""
        self._is_gradient = is_gradient
        self.counts = []
        numbers = np.zeros(0) if array is None else array.ravel().astype(np.float64)
        numbers = numbers[np.isfinite(numbers)]
        if numbers.size:
            low, high = float(numbers.min()), float(numbers.max())
            top = max(-low, high) or 1.0
            self._low, self._high = (-top, top) if is_gradient else _range(low, high)
            self.counts = _counted(numbers, self._low, self._high)
        words = tr("{low} to {high}", low=fmt(self._low), high=fmt(self._high))
        words = words if self.counts else tr("Nothing to show")
        self.setAccessibleName(f"{tr('Histogram')}: {words}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the bars on an axis, and the numbers at its ends."""
        if not self.counts:
            return
        theme = self._appearance.theme
        with QPainter(self) as painter:
            base = self.height() - round(16 * self._appearance.text_scale)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            filled(painter, theme.color("grad.text" if self._is_gradient else "value"))
            width = self.width() / len(self.counts)
            for place, count in enumerate(self.counts):
                if count:
                    height = max(2.0, count / max(self.counts) * (base - 4))
                    painter.drawRoundedRect(QRectF(place * width + 0.5, base - height, width - 1, height), 1.5, 1.5)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            inked(painter, QPen(theme.color("border.strong"), 1)).drawLine(0, base, self.width(), base)
            self._paint_axis(painter, base)

    def _paint_axis(self, painter: QPainter, base: int) -> None:
        theme, scale = self._appearance.theme, self._appearance.text_scale
        box = QRect(0, base + 2, self.width(), self.height() - base - 2)
        has_zero = self._low < 0 < self._high
        zero = round(self.width() * share_between(0.0, self._low, self._high)) if has_zero else None
        if zero is not None:
            painter.setPen(QPen(theme.color("border.strong"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(zero, 0, zero, base)
        inked(painter, theme.color("text.secondary"), font=font("mono", 10 * scale))
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft, fmt(self._low))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight, fmt(self._high))
        if zero is not None and 60 * scale < zero < self.width() - 60 * scale:
            painter.drawText(QRect(zero - 20, base + 2, 40, box.height()), Qt.AlignmentFlag.AlignHCenter, "0")


class StatsLine(ThemedWidget):
    """A line with least, largest, mean and norm; a second line counts non-finite elements."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent, "value_stats")
        self._lines: list[list[tuple[str, str, str]]] = []

    @property
    def _row(self) -> int:
        """The height of a line. Units: px."""
        return round(16 * self._appearance.text_scale)

    def show_reading(self, reading: Reading | None, is_gradient: bool) -> None:
        """Shows the statistics of a tensor; None stands for an unknown one."""
        self._lines = _stat_lines(reading, "grad.text" if is_gradient else "value")
        self.setFixedHeight(self._row * max(1, len(self._lines)))
        self.setAccessibleName("; ".join(" ".join(f"{name} {text}" for name, text, _ in line) for line in self._lines))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints each number after its grey name; a smaller font and gaps make a long line fit."""
        theme, scale = self._appearance.theme, self._appearance.text_scale
        with QPainter(self) as painter:
            for row, line in enumerate(self._lines):
                painter.setFont(font("mono", 11 * scale))
                room = sum(painter.fontMetrics().horizontalAdvance(f"{name} {text}") for name, text, _ in line)
                needed = room + 8 * (len(line) - 1)
                if needed > self.width():
                    painter.setFont(font("mono", max(10.0, 10 * scale * self.width() / needed)))
                    room = sum(painter.fontMetrics().horizontalAdvance(f"{name} {text}") for name, text, _ in line)
                x, gap = 0, 12 if room + 12 * len(line) <= self.width() else 6
                for name, text, token in line:
                    for word, color in ((f"{name} ", "text.tertiary"), (text, token)):
                        painter.setPen(theme.color(color))
                        painter.drawText(x, self._row * row + round(12 * scale), word)
                        x += painter.fontMetrics().horizontalAdvance(word)
                    x += gap


def _range(low: float, high: float) -> tuple[float, float]:
    """Returns the ends of an axis; a single value is in the middle."""
    if low < high:
        return low, high
    half = abs(low) / 2 or 0.5
    return low - half, high + half


def _counted(numbers: Array, low: float, high: float) -> list[int]:
    bins = 9 if numbers.size <= 16 else 25
    places = (share_between(numbers, low, high) * bins).astype(np.int64)
    return list(map(int, np.bincount(np.clip(places, 0, bins - 1), minlength=bins)))


def _stat_lines(reading: Reading | None, token: str) -> list[list[tuple[str, str, str]]]:
    if reading is None:
        return [[(tr("value"), tr("not known"), "text.tertiary")]]
    if not reading.size:
        return [[(tr("shape"), shape_text(reading.shape), "text.primary"), ("", tr("no elements"), "text.tertiary")]]
    spread = {tr("min"): reading.low, tr("max"): reading.high, tr("mean"): reading.mean}
    lines = [[(name, fmt_statistic(item, reading.is_finite), "text.primary") for name, item in spread.items()]]
    lines[0].append((tr("size"), fmt_statistic(reading.norm, reading.is_finite), token))
    counts = [("NaN", grouped(reading.nan), "alarm")] * bool(reading.nan)
    counts += [("inf", grouped(reading.infinite), "alarm")] * bool(reading.infinite)
    return [*lines, [*counts, (tr("of"), grouped(reading.size), "text.primary")]] if counts else lines
