"""An editable table of a tensor's elements: a vector, a matrix, or one slice of a higher rank."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gradwire.app.base.table_text import exact_text
from gradwire.app.base.tensor_edits import Cells, table_of, table_shape
from gradwire.app.base.translation import decimal, tr
from gradwire.app.kit.tables.cell_model import CellModel
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import MINUS
from gradwire.app.look.rows import Index
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import ENTER_KEYS, named
from gradwire.engine.base.tensor_spec import Array

# With more lines, the total height overflows Qt's coordinates.
LINES_KEPT = 10_000_000
ROW_HEIGHT, CELL_WIDTH = 24, 84
_Role = Qt.ItemDataRole


class GridModel(CellModel):
    """The model of a tensor's table. It changes nothing itself, but emits `cell_typed(row, column, text)`."""

    cell_typed = Signal(int, int, str)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        # The displayed rows and columns.
        self.table: Array = np.zeros((0, 1))

    def show_slice(self, array: Array, index: tuple[int, ...]) -> None:
        """Shows a tensor's slice at an index along all axes but the last two."""
        table = table_of(array, index)
        with self.changing(table_shape(array) == self.table.shape):
            self.table = table

    def size(self) -> tuple[int, int]:
        """Returns the numbers of displayed rows and columns, as far as Qt can count them."""
        rows, columns = self.table.shape
        return min(int(rows), LINES_KEPT), min(int(columns), LINES_KEPT)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Returns the flags of a cell; all cells are editable."""
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        """Returns the indices, which start at 0."""
        return str(section) if role == _Role.DisplayRole else None

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        """Returns a cell: rounded for display, exact for editing; non-finite numbers have the alarm colour."""
        if role == _Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        item = self.table[index.row(), index.column()]
        if role == _Role.EditRole:
            return exact_text(item)
        if role == _Role.DisplayRole:
            return exact_text(item) if item.dtype.kind != "f" else decimal(f"{item:.6g}".replace("-", MINUS))
        if role == _Role.ForegroundRole and not np.isfinite(item):
            return self._appearance.theme.color("alarm")
        return None

    def setData(self, index: Index, value: Any, role: int = _Role.EditRole) -> bool:
        """Emits the typed text; the same text again changes nothing."""
        if role != _Role.EditRole or str(value) == self.data(index, role):
            return False
        self.cell_typed.emit(index.row(), index.column(), str(value))
        return True


class GridView(QTableView):
    """The table: users type into it, and move by arrow keys and Enter."""

    def __init__(self, model: GridModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setModel(model)
        named(self, "tensor_table", says=tr("Elements"), font=font("mono", 11.5))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.AnyKeyPressed | triggers.EditKeyPressed)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        for header, size in ((self.horizontalHeader(), CELL_WIDTH), (self.verticalHeader(), ROW_HEIGHT)):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setMinimumSectionSize(ROW_HEIGHT)
            header.setDefaultSectionSize(size)
            header.setHighlightSections(True)

    def sizeHint(self) -> QSize:
        """Returns a size for about eight by eight cells."""
        return QSize(8 * CELL_WIDTH, 9 * ROW_HEIGHT)

    def chosen_cells(self, index: tuple[int, ...]) -> Cells | None:
        """Returns the selected rectangle or the current cell, in the slice at an index; None if there is no cell."""
        ranges = self.selectionModel().selection()
        if ranges.count():
            top = ranges.first()
            return Cells(index, top.top(), top.left(), top.height(), top.width())
        current = self.currentIndex()
        return Cells(index, current.row(), current.column()) if current.isValid() else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves to the cell below on Enter."""
        if event.key() in ENTER_KEYS:
            self.setCurrentIndex(self.currentIndex().siblingAtRow(self.currentIndex().row() + 1))
        else:
            super().keyPressEvent(event)
