"""The tab bar of the pages, and the field that renames a page."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QTabBar, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named

HEIGHT = 28
# A tab is not made narrower than this for the sake of others. Units: px.
LEAST = 150


class PageBar(QTabBar):
    """Tabs that the user can drag. Each drop at another place emits `dropped(from, to)` once."""

    dropped = Signal(int, int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, drawBase=False, expanding=False, movable=True, usesScrollButtons=True)
        self._start = -1
        named(self, "page_bar", says=tr("Pages"), font=font("ui", 12), focus=Qt.FocusPolicy.StrongFocus)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setIconSize(QSize(14, 14))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def minimumSizeHint(self) -> QSize:
        """Returns a smaller width than Qt's, which leaves a gap after a single tab."""
        return QSize(40, HEIGHT)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Returns the size with the whole name, if that is not long: many tabs scroll rather than lose their words."""
        size = self.tabSizeHint(index)
        return QSize(min(size.width(), LEAST), size.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Selects a tab and may begin to drag it."""
        super().mousePressEvent(event)
        self._start = self.currentIndex() if event.button() is Qt.MouseButton.LeftButton else -1

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ends a drag and emits the move."""
        super().mouseReleaseEvent(event)
        start, self._start = self._start, -1
        if start not in (-1, self.currentIndex()):
            self.dropped.emit(start, self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Cancels a drag on Escape."""
        if event.key() == Qt.Key.Key_Escape and self._start >= 0:
            self._cancel()
        else:
            super().keyPressEvent(event)

    def _cancel(self) -> None:
        start, self._start = self._start, -1
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        kind, nowhere = QEvent.Type.MouseButtonRelease, QPointF()
        super().mouseReleaseEvent(QMouseEvent(kind, nowhere, nowhere, left, none, Qt.KeyboardModifier.NoModifier))
        self.moveTab(self.currentIndex(), start)


class NameField(QLineEdit):
    """A field over a tab. `accepted(old, new)` asks to rename; Escape and a lost focus cancel."""

    accepted = Signal(str, str)

    def __init__(self, bar: QTabBar) -> None:
        super().__init__(bar, maxLength=64)
        self._old, self._bar = "", bar
        named(self, "page_name", says=tr("Name of the page")).hide()
        self.textEdited.connect(partial(self.mark, ""))
        self.returnPressed.connect(self._accept)

    def open_over(self, place: int, name: str) -> None:
        """Opens over a tab; the whole name is selected."""
        self._old = name
        self.setText(name)
        self.mark("")
        room = self._bar.tabRect(place)
        self.setGeometry(room.left() + 4, 4, max(room.width() - 8, 96), self._bar.height() - 8)
        self.show()
        self.raise_()
        self.selectAll()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Closes the field on Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Cancels the renaming when the field loses the focus."""
        super().focusOutEvent(event)
        self.hide()

    def _accept(self) -> None:
        if self.text() == self._old:
            self._leave()
        else:
            self.accepted.emit(self._old, self.text())

    def _leave(self) -> None:
        self.hide()
        self._bar.setFocus(Qt.FocusReason.OtherFocusReason)

    def mark(self, state: str, *_: object) -> None:
        """Marks the name as invalid by the state `error`; "" removes the mark."""
        if self.property("state") != state:
            self.setProperty("state", state)
            self.style().unpolish(self)
            self.style().polish(self)
