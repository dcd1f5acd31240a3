"""A table column that shows amounts as bars around zero."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from gradwire.app.kit.lens.rows import BAR_ROLE
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import inked
from gradwire.app.look.rows import Index, RowDelegate
from gradwire.app.look.theme import Theme

BAR, MARGIN = 10.0, 6.0
WIDTH = 104


class BarColumn(RowDelegate):
    """A delegate for bars from the middle, of a length from -1 to 1; a cut path has an outline."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, QSize(WIDTH, round(BAR) + 8))

    def draw(self, painter: QPainter, theme: Theme, rect: QRect, index: Index) -> None:
        """Draws the zero line and the bar."""
        bar, box = index.data(BAR_ROLE), QRectF(rect).adjusted(MARGIN, 0, -MARGIN, 0)
        zero = box.center()
        painter.setPen(QPen(theme.color("border.strong"), 1))
        painter.drawLine(QPointF(zero.x(), box.top() + 3), QPointF(zero.x(), box.bottom() - 3))
        if bar is not None:
            share, is_cut = bar
            width = share * box.width() / 2
            color = theme.diverging(0.9 if share > 0 else -0.9)
            shape = QRectF(zero.x(), zero.y() - BAR / 2, width, BAR).normalized()
            if is_cut:
                inked(painter, QPen(color, 1, Qt.PenStyle.DashLine)).drawRect(shape)
            else:
                painter.fillRect(shape, color)
