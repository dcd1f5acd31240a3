"""A popup with a field above the entries that fit what is typed in it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from gradwire.app.kit.search.entries import ENTRY, Entry, EntryModel
from gradwire.app.kit.search.entry_rows import EntryDelegate, SearchField
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import ENTER_KEYS, make_column, make_label, named, show_or_hide

_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
Found = tuple[Sequence[Entry], str]


class ListPopup(QFrame):
    """A search as a popup: `found` says what a query finds, `take` what a choice does.

    It closes on a choice, on Escape and on a click elsewhere; each time it emits `closed`. The field keeps the
    keyboard: its keys move through the list and choose from it.
    """

    closed = Signal()

    def __init__(
        self, appearance: Appearance, name: str, hint: str, says: str, size: QSize, parent: QWidget | None
    ) -> None:
        """`size` is that at texts of 100 %."""
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Popup)
        named(self, f"{name}_popup", look="popup")
        self._appearance, self._size, self._model = appearance, size, EntryModel(self)
        self._view = view = named(QListView(uniformItemSizes=True), f"{name}_list", says=says)
        self._field = named(SearchField(appearance, hint, f"{name}_field", self), height=36)
        self._field.textChanged.connect(self._fill)
        view.setModel(self._model)
        view.setMouseTracking(True)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setItemDelegate(EntryDelegate(appearance, self))
        view.clicked.connect(self.choose)
        for part in (self._field, view):
            part.installEventFilter(self)
        appearance.changed.connect(view.viewport().update)
        self._message, self._hint = (
            make_label("", self, name=f"{name}_{part}", look="quiet", wraps=True) for part in ("message", "hint")
        )
        make_column(self._field, self._message, view, self._hint, inside=self, margins=8, spacing=6)
        for label in (self._message, self._hint):
            label.setContentsMargins(10, 2, 10, 2)

    @property
    def usual_width(self) -> int:
        """The width at the present size of texts."""
        return round(self._size.width() * self._appearance.text_scale)

    def open_with_corner(self, corner: QPoint, width: int = 0) -> None:
        """Opens the popup empty, its corner at a point of the screen or as near as it fits there and in its window."""
        room = self._room(corner)
        height = round(self._size.height() * self._appearance.text_scale)
        self.setFixedSize(min(width or self.usual_width, room.width()), min(height, room.height()))
        self._field.clear()
        self._fill("")
        left = max(min(corner.x(), room.left() + room.width() - self.width()), room.left())
        self.move(left, max(min(corner.y(), room.top() + room.height() - self.height()), room.top()))
        self.show()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _room(self, corner: QPoint) -> QRect:
        """Returns the part of the screen for it: its window, if that has room for it."""
        screen = QGuiApplication.screenAt(corner) or QGuiApplication.primaryScreen()
        room, window = screen.availableGeometry(), self.parentWidget()
        inside = room if window is None else room & window.window().geometry()
        return inside if QRect(QPoint(), inside.size()).contains(QRect(QPoint(), self._size)) else room

    def found(self, query: str) -> Found:
        """Returns the entries for a query, and a message about them."""
        raise NotImplementedError

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
            self.close()
        elif is_in_field and event.key() in _MOVES:
            self._view.keyPressEvent(event)
        else:
            return False
        return True

    def choose(self, index: QModelIndex) -> None:
        """Takes the entry of a row."""
        if isinstance(entry := index.data(ENTRY), Entry):
            self.take(entry)

    def take(self, entry: Entry) -> None:
        """Closes the popup and carries out a choice; if that is not possible now, it stays open."""
        if entry.is_possible:
            self.close()
            entry.call()

    def hideEvent(self, _: QHideEvent) -> None:
        """Emits `closed`, whatever hid the popup."""
        self.closed.emit()

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Puts entries into the list, and below it how to use the first that is no heading, which becomes current."""
        self._model.fill(entries)
        first = next((row for row, entry in enumerate(entries) if not entry.is_heading), 0)
        self._view.setCurrentIndex(self._model.index(first, 0))
        show_or_hide(self._hint, entries[first].hint if first < len(entries) else "")

    def _fill(self, query: str) -> None:
        entries, message = self.found(query)
        show_or_hide(self._message, message)
        self.show_entries(entries)
