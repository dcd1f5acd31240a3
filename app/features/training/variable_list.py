"""The Variables: for each its shape, the size of its gradient now and at the start, and by which loss it is trained."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import LEFT, RIGHT, filled, inked, smooth
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import ThemedWidget

# Heights, the least place of the bar, and the widths of the columns from the right. Units: px at texts of 100 %.
HEAD, ROW, BAR = 26.5, 18.5, 6
BAR_LEFT, BY, START, NOW = 74, 142, 92, 64


class VariableRow(NamedTuple):
    """A row of the list; `trained_by` names the losses."""

    name: str
    shape: str
    gradient: float | None
    first: float | None
    trained_by: str


class VariableList(ThemedWidget):
    """A row for each Variable, with a bar for the share of its gradient in the largest one."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, "training_variables", says=tr("Trainable variables"))
        self._rows: Sequence[VariableRow] = ()
        self._by = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Returns the height of all rows."""
        scale = self._appearance.text_scale
        return QSize(200, math.ceil((HEAD + ROW * len(self._rows)) * scale) if self._rows else 0)

    def show_rows(self, rows: Sequence[VariableRow], by: str) -> None:
        """Shows some Variables; `by` heads the losses that train them."""
        count, self._rows, self._by = len(self._rows), rows, by
        if count != len(rows):
            self.updateGeometry()
        self.setVisible(bool(rows))
        said = [f"{row.name} {row.shape}: |∂L| {_number(row.gradient)}, {by} {row.trained_by}" for row in rows]
        self.setAccessibleDescription("; ".join(said))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the rows."""
        sizes = [row.gradient for row in self._rows if row.gradient is not None and math.isfinite(row.gradient)]
        scale, largest = self._appearance.text_scale, max(sizes, default=0.0)
        with smooth(self) as painter:
            self._draw_head(painter, QRectF(0, 0, self.width(), HEAD * scale))
            for place, shown in enumerate(self._rows):
                row = QRectF(0, (HEAD + place * ROW) * scale, self.width(), ROW * scale)
                self._draw_row(painter, row, shown, largest)

    def _draw_head(self, painter: QPainter, head: QRectF) -> None:
        theme, scale = self._appearance.theme, self._appearance.text_scale
        inked(painter, theme.color("text.primary"), font=font("ui", 12 * scale, 600))
        painter.drawText(head, LEFT, tr("Variables"))
        inked(painter, theme.color("text.secondary"), font=font("ui", 11 * scale))
        now, start = self._ends
        for end, text in ((now, "|∂L|"), (start, tr("at the start")), (head.width(), self._by)):
            painter.drawText(QRectF(0, 0, end, head.height()), RIGHT, text)

    def _draw_row(self, painter: QPainter, row: QRectF, shown: VariableRow, largest: float) -> None:
        theme, scale = self._appearance.theme, self._appearance.text_scale
        now, start = self._ends
        left = max(BAR_LEFT * scale, self._draw_name(painter, row, shown))
        track = QRectF(left, row.center().y() - BAR / 2, max(now - NOW * scale - left, 0), BAR)
        filled(painter, theme.color("bg.hover")).drawRoundedRect(track, BAR / 2, BAR / 2)
        if largest and shown.gradient is not None and math.isfinite(shown.gradient):
            track.setWidth(max(track.width() * shown.gradient / largest, BAR / 2))
            painter.setBrush(theme.color("grad.text"))
            painter.drawRoundedRect(track, BAR / 2, BAR / 2)
        for end, number, token in ((now, shown.gradient, "grad.text"), (start, shown.first, "text.secondary")):
            inked(painter, theme.color(token), font=font("mono", 12 * scale))
            painter.drawText(QRectF(0, row.top(), end, row.height()), RIGHT, _number(number))
        inked(painter, theme.color("text.secondary"), font=font("ui", 12 * scale))
        by = row.adjusted(start + 8, 0, 0, 0)
        text = painter.fontMetrics().elidedText(shown.trained_by, Qt.TextElideMode.ElideMiddle, int(by.width()))
        painter.drawText(by, RIGHT, text)

    @property
    def _ends(self) -> tuple[float, float]:
        """The right ends of the columns of numbers. Units: px."""
        start = self.width() - BY * self._appearance.text_scale
        return start - START * self._appearance.text_scale, start

    def _draw_name(self, painter: QPainter, row: QRectF, shown: VariableRow) -> float:
        """Draws the name, and the shape after it where that has room; returns where they end."""
        theme, scale = self._appearance.theme, self._appearance.text_scale
        most = self._ends[0] - (NOW + 46) * scale
        inked(painter, theme.color("text.primary"), font=font("ui", 12 * scale, 600))
        name = QFontMetricsF(painter.font()).elidedText(shown.name, Qt.TextElideMode.ElideMiddle, most)
        painter.drawText(row, LEFT, name)
        end = QFontMetricsF(painter.font()).horizontalAdvance(name) + 9
        inked(painter, theme.color("text.tertiary"), font=font("mono", 11 * scale))
        shape = QFontMetricsF(painter.font()).horizontalAdvance(shown.shape)
        if end + shape <= most:
            painter.drawText(row.adjusted(end, 0, 0, 0), LEFT, shown.shape)
            end += shape
        return end + 6


def _number(number: float | None) -> str:
    return "–" if number is None else fmt(number)
