"""Pictures of a tensor: a heat map, a histogram, and a line of its least, largest, mean and norm."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.live.readings import Reading
from app.look.appearance import Appearance
from app.look.numbers import fmt, shape_text
from app.look.theme import Theme, font
from engine.tensor_spec import Array

HEAT_CELLS = 96
HEAT_HEIGHT, CELL_HEIGHT = 160, 36
NOTCH_FROM = 7.0
_Floats = np.ndarray[Any, np.dtype[np.float64]]


class HeatMap(QWidget):
    """A matrix or a vector as colours around 0; each negative cell has a notch, so that signs survive without colour.

    Tensors of more than 96 cells along an axis are sampled by area mean.
    """

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._cells: _Floats = np.zeros((0, 0))
        self._top = 0.0
        self.setObjectName("value_heat")
        self.setFixedHeight(HEAT_HEIGHT)
        appearance.changed.connect(self.update)

    @property
    def cells(self) -> _Floats:
        """What is painted: at most 96 by 96 numbers, NaN where an element is not finite."""
        return self._cells

    def show_cells(self, array: Array | None, top: float) -> None:
        """Shows a tensor of at most two axes; `top` is the magnitude that has the strongest colour."""
        self._top = top
        self._cells = np.zeros((0, 0)) if array is None else sampled_cells(array)
        words = "unknown" if array is None else f"{shape_text(array.shape)}, largest magnitude {fmt(top)}"
        self.setFixedHeight(min(HEAT_HEIGHT, CELL_HEIGHT * max(1, self._cells.shape[0])))
        self.setAccessibleName(f"Heat map: {words}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The cells as one picture, then the notches where there is room for them."""
        painter = QPainter(self)
        rows, columns = self._cells.shape
        if not self._cells.size:
            painter.setPen(self._appearance.theme.color("text.tertiary"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "Nothing to show")
            return
        cell = QSizeF(self.width() / columns, self.height() / rows)
        colors = heat_colors(self._appearance.theme, self._cells, self._top)
        picture = QImage(colors.tobytes(), columns, rows, columns * 4, QImage.Format.Format_RGB32)
        painter.drawImage(QRectF(self.rect()), picture)
        if min(cell.width(), cell.height()) >= NOTCH_FROM:
            self._paint_grid(painter, cell)

    def _paint_grid(self, painter: QPainter, cell: QSizeF) -> None:
        theme = self._appearance.theme
        rows, columns = self._cells.shape
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("bg.app"))
        side = min(8.0, cell.height() / 3, cell.width() / 3)
        for row, column in np.argwhere(self._cells < 0).tolist():
            right, top = (column + 1) * cell.width(), row * cell.height()
            corners = [QPointF(right - side, top), QPointF(right, top), QPointF(right, top + side)]
            painter.drawPolygon(QPolygonF(corners))
        painter.setPen(QPen(theme.color("bg.app"), 1))
        for row in range(1, rows):
            painter.drawLine(QLineF(0, row * cell.height(), self.width(), row * cell.height()))
        for column in range(1, columns):
            painter.drawLine(QLineF(column * cell.width(), 0, column * cell.width(), rows * cell.height()))


