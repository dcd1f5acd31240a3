"""The text size of everything around the canvas: fonts and heights that widgets set for themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QChildEvent, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from shiboken6 import isValid

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.look.drawing import kept
from gradwire.app.look.widgets import OWN_SIZES

_USUAL = "usual_text"
# Qt's QWIDGETSIZE_MAX, which PySide6 does not name.
UNLIMITED = 16777215


class PanelTexts(QObject):
    """A filter that keeps the texts of a window at one scale. The appearance scales style sheet and default font."""

    def __init__(self, root: QWidget) -> None:
        super().__init__(root)
        self._root, self._scale = root, 1.0

    def set_scale(self, scale: float) -> None:
        """Scales every widget of the window, and widgets that are added later."""
        if scale != self._scale:
            self._scale = scale
            for widget in _panel_widgets(self._root):
                self._adjust(widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Scales a widget that has been added."""
        if isinstance(event, QChildEvent) and event.type() == QEvent.Type.ChildPolished:
            child = event.child()
            if isinstance(child, QWidget) and not isinstance(child, Canvas):
                self._take(child)
        return False

    def _take(self, child: QWidget) -> None:
        usual = child.property(_USUAL)
        if usual is None:
            for widget in _panel_widgets(child):
                self._adjust(widget)
        else:
            # The first polish has restored the font that the widget was made with.
            self._set_font(child, usual[0])

    def _set_font(self, widget: QWidget, px: int) -> None:
        if px:
            font = widget.font()
            font.setPixelSize(max(1, round(px * self._scale)))
            widget.setFont(font)

    def _adjust(self, widget: QWidget) -> None:
        if isinstance(widget, QTableView) and _paints_rows(widget):
            return  # a table of values derives its height from its rows
        usual = widget.property(_USUAL)
        if usual is None:
            usual = _usual(widget)
            widget.setProperty(_USUAL, usual)
            widget.installEventFilter(self)
        px, *room = usual
        self._set_font(widget, px)
        limits = (widget.setMaximumHeight, widget.setMinimumHeight, widget.setMaximumWidth, widget.setMinimumWidth)
        for value, put in zip(room, limits, strict=True):
            if value:
                put(round(value * self._scale))
        if isinstance(widget, QAbstractItemView):
            _scale_rows(widget, self._scale)


def _panel_widgets(root: QWidget) -> Iterator[QWidget]:
    yield root
    for child in root.children() if isValid(root) else ():
        # What fits no more in a widget of another size may be gone by now.
        if isinstance(child, QWidget) and isValid(child) and not isinstance(child, Canvas):
            yield from _panel_widgets(child)


def _usual(widget: QWidget) -> tuple[int, int, int, int, int]:
    """Returns the font size in px, and the maximum and minimum height and width that a widget set for itself.

    A 0 means that the widget leaves it to Qt.
    """
    px = widget.font().pixelSize() if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont) else 0
    around = widget.parentWidget()
    sizes_itself = widget.property(OWN_SIZES) or (around is not None and around.property(OWN_SIZES))
    if widget.isWindow() or sizes_itself:
        return px, 0, 0, 0, 0
    most = (widget.maximumHeight(), widget.maximumWidth())
    high, wide = (size if size < UNLIMITED else 0 for size in most)
    # A minimum height alone comes from the style sheet, which is scaled itself.
    low = high if widget.minimumHeight() == high else 0
    return px, high, low, wide, widget.minimumWidth()


def _paints_rows(view: QAbstractItemView) -> bool:
    return type(view.itemDelegate()).__module__.startswith("gradwire.app.")


def _scale_rows(view: QAbstractItemView, scale: float) -> None:
    """Scales rows that a view paints itself."""
    delegate = view.itemDelegate()
    if isinstance(delegate, ScaledRows):
        delegate.scale = scale
    elif _paints_rows(view):
        view.setItemDelegate(ScaledRows(delegate, scale, view))
    view.doItemsLayout()


class ScaledRows(QStyledItemDelegate):
    """A delegate that paints the rows of another delegate at a scale."""

    def __init__(self, inner: Any, scale: float, parent: QObject) -> None:  # Any: a delegate
        super().__init__(parent)
        self._inner, self.scale = inner, scale

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Returns the size of the row at the scale."""
        return QSize(self._inner.sizeHint(option, index) * self.scale)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paints the row at the scale."""
        rect, inner = option.rect, QStyleOptionViewItem(option)
        with kept(painter):
            painter.translate(rect.topLeft())
            painter.scale(self.scale, self.scale)
            inner.rect = QRect(0, 0, round(rect.width() / self.scale), round(rect.height() / self.scale))
            self._inner.paint(painter, inner, index)
