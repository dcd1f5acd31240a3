"""The trainable variables: for each its shape, the size of its gradient as a bar and a number, and step / weight."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.training.short_names import short_names
from gradwire.app.kit.controls.themed import ThemedWidget
from gradwire.app.live.readings.round_log import RoundLog
from gradwire.app.live.readings.series import GRADIENT, STEP
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import RIGHT, filled, inked, smooth
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import font

HEAD, ROW, BAR, NUMBER, SHARE = 22, 22, 5, 66, 58
# The bar is empty so many powers of ten below the largest gradient.
DECADES = 4


class _Row(NamedTuple):
    """Row of the list: name, shape, and the newest sizes of gradient and step."""

    name: str
    shape: str
    gradient: float | None
    step: float | None


class VariableList(ThemedWidget):
    """A row for each variable. Bars are logarithmic: full at the largest gradient, empty four powers of ten below."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, "training_variables", says=tr("Trainable variables"))
        self._rows: list[_Row] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Returns the height of all rows."""
        scale = self._appearance.text_scale
        return QSize(200, int((HEAD + ROW * len(self._rows)) * scale) if self._rows else 0)

    def show_log(self, log: RoundLog, shapes: Mapping[str, str]) -> None:
        """Shows the newest sizes of some variables, by name with their shapes."""
        short = short_names(shapes)
        rows = [
            _Row(short[name], shape, log.newest(GRADIENT + name), log.newest(STEP + name))
            for name, shape in shapes.items()
        ]
        before, self._rows = self._rows, rows
        if len(before) != len(rows):
            self.updateGeometry()
        self.setVisible(bool(rows))
        said = [f"{row.name} {row.shape}: |∂L| {_number(row.gradient)}, {_percent(row.step)}" for row in rows]
        self.setAccessibleDescription("; ".join(said))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the rows."""
        theme, scale = self._appearance.theme, self._appearance.text_scale
        sizes = [row.gradient for row in self._rows if row.gradient is not None and math.isfinite(row.gradient)]
        largest, width = max(sizes, default=0.0), float(self.width())
        number, share = NUMBER * scale, SHARE * scale
        with smooth(self) as painter:
            inked(painter, theme.color("text.primary"), font=font("ui", 12 * scale, 600))
            head = QRectF(0, 0, width, HEAD * scale)
            painter.drawText(head, Qt.AlignmentFlag.AlignVCenter, tr("Variables"))
            inked(painter, theme.color("text.tertiary"), font=font("ui", 10.5 * scale))
            painter.drawText(head, RIGHT, tr("|∂L| and step / weight"))
            for place, shown in enumerate(self._rows):
                row = QRectF(0, (HEAD + place * ROW) * scale, width, ROW * scale)
                room = row.width() - number - share
                self._draw_name(painter, QRectF(row.left(), row.top(), 0.5 * room, row.height()), shown)
                track = QRectF(0.52 * room, row.center().y() - BAR / 2, 0.46 * room, BAR)
                filled(painter, theme.color("bg.hover")).drawRoundedRect(track, BAR / 2, BAR / 2)
                track.setWidth(track.width() * _filled(shown.gradient, largest))
                inked(painter, brush=theme.color("grad.text")).drawRoundedRect(track, BAR / 2, BAR / 2)
                inked(painter, theme.color("grad.text"), font=font("mono", 11 * scale))
                painter.drawText(QRectF(room, row.top(), number, row.height()), RIGHT, _number(shown.gradient))
                inked(painter, theme.color("text.secondary")).drawText(row, RIGHT, _percent(shown.step))

    def _draw_name(self, painter: QPainter, room: QRectF, shown: _Row) -> None:
        """Draws the name, and the shape after it where that has room."""
        theme, scale = self._appearance.theme, self._appearance.text_scale
        painter.setFont(font("ui", 11.5 * scale))
        metrics = QFontMetricsF(painter.font())
        text = metrics.elidedText(shown.name, Qt.TextElideMode.ElideLeft, room.width())
        inked(painter, theme.color("text.primary")).drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        rest = room.adjusted(metrics.horizontalAdvance(text) + 6, 0, 0, 0)
        painter.setFont(font("mono", 10 * scale))
        if QFontMetricsF(painter.font()).horizontalAdvance(shown.shape) <= rest.width():
            painter.setPen(theme.color("text.tertiary"))
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, shown.shape)


def _filled(size: float | None, largest: float) -> float:
    if size is None or not math.isfinite(size) or size <= 0 or largest <= 0:
        return 0.0
    return max(0.0, 1 + math.log10(size / largest) / DECADES)


def _number(size: float | None) -> str:
    return "–" if size is None else fmt(size)


def _percent(step: float | None) -> str:
    return "–" if step is None else f"{fmt(100 * step)} %" if math.isfinite(step) else fmt(step)
