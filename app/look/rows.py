"""Rows of lists: their background, the box around a key, and a delegate that paints them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import CENTRE, inked, kept
from gradwire.app.look.theme import Theme, font

Index = QModelIndex | QPersistentModelIndex


class RowDelegate(QStyledItemDelegate):
    """A delegate that paints the background of a row; a subclass draws what stands on it."""

    def __init__(self, appearance: Appearance, parent: QWidget, size: QSize) -> None:
        super().__init__(parent)
        self._appearance, self._size = appearance, size

    def sizeHint(self, _: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002  # Qt's name
        """Returns the size of all rows."""
        return self._size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints the background, then what stands on it."""
        with kept(painter):
            draw_row_back(painter, self._appearance.theme, option)
            self.draw(painter, self._appearance.theme, QRect(option.rect), index)

    def draw(self, painter: QPainter, theme: Theme, rect: QRect, index: Index) -> None:
        """Draws what stands on a row."""
        raise NotImplementedError


def draw_row_back(painter: QPainter, theme: Theme, option: QStyleOptionViewItem) -> None:
    """Draws the background of a row: hover, selection, and a ring for the keyboard focus."""
    state = option.state
    rect: QRect = option.rect
    is_selected = bool(state & QStyle.StateFlag.State_Selected)
    if is_selected or state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, theme.color("bg.selected" if is_selected else "bg.hover"))
    if state & QStyle.StateFlag.State_HasFocus:
        inked(painter, QPen(theme.color("focus"), 2), Qt.BrushStyle.NoBrush).drawRect(rect.adjusted(1, 1, -1, -1))


def draw_key_chip(painter: QPainter, theme: Theme, text: str, right: float, middle: float) -> float:
    """Draws a key's name in a small box that ends at `right`; returns the box's left edge."""
    width = key_chip_width(text)
    box = QRectF(right - width + 0.5, round(middle) - 8.5, width - 1, 16)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inked(painter, QPen(theme.color("border.default"), 1), Qt.BrushStyle.NoBrush).drawRoundedRect(box, 4, 4)
    inked(painter, theme.color("text.secondary"), font=font("mono", 10)).drawText(box, CENTRE, text)
    return box.left()


def key_chip_width(text: str) -> int:
    """Returns the width of the box around a key's name."""
    return QFontMetrics(font("mono", 10)).horizontalAdvance(text) + 10
