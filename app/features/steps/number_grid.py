"""The numbers of a step as a small table, with the total of each column in the last line."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QTableView, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.tables.cell_model import CellModel
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import RIGHT
from gradwire.app.look.numbers import fmt
from gradwire.app.look.rows import Index
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named
from gradwire.engine.explain.step_numbers import Column, NumberTable

ROW, HEADER, BAR = 20, 22, 12
_TOKENS = {"arrives": "grad.text", "value": "value", "sends": "grad.text", "part": "grad.text"}
EMPTY = NumberTable((), (), 0)


class _Model(CellModel):
    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.table, self.is_forward = EMPTY, False

    def show(self, table: NumberTable, is_forward: bool) -> None:
        with self.changing():
            self.table, self.is_forward = table, is_forward

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.table.columns

    @property
    def has_totals(self) -> bool:
        return any(column.total is not None for column in self.columns)

    def size(self) -> tuple[int, int]:
        longest = max((len(column.numbers) for column in self.columns), default=0)
        return longest + self.has_totals, len(self.columns)

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if way == Qt.Orientation.Horizontal:
            return self._heading(self.columns[section])
        return self.table.rows[section] if section < len(self.table.rows) else ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # Any: the type depends on the role
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(column, index.row())
        if role == Qt.ItemDataRole.ToolTipRole and self._is_total(index.row()):
            return tr("Sum") if column.role == "part" else tr("Size")
        if role == Qt.ItemDataRole.ForegroundRole:
            token = "value" if self.is_forward else _TOKENS[column.role]
            return self._appearance.theme.color("text.tertiary" if self._is_total(index.row()) else token)
        return RIGHT if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _is_total(self, row: int) -> bool:
        return self.has_totals and row == self.rowCount() - 1

    def _text(self, column: Column, row: int) -> str:
        if self._is_total(row):
            if column.total is None:
                return ""
            return fmt(column.total) if column.role == "part" else f"|{fmt(column.total)}|"
        return fmt(column.numbers[row]) if row < len(column.numbers) else ""

    def _heading(self, column: Column) -> str:
        if column.role == "part":
            return tr("part of {name}", name=column.name)
        return column.name if column.role == "value" or self.is_forward else f"∂L/∂{column.name}"


class NumberGrid(QTableView):
    """A table of numbers as high as its rows; if it has many columns, it scrolls sideways."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, showGrid=False, wordWrap=False, cornerButtonEnabled=False)
        self.setTabKeyNavigation(False)
        named(self, "step_numbers", font=font("mono", 10.5))
        self._model, self._fits = _Model(appearance, self), True
        self.setModel(self._model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setStyleSheet(
            "QHeaderView::section, QTableView::item { padding: 0 2px; }"
            "QTableCornerButton::section { background: transparent; border: none; }"
        )
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumWidth(22)
        self.horizontalHeader().setMinimumSectionSize(44)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(RIGHT)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_numbers(self, table: NumberTable, is_forward: bool) -> None:
        """Shows a table."""
        self._model.show(table, is_forward)
        self._share()
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Lets the columns share the width if they fit."""
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        count, modes = self._model.columnCount(), QHeaderView.ResizeMode
        headings = self.horizontalHeader()
        wanted = [max(self.sizeHintForColumn(at), headings.sectionSizeHint(at)) for at in range(count)]
        # Without its own bar the grid is lower, and the panel around it may lose its bar and be wider. What fits only
        # then would come and go without an end.
        room = self.viewport().width() - (0 if self._fits else BAR)
        fits, are_alike = sum(wanted) <= room, max(wanted, default=0) * count <= room
        if fits is not self._fits:
            self._fits = fits
            self.updateGeometry()
        headings.setSectionResizeMode(modes.Stretch if are_alike else modes.ResizeToContents)

    def sizeHint(self) -> QSize:
        """Returns a height for all rows, with space for the scroll bar."""
        top = max(HEADER, self.horizontalHeader().sizeHint().height())
        bar = 0 if self._fits else BAR
        return QSize(200, top + 4 + self.verticalHeader().length() + bar)

    def minimumSizeHint(self) -> QSize:
        """Returns the preferred height as the least."""
        return QSize(40, self.sizeHint().height())
