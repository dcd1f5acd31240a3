"""A field above the entries that fit what is typed in it, in a panel or as a popup."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from gradwire.app.kit.search.entries import ENTRY, Entry, EntryModel
from gradwire.app.kit.search.entry_rows import EntryDelegate, SearchField
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import ENTER_KEYS, make_column, make_label, named, show_or_hide

_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
Found = tuple[Sequence[Entry], str]


class SearchFrame(QFrame):
    """A search: `found` says what a query finds, `take` what a choice does, and `leave` what Escape does.

    The field keeps the keyboard: its keys move through the list and choose from it.
    """

    def __init__(
        self, appearance: Appearance, name: str, hint: str, view: QAbstractItemView, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self._appearance, self._view, self._model = appearance, view, EntryModel(self)
        self._field = SearchField(appearance, hint, f"{name}_field", self)
        self._field.textChanged.connect(self._fill)
        self._message = make_label("", self, name=f"{name}_message", look="quiet", wraps=True)
        view.setModel(self._model)
        view.setMouseTracking(True)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for part in (self._field, view):
            part.installEventFilter(self)
        appearance.changed.connect(view.viewport().update)

    def found(self, query: str) -> Found:
        """Returns the entries for a query, and a message about them."""
        raise NotImplementedError

    def take(self, entry: Entry) -> None:
        """Carries out a choice."""
        entry.call()

    def leave(self) -> None:
        """Ends the search."""
        self.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handles the keys of the field and the list."""
        is_press = event.type() == QEvent.Type.KeyPress
        is_taken = is_press and isinstance(event, QKeyEvent) and self.takes_key(event, watched is self._field)
        return is_taken or super().eventFilter(watched, event)

    def takes_key(self, event: QKeyEvent, is_in_field: bool) -> bool:
        """Handles a key; returns whether it was one of the search."""
        if event.key() in ENTER_KEYS:
            self.choose(self._view.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif is_in_field and event.key() in _MOVES:
            self._view.keyPressEvent(event)
        else:
            return False
        return True

    def choose(self, index: QModelIndex) -> None:
        """Takes the entry of a row."""
        if isinstance(entry := index.data(ENTRY), Entry):
            self.take(entry)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Puts entries into the list; the first that is no heading becomes current."""
        self._model.fill(entries)
        first = next((row for row, entry in enumerate(entries) if not entry.is_heading), 0)
        self._view.setCurrentIndex(self._model.index(first, 0))

    def _fill(self, query: str) -> None:
        entries, message = self.found(query)
        show_or_hide(self._message, message)
        self.show_entries(entries)


class ListPopup(SearchFrame):
    """A popup that closes on a choice, on Escape and on a click elsewhere; each time it emits `closed`."""

    closed = Signal()

    def __init__(
        self, appearance: Appearance, name: str, hint: str, says: str, size: QSize, parent: QWidget | None
    ) -> None:
        view = make_list(f"{name}_list", says)
        super().__init__(appearance, name, hint, view, parent)
        view.setItemDelegate(EntryDelegate(appearance, self))
        view.clicked.connect(self.choose)
        self.setWindowFlags(Qt.WindowType.Popup)
        named(self, f"{name}_popup", look="popup", size=size.toTuple())
        self._field.setFixedHeight(36)
        self._hint = make_label("", self, name=f"{name}_hint", look="quiet", wraps=True)
        make_column(self._field, self._message, view, self._hint, inside=self, margins=8, spacing=6)
        for label in (self._message, self._hint):
            label.setContentsMargins(10, 2, 10, 2)

    def open_with_corner(self, corner: QPoint) -> None:
        """Opens the popup empty, its corner at a point of the screen or as near as it fits."""
        self._field.clear()
        self._fill("")
        self.move(self._on_screen(corner))
        self.show()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def take(self, entry: Entry) -> None:
        """Closes the popup and carries out a choice; if that is not possible now, it stays open."""
        if entry.is_possible:
            self.close()
            entry.call()

    def hideEvent(self, _: QHideEvent) -> None:
        """Emits `closed`, whatever hid the popup."""
        self.closed.emit()

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Puts entries into the list, and below it how to use the first."""
        super().show_entries(entries)
        show_or_hide(self._hint, next((entry.hint for entry in entries if not entry.is_heading), ""))

    def _on_screen(self, corner: QPoint) -> QPoint:
        screen = QGuiApplication.screenAt(corner) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        left = min(max(corner.x(), room.left()), room.right() - self.width())
        return QPoint(left, min(max(corner.y(), room.top()), room.bottom() - self.height()))


def make_list(name: str, says: str) -> QListView:
    """Returns a list of rows of one height."""
    view = named(QListView(), name, says=says)
    view.setUniformItemSizes(True)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
    return view
