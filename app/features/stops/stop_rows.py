"""A delegate for a stop's row in two parts: its name with the number of wires, and its effect."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter, QTextLayout
from PySide6.QtWidgets import QStyleOptionViewItem

from gradwire.app.look.drawing import inked
from gradwire.app.look.rows import Index, RowDelegate
from gradwire.app.look.theme import Theme, font

# Units: px.
HEIGHT, LINE, MARGIN, ABOVE, ICON, GAP = 58, 17, 6, 3, 16, 6
_SIDE = Qt.AlignmentFlag.AlignVCenter


class StopRow(RowDelegate):
    """A row whose first column spans its whole width; texts that do not fit are elided."""

    def sizeHint(self, _: QStyleOptionViewItem, __: Index) -> QSize:  # Qt's name
        """Returns the height of the name and two lines."""
        return QSize(0, round(HEIGHT * self._appearance.text_scale))

    def draw(self, painter: QPainter, theme: Theme, rect: QRect, index: Index) -> None:
        """Draws the icon, the name and the effect of a stop."""
        scale = self._appearance.text_scale
        left, top, high = rect.left() + MARGIN, rect.top() + ABOVE, round(LINE * scale)
        sign = index.data(Qt.ItemDataRole.DecorationRole)
        if isinstance(sign, QIcon):
            sign.paint(painter, left, top, ICON, high)
        head = QRect(left + ICON + GAP, top, rect.width() - 2 * MARGIN - ICON - GAP, high)
        inked(painter, index.data(Qt.ItemDataRole.ForegroundRole), font=font("ui", 12 * scale, 600))
        name = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideMiddle, head.width())
        painter.drawText(head, _SIDE, name)
        text_font = font("ui", 12 * scale)
        inked(painter, theme.color("text.secondary"), font=text_font)
        for line in two_lines(index.sibling(index.row(), 2).data(), text_font, head.width()):
            head.translate(0, high)
            painter.drawText(head, _SIDE, line)


def two_lines(text: str, used: QFont, width: int) -> list[str]:
    """Returns a text in at most two lines of a width, elided if it does not fit."""
    layout = QTextLayout(text, used)
    layout.beginLayout()
    first = layout.createLine()
    first.setLineWidth(width)
    count = first.textLength()
    layout.endLayout()
    metrics = QFontMetrics(used)
    lines = (text[:count].strip(), text[count:].strip())
    return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in lines if line]
