"""A table column that shows amounts as bars around zero."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gradwire.app.lenses.base.rows import BAR_ROLE, Index
from gradwire.app.look.appearance import Appearance
from gradwire.app.panels.palette.palette import draw_row_back

BAR, MARGIN = 10.0, 6.0
WIDTH = 104


class BarColumn(QStyledItemDelegate):
    """A delegate for bars from the middle, of a length from -1 to 1; a cut path has an outline."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def sizeHint(self, _: QStyleOptionViewItem, __: Index) -> QSize:  # Qt's name
        """Returns the size of a bar."""
        return QSize(WIDTH, round(BAR) + 8)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints the zero line and the bar."""
        theme, bar = self._appearance.theme, index.data(BAR_ROLE)
        painter.save()
        draw_row_back(painter, theme, option)
        box = QRectF(option.rect).adjusted(MARGIN, 0, -MARGIN, 0)
        zero = box.center()
        painter.setPen(QPen(theme.color("border.strong"), 1))
        painter.drawLine(QPointF(zero.x(), box.top() + 3), QPointF(zero.x(), box.bottom() - 3))
        if bar is not None:
            share, is_cut = bar
            width = share * box.width() / 2
            color = theme.diverging(0.9 if share > 0 else -0.9)
            rect = QRectF(zero.x(), zero.y() - BAR / 2, width, BAR).normalized()
            if is_cut:
                painter.setPen(QPen(color, 1, Qt.PenStyle.DashLine))
                painter.drawRect(rect)
            else:
                painter.fillRect(rect, color)
        painter.restore()
