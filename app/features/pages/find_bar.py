"""The bar over the canvas that finds a block, frame or note on any page and shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget

from gradwire.app.base.translation import tr, tr_count
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.search.entries import Entry
from gradwire.app.kit.search.entry_rows import ROW_HEIGHT, EntryDelegate
from gradwire.app.kit.search.places import places
from gradwire.app.kit.search.ranking import matches, ranked
from gradwire.app.kit.search.search_frame import Found, SearchFrame, make_list
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import ENTER_KEYS, make_column, make_row, make_tool, named
from gradwire.engine.graph.graph import Graph

WIDTH, ROWS_SHOWN, MOST = 340, 8, 200


class FindBar(SearchFrame):
    """The find bar: it lists matches while the user types.

    Enter, a click, next and previous emit `chosen(Thing)`; Escape emits `left`.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(
        self, appearance: Appearance, graph: Callable[[], Graph], page: Callable[[], str], parent: QWidget
    ) -> None:
        view = make_list("find_list", "")
        super().__init__(appearance, "find", tr("Find a block"), view, parent)
        named(self, "find_bar", says=tr("Find a block"))
        self._graph, self._page = graph, page
        self._was_chosen = False
        self._field.setPlaceholderText(tr("Name, type, frame or note"))
        self._message.setWordWrap(False)
        named(view, focus=Qt.FocusPolicy.NoFocus).setItemDelegate(EntryDelegate(appearance, self))
        view.clicked.connect(self.choose)
        buttons = [
            self._button("find_previous", tr("Previous hit"), "chev-left", partial(self._choose_by, -1)),
            self._button("find_next", tr("Next hit"), "chev-right", partial(self._choose_by, 1)),
            self._button("find_close", tr("Close"), "close", self.leave),
        ]
        row = make_row((self._field, 1), self._message, *buttons, spacing=4)
        make_column(row, view, inside=self, margins=8, spacing=6)
        self.setFixedWidth(WIDTH)
        self._fill("")
        self.hide()

    def open(self) -> None:
        """Shows the bar; its last query is selected, so that typing replaces it."""
        self.show()
        self.raise_()
        self._fill(self._field.text())
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def leave(self) -> None:
        """Closes the bar."""
        self.hide()
        self.left.emit()

    def found(self, query: str) -> Found:
        """Returns the blocks, frames and notes that match, and how many they are."""
        found = ranked(matches(places(self._graph(), self.chosen.emit, self._page()), query, is_loose=True))[:MOST]
        count = tr_count("1 hit", "{count} hits", len(found)) if found else tr("no hit")
        return found, count if query.strip() else ""

    def take(self, entry: Entry) -> None:
        """Goes to a match; Enter then goes on to the next one."""
        self._was_chosen = True
        entry.call()

    def takes_key(self, event: QKeyEvent, is_in_field: bool) -> bool:
        """Handles the field's keys that move through the list."""
        key, has_shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in (*ENTER_KEYS, Qt.Key.Key_F3) and (self._was_chosen or has_shift):
            self._choose_by(-1 if has_shift else 1)
        elif key == Qt.Key.Key_F3:
            self.choose(self._view.currentIndex())
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._move(1 if key == Qt.Key.Key_Down else -1)
        else:
            return super().takes_key(event, is_in_field)
        return True

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Puts entries into the list, which is as high as they are."""
        super().show_entries(entries)
        self._was_chosen = False
        rows = min(len(entries), ROWS_SHOWN)
        self._view.setVisible(rows > 0)
        self._view.setFixedHeight(max(rows * ROW_HEIGHT, 1))
        self.adjustSize()

    # Parts

    def _button(self, name: str, text: str, icon: str, call: Callable[[], None]) -> QToolButton:
        return themed(make_tool(call, self, name=name, words=text, size=(24, 24)), self._appearance, icon)

    def _move(self, step: int) -> None:
        if self._model.rowCount():
            self._was_chosen = False
            row = (self._view.currentIndex().row() + step) % self._model.rowCount()
            self._view.setCurrentIndex(self._model.index(row, 0))

    def _choose_by(self, step: int) -> None:
        """Goes to the next match, or the previous one; after the last comes the first."""
        self._move(step)
        self.choose(self._view.currentIndex())
