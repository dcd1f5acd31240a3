"""The delegate that paints entries, and the field above them."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gradwire.app.kit.search.entries import ENTRY, Entry
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import RIGHT, inked
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import Index, RowDelegate, draw_key_chip
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import named

ROW_HEIGHT, MARGIN = 28, 10
_ELIDED, _MIDDLE = Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle


class EntryDelegate(RowDelegate):
    """A delegate for entries."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, QSize(100, ROW_HEIGHT))

    def draw(self, painter: QPainter, theme: Theme, rect: QRect, index: Index) -> None:
        """Draws an entry, with room at its left and right."""
        draw_entry(painter, theme, rect.adjusted(MARGIN, 0, -MARGIN, 0), index.data(ENTRY))


def draw_entry(painter: QPainter, theme: Theme, rect: QRect, entry: Entry) -> None:
    """Draws icon and name on the left, key, detail and formula on the right as far as the name leaves room."""
    if entry.is_heading:
        inked(painter, theme.color("text.tertiary"), font=font("ui", 11, 600))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, entry.text)
        return
    if entry.icon:
        token = entry.token if entry.is_possible else "text.disabled"
        draw_icon(painter, entry.icon, theme.color(token), icon_box(rect, 0))
    left, right = rect.left() + 21, rect.right()
    if entry.key:
        right = round(draw_key_chip(painter, theme, entry.key, right, rect.center().y())) - 10
    needed = QFontMetrics(font("ui", 12)).horizontalAdvance(entry.text) + 12
    painter.setPen(theme.color("text.tertiary" if entry.is_possible else "text.disabled"))
    for kind, text in (("ui", entry.detail), ("mono", entry.formula)):
        painter.setFont(font(kind, 11))
        width, room = painter.fontMetrics().horizontalAdvance(text), right - left - needed
        # A long text such as a folder is cut rather than left out.
        if text and (width <= room or room > rect.width() // 3):
            shown = painter.fontMetrics().elidedText(text, _MIDDLE, room)
            painter.drawText(QRect(left, rect.top(), right - left, rect.height()), RIGHT, shown)
            right -= min(width, room) + 12
    inked(painter, theme.color("text.primary" if entry.is_possible else "text.disabled"), font=font("ui", 12))
    name = painter.fontMetrics().elidedText(entry.text, _ELIDED, right - left)
    painter.drawText(QRect(left, rect.top(), right - left, rect.height()), Qt.AlignmentFlag.AlignVCenter, name)


def icon_box(rect: QRect, left: int, px: int = 14) -> QRectF:
    """Returns the square of an icon in a row."""
    return QRectF(rect.left() + left, rect.center().y() - px // 2 + 1, px, px)


class SearchField(QLineEdit):
    """A field with a magnifying glass."""

    def __init__(self, appearance: Appearance, hint: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        named(self, name, says=hint, height=28)
        self.setPlaceholderText(hint)
        self.setTextMargins(19, 0, 0, 0)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Returns the fixed height: shown, the field has the least one of the style sheet, which is lower."""
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the field, then the icon."""
        super().paintEvent(event)
        color = self._appearance.theme.color("text.secondary")
        with QPainter(self) as painter:
            draw_icon(painter, "search", color, QRectF(9, self.height() / 2 - 7, 14, 14))
