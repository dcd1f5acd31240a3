"""A heat map of a matrix or a vector, with a legend and the number under the pointer."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.values.pointed_picture import PointedPicture
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import filled, inked
from gradwire.app.look.numbers import fmt, shape_text
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import ThemedWidget
from gradwire.engine.base.norms import means_along
from gradwire.engine.base.tensor_spec import Array

HEAT_CELLS = 96
HEAT_HEIGHT, CELL_HEIGHT, LEGEND_HEIGHT = 160, 36, 18
NOTCH_FROM = 7.0
_Floats = np.ndarray[Any, np.dtype[np.float64]]


class HeatMap(PointedPicture):
    """A heat map around 0. Each negative cell has a notch, so that signs need no colour.

    Tensors of more than 96 cells along an axis are sampled by area mean.
    """

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent, "value_heat", HEAT_HEIGHT)
        self._cells: _Floats = np.zeros((0, 0))
        self._array: Array | None = None
        self._top = 0.0

    def show_cells(self, array: Array | None, top: float) -> None:
        """Shows a tensor of at most two axes; the magnitude `top` has the strongest colour."""
        self._array, self._top = array, top
        self._cells = np.zeros((0, 0)) if array is None else sampled_cells(array)
        shape = tr("unknown") if array is None else shape_text(array.shape)
        self.setFixedHeight(min(HEAT_HEIGHT, CELL_HEIGHT * max(1, self._cells.shape[0])))
        self.setAccessibleName(tr("Heat map: {shape}, largest magnitude {top}", shape=shape, top=fmt(top)))
        self.update()

    def text_at(self, at: QPointF) -> str:
        """Returns index and value of the element at a point, also where the picture has fewer cells."""
        if self._array is None or not self._array.size or not QRectF(self.rect()).contains(at):
            return ""
        table = np.atleast_2d(self._array)
        rows, columns = table.shape
        row = min(int(at.y() / self.height() * rows), rows - 1)
        column = min(int(at.x() / self.width() * columns), columns - 1)
        index = {0: "", 1: f"[{column}] "}.get(self._array.ndim, f"[{row}, {column}] ")
        return index + fmt(float(table[row, column]))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the cells as one image, then the notches if they fit."""
        with QPainter(self) as painter:
            rows, columns = self._cells.shape
            if not self._cells.size:
                self.say_nothing(painter)
                return
            cell = QSizeF(self.width() / columns, self.height() / rows)
            colors = heat_colors(self._appearance.theme, self._cells, self._top)
            picture = QImage(colors.tobytes(), columns, rows, QImage.Format.Format_RGB32)
            painter.drawImage(QRectF(self.rect()), picture)
            if min(cell.width(), cell.height()) >= NOTCH_FROM:
                self._paint_grid(painter, cell)

    def _paint_grid(self, painter: QPainter, cell: QSizeF) -> None:
        theme = self._appearance.theme
        rows, columns = self._cells.shape
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        filled(painter, theme.color("bg.app"))
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


class HeatLegend(ThemedWidget):
    """The legend of a heat map: its range from minus to plus, and the element under the pointer."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, "heat_legend", height=LEGEND_HEIGHT)
        self._top, self._pointed = 0.0, ""

    def _show_text(self) -> None:
        self.setAccessibleName(f"{fmt(-self._top)} … 0 … {fmt(self._top)}   {self._pointed}".rstrip())
        self.update()

    def show_range(self, top: float) -> None:
        """Shows the range for the magnitude that has the strongest colour."""
        self._top = top
        self._show_text()

    def show_pointed(self, text: str) -> None:
        """Shows the element under the pointer."""
        self._pointed = text
        self._show_text()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the least number, the colours, and the largest number; the element stands at the right."""
        theme, scale = self._appearance.theme, self._appearance.text_scale
        with QPainter(self) as painter:
            painter.setFont(font("mono", 10 * scale))
            metrics = painter.fontMetrics()
            low, high = fmt(-self._top), fmt(self._top)
            left = metrics.horizontalAdvance(low) + 6
            bar = heat_colors(theme, np.linspace(-1, 1, 60)[None, :], 1.0)
            picture = QImage(bar.tobytes(), 60, 1, QImage.Format.Format_RGB32)
            painter.drawImage(QRectF(left, self.height() / 2 - 4, 60, 8), picture)
            inked(painter, theme.color("text.secondary")).drawText(0, round(13 * scale), low)
            painter.drawText(left + 66, round(13 * scale), high)
            inked(painter, theme.color("text.primary"), font=font("mono", 11 * scale))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight, self._pointed)


def heat_colors(theme: Theme, cells: _Floats, top: float) -> np.ndarray[Any, np.dtype[np.uint32]]:
    """Returns the colours of cells as Qt's 32-bit numbers; NaN has the alarm colour."""
    table = _color_table(theme)
    with np.errstate(all="ignore"):
        share = np.clip(cells / top if top else np.zeros_like(cells), -1, 1)
    places = np.where(np.isnan(cells), len(table) - 1, np.rint((np.nan_to_num(share) + 1) * 100)).astype(np.int64)
    found: np.ndarray[Any, np.dtype[np.uint32]] = table[places]
    return found


@functools.cache
def _color_table(theme: Theme) -> np.ndarray[Any, np.dtype[np.uint32]]:
    colors = [*map(theme.diverging, np.linspace(-1, 1, 201).tolist()), theme.color("alarm")]
    return np.array([color.rgb() for color in colors], np.uint32)


def sampled_cells(array: Array) -> _Floats:
    """Returns a tensor of at most two axes as a matrix of at most 96 by 96 numbers.

    Infinity becomes NaN. Each cell is the mean over its area; of large tensors, about a million evenly spread
    elements are read.
    """
    matrix = np.atleast_2d(array)
    step = max(1, math.isqrt(matrix.size // 2**20))
    cells = matrix[::step, ::step].astype(np.float64)
    for axis in (0, 1):
        if cells.shape[axis] > HEAT_CELLS:
            starts = np.linspace(0, cells.shape[axis], HEAT_CELLS, endpoint=False).astype(int)
            cells = means_along(cells, starts, axis)
    return np.where(np.isfinite(cells), cells, np.nan)
