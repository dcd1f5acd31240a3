"""Value and gradient side by side; both tables share the scroll position and the current cell."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.values.value_parts import Part
from gradwire.app.kit.values.value_table import ValueTable
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import STRETCH, make_column, make_label, make_row


class CompareView(QWidget):
    """Two synchronised tables; below them the current element and its gradient relative to its value."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("value_compare")
        self._parts: list[Part] = []
        self._tables = [ValueTable(appearance, f"compare_{place}", self) for place in range(2)]
        self._line = make_label("", self, name="compare_line", wraps=True, font=font("mono", 11))
        tables = make_row(spacing=8)
        self._names = [make_label(parent=self, look="quiet") for _ in self._tables]
        for name, table in zip(self._names, self._tables, strict=True):
            tables.addLayout(make_column(name, table, STRETCH, spacing=2))
        make_column(tables, self._line, inside=self, margins=0, spacing=6)
        self._link(*self._tables)
        self._link(*reversed(self._tables))

    def show_parts(self, parts: list[Part]) -> None:
        """Shows a value and its gradient; both have at most two axes."""
        self._parts = parts
        for name, table, part in zip(self._names, self._tables, parts, strict=True):
            name.setText(part.name)
            table.cells.show_parts([part], is_list=len(part.shape) < 2)
        self.fit(self.width())
        self._show_element(self._tables[0].currentIndex())

    def fit(self, width: int) -> None:
        """Gives each table half of the width."""
        for table in self._tables:
            table.fit((width - 8) // 2)

    def _link(self, one: ValueTable, other: ValueTable) -> None:
        for mine, its in (
            (one.verticalScrollBar(), other.verticalScrollBar()),
            (one.horizontalScrollBar(), other.horizontalScrollBar()),
        ):
            mine.valueChanged.connect(its.setValue)
        one.entered.connect(self._point)
        one.selectionModel().currentChanged.connect(self._point)

    def _point(self, index: QModelIndex) -> None:
        """Marks the same cell in both tables."""
        for table in self._tables:
            cell = table.cells.index(index.row(), index.column())
            if table.currentIndex() != cell:
                table.setCurrentIndex(cell)
        self._show_element(index)

    def _show_element(self, index: QModelIndex) -> None:
        numbers = [table.cells.number_at(index) for table in self._tables]
        if None in numbers or not self._parts:
            self._line.setText(tr("Point at a cell to see its value, its gradient, and their ratio."))
            return
        value, gradient = (float(item) for item in numbers)
        with np.errstate(all="ignore"):
            ratio = float(np.float64(gradient) / np.float64(value))
        place, name = self._tables[0].cells.place_of(index), self._parts[0].name
        texts = place, f"{name} {fmt(value)}", f"∂L {fmt(gradient)}", f"∂L ÷ {name} {fmt(ratio)}"
        self._line.setText("   ".join(filter(None, texts)))
