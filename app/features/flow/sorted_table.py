"""A sortable table of a lens, by its headings or by a box for the keyboard, with optional bars."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.flow.bars import BarColumn
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.lens.rows import RowsTable, TableRow
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import named

CHOICE_HEIGHT = 26


@dataclass(frozen=True)
class Column:
    """A column: its heading and width, and the text and sort key of each record.

    One column of a table may show bars instead of texts: `bar` returns a share from -1 to 1. `tip` explains the
    heading.
    """

    heading: str
    width: int
    text: Callable[[Any], str]  # Any: each lens has records of its own
    key: Callable[[Any], Any]
    is_number: bool = True
    bar: Callable[[Any], float] | None = None
    tip: str = ""


@dataclass(frozen=True)
class Entry:
    """A record with its place, and the colour, icon and tip of its row."""

    place: Hashable
    record: Any
    token: str = "text.primary"
    icon: str = ""
    tip: str = ""


class SortedTable(RowsTable):
    """A table of entries in their given order, or sorted by a column. The user's sorting emits `order_changed()`.

    `choice` is a box for the keyboard, equivalent to clicks on the headings.
    """

    order_changed = Signal()

    def __init__(self, appearance: Appearance, first: str, columns: Sequence[Column], parent: QWidget) -> None:
        numbers = [row for row, column in enumerate(columns) if column.is_number]
        widths = [column.width for column in columns]
        super().__init__(appearance, lambda: [column.heading for column in columns], widths, numbers, parent)
        self.rows.tips = tuple(column.tip for column in columns)
        self._columns, self._entries, self._said = columns, list[Entry](), ""
        self._column, self._is_descending = -1, False
        self.choice = named(ChoiceBox(self), says=tr("Sort by"))
        # Hidden here; the strip above the lens shows it.
        self.choice.hide()
        self.choice.setMaximumHeight(CHOICE_HEIGHT)
        self.choice.addItems([first, *(column.heading for column in columns)])
        self.choice.activated.connect(lambda row: self.sort_by(row - 1))
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorClearable(True)
        header.sectionClicked.connect(self._sort_by_click)
        for row, column in enumerate(columns):
            if column.bar is not None:
                self.setItemDelegateForColumn(row, BarColumn(appearance, self))

    def show_entries(self, entries: Sequence[Entry], message: str = "") -> None:
        """Shows these entries, or the message if there are none."""
        self._entries, self._said = list(entries), message
        self._fill()

    def sort_by(self, column: int, is_descending: bool | None = None) -> None:
        """Sorts by a column, numbers in descending order; -1 restores the given order."""
        self._column = column
        is_number = column >= 0 and self._columns[column].is_number
        self._is_descending = is_number if is_descending is None else is_descending
        self.choice.setCurrentIndex(column + 1)
        header = self.horizontalHeader()
        header.setSortIndicatorShown(column >= 0)
        order = Qt.SortOrder.DescendingOrder if self._is_descending else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(column, order)
        self._fill()
        self.order_changed.emit()

    def _sort_by_click(self, column: int) -> None:
        self.sort_by(column, not self._is_descending if column == self._column else None)

    def _shown(self) -> list[Entry]:
        if self._column < 0:
            return self._entries
        key = self._columns[self._column].key
        return sorted(self._entries, key=lambda entry: key(entry.record), reverse=self._is_descending)

    def _fill(self) -> None:
        self.show_rows([self._row(entry) for entry in self._shown()], self._said)

    def _row(self, entry: Entry) -> TableRow:
        texts = tuple(column.text(entry.record) for column in self._columns)
        bars = [column.bar(entry.record) for column in self._columns if column.bar is not None]
        return TableRow(entry.place, texts, (entry.token,), entry.icon, entry.tip, (bars[0], False) if bars else None)