class Histogram(QWidget):
    """How the finite elements of a tensor are distributed; for a gradient 0 is in the middle."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._counts: np.ndarray[Any, np.dtype[np.int64]] = np.zeros(0, np.int64)
        self._low = self._high = 0.0
        self._is_gradient = False
        self.setObjectName("value_hist")
        appearance.changed.connect(self.update)

    @property
    def counts(self) -> list[int]:
        """How many elements each bar stands for."""
        return [int(item) for item in self._counts]

    def show_array(self, array: Array | None, reading: Reading | None, is_gradient: bool) -> None:
        """Counts the elements of a tensor anew."""
        self._is_gradient = is_gradient
        self._counts = np.zeros(0, np.int64)
        if array is not None and reading is not None and array.size > reading.nan + reading.infinite:
            top = max(abs(reading.low), abs(reading.high)) or 1.0
            self._low, self._high = (-top, top) if is_gradient else _range(reading.low, reading.high)
            self._counts = _counted(array, self._low, self._high)
        words = f"{fmt(self._low)} to {fmt(self._high)}" if self._counts.size else "nothing to show"
        self.setAccessibleName(f"Histogram: {words}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Bars on a line, and the numbers at its ends."""
        if not self._counts.size:
            return
        theme, painter = self._appearance.theme, QPainter(self)
        base = self.height() - 16
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("grad.text" if self._is_gradient else "value"))
        width = self.width() / self._counts.size
        for place, count in enumerate(self._counts.tolist()):
            if count:
                height = max(2.0, count / int(self._counts.max()) * (base - 4))
                painter.drawRoundedRect(QRectF(place * width + 0.5, base - height, width - 1, height), 1.5, 1.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(theme.color("border.strong"), 1))
        painter.drawLine(0, base, self.width(), base)
        self._paint_axis(painter, base)

    def _paint_axis(self, painter: QPainter, base: int) -> None:
        theme = self._appearance.theme
        box = QRect(0, base + 2, self.width(), 14)
        zero = None if not self._low < 0 < self._high else round(self.width() * _share(0.0, self._low, self._high))
        if zero is not None:
            painter.setPen(QPen(theme.color("border.strong"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(zero, 0, zero, base)
        painter.setPen(theme.color("text.tertiary"))
        painter.setFont(font("mono", 9))
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft, fmt(self._low))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight, fmt(self._high))
        if zero is not None and 60 < zero < self.width() - 60:
            painter.drawText(QRect(zero - 20, base + 2, 40, 14), Qt.AlignmentFlag.AlignHCenter, "0")


class StatsLine(QWidget):
    """Least, largest, mean and norm in one line; what is not finite in a second one."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._lines: list[list[tuple[str, str, str]]] = []
        self.setObjectName("value_stats")
        appearance.changed.connect(self.update)

    def show_reading(self, reading: Reading | None, is_gradient: bool) -> None:
        """Shows the numbers of one tensor; None stands for one that is not known."""
        self._lines = _stat_lines(reading, "grad.text" if is_gradient else "value")
        self.setFixedHeight(16 * max(1, len(self._lines)))
        self.setAccessibleName("; ".join(" ".join(f"{name} {text}" for name, text, _ in line) for line in self._lines))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Each name in grey before its number; smaller and closer where they would not fit."""
        theme, painter = self._appearance.theme, QPainter(self)
        for row, line in enumerate(self._lines):
            painter.setFont(font("mono", 11))
            room = sum(painter.fontMetrics().horizontalAdvance(f"{name} {text}") for name, text, _ in line)
            if room + 8 * (len(line) - 1) > self.width():
                painter.setFont(font("mono", 10))
            x, gap = 0, 12 if room + 12 * len(line) <= self.width() else 6
            for name, text, token in line:
                for word, color in ((f"{name} ", "text.tertiary"), (text, token)):
                    painter.setPen(theme.color(color))
                    painter.drawText(x, 16 * row + 12, word)
                    x += painter.fontMetrics().horizontalAdvance(word)
                x += gap


def heat_colors(theme: Theme, cells: _Floats, top: float) -> np.ndarray[Any, np.dtype[np.uint32]]:
    """The colours of cells as Qt's 32-bit numbers, those of NaN in the alarm colour."""
    table = _color_table(theme)
    with np.errstate(all="ignore"):
        share = np.clip(cells / top if top else np.zeros_like(cells), -1, 1)
    places = np.where(np.isnan(cells), len(table) - 1, np.rint((np.nan_to_num(share) + 1) * 100)).astype(np.int64)
    found: np.ndarray[Any, np.dtype[np.uint32]] = table[places]
    return found


@functools.cache
def _color_table(theme: Theme) -> np.ndarray[Any, np.dtype[np.uint32]]:
    colors = [*(theme.diverging(step / 100) for step in range(-100, 101)), theme.color("alarm")]
    return np.array([color.rgb() for color in colors], np.uint32)


def sampled_cells(array: Array) -> _Floats:
    """A tensor of at most two axes as a matrix of at most 96 by 96 numbers; infinity becomes NaN.

    A part is the mean of at most about a million evenly spread elements.
    """
    matrix = array.reshape((1, -1)[: 2 - array.ndim] + array.shape) if array.ndim < 2 else array
    step = max(1, math.isqrt(matrix.size // 2**20))
    cells = matrix[:: step if matrix.shape[0] > 1 else 1, ::step].astype(np.float64)
    for axis in (0, 1):
        if cells.shape[axis] > HEAT_CELLS:
            starts = np.linspace(0, cells.shape[axis], HEAT_CELLS, endpoint=False).astype(int)
            lengths = np.diff(np.append(starts, cells.shape[axis]))
            with np.errstate(all="ignore"):
                cells = np.add.reduceat(cells, starts, axis=axis) / (lengths[:, None] if axis == 0 else lengths)
    return np.where(np.isfinite(cells), cells, np.nan)


def _range(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis: a single value stands in the middle."""
    if low < high:
        return low, high
    half = abs(low) / 2 or 0.5
    return low - half, high + half


def _share(number: float, low: float, high: float) -> float:
    """How far along an axis a number lies; halved first, as the distance of its ends may overflow."""
    return (number / 2 - low / 2) / ((high / 2 - low / 2) or 1.0)


def _counted(array: Array, low: float, high: float) -> np.ndarray[Any, np.dtype[np.int64]]:
    numbers = array.reshape(-1).astype(np.float64)
    numbers = numbers[np.isfinite(numbers)]
    bins = 9 if numbers.size <= 16 else 25
    places = ((numbers / 2 - low / 2) / ((high / 2 - low / 2) or 1.0) * bins).astype(np.int64)
    return np.bincount(np.clip(places, 0, bins - 1), minlength=bins)


def _stat_lines(reading: Reading | None, token: str) -> list[list[tuple[str, str, str]]]:
    if reading is None:
        return [[("value", "not known", "text.tertiary")]]
    if not reading.size:
        return [[("shape", shape_text(reading.shape), "text.primary"), ("", "no elements", "text.tertiary")]]
    numbers = {"min": reading.low, "max": reading.high, "mean": reading.mean, "norm": reading.norm}
    lines = [[(name, fmt(item), token if name == "norm" else "text.primary") for name, item in numbers.items()]]
    counts = [("NaN", f"{reading.nan:,}", "alarm")] * bool(reading.nan)
    counts += [("inf", f"{reading.infinite:,}", "alarm")] * bool(reading.infinite)
    return [*lines, [*counts, ("of", f"{reading.size:,}", "text.primary")]] if counts else lines
