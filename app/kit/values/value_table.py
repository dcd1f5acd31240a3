"""Tensors as a table of numbers; the model creates only the visible cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gradwire.app.base.table_text import exact_text
from gradwire.app.base.translation import tr
from gradwire.app.kit.tables.cell_model import CellModel
from gradwire.app.kit.values.value_parts import NO_PART, Part
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import RIGHT, filled, inked
from gradwire.app.look.numbers import MINUS, fmt
from gradwire.app.look.rows import Index
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import named

ROW_HEIGHT, ROWS_SHOWN = 22, 8
INDEX_WIDTH, NUMBER_WIDTH, COLUMNS_FITTED = 28, 62, 8
# With more rows, the total height overflows Qt's coordinates.
ROWS_KEPT, COLUMNS_KEPT = 10_000_000, 100_000


class ValueTable(QTableView):
    """A table of vectors side by side, or of a matrix; Ctrl C copies the selected cells for a spreadsheet."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, showGrid=False)
        self.setTabKeyNavigation(False)
        self.cells = TableModel(self)
        named(self, "value_table", says=tr("Elements"), font=font("mono", 11))
        self._appearance = appearance
        self.setModel(self.cells)
        self.setItemDelegate(CellPainter(appearance, self.cells, self))
        self.setHorizontalHeader(TableHeader(appearance, self.cells, self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(ROW_HEIGHT)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.horizontalHeader().setFixedHeight(ROW_HEIGHT)
        self.horizontalHeader().setMinimumSectionSize(INDEX_WIDTH)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies the selected cells."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.chosen_text())
        else:
            super().keyPressEvent(event)

    def chosen_text(self) -> str:
        """Returns the selected cells in full precision, separated by tabs."""
        lines = []
        chosen = self.selectionModel().selection()
        for item in [chosen.at(place) for place in range(chosen.count())]:
            columns = range(max(1, item.left()), item.right() + 1)
            for row in range(item.top(), item.bottom() + 1):
                numbers = [self.cells.cell(row, column)[1] for column in columns]
                lines.append("\t".join("" if number is None else exact_text(number) for number in numbers))
        return "".join(f"{line}\n" for line in lines)

    def fit(self, width: int) -> None:
        """Fits the columns to a width, and the height to few rows.

        A matrix scrolls sideways rather than make its columns too narrow for a number.
        """
        rows, columns = self.cells.rowCount(), self.cells.columnCount()
        scale = self._appearance.text_scale
        height = round(ROW_HEIGHT * scale)
        self.verticalHeader().setDefaultSectionSize(height)
        index_width = round(max(INDEX_WIDTH, 16 + 7 * len(str(max(rows - 1, 0)))) * scale)
        room = width - index_width - (12 if rows > ROWS_SHOWN else 0)
        least = 0 if self.cells.is_list else round(NUMBER_WIDTH * scale)
        share = max(least, room // max(1, columns - 1))
        header = self.horizontalHeader()
        header.setDefaultSectionSize(share)
        for column in range(min(columns, COLUMNS_FITTED)):
            header.resizeSection(column, share if column else index_width)
        is_wide = share * (columns - 1) > room
        off, on = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        self.setHorizontalScrollBarPolicy(on if is_wide else off)
        # The heading grows with the text size.
        self.setFixedHeight(min(rows, ROWS_SHOWN) * height + header.maximumHeight() + (12 if is_wide else 2))


class TableModel(CellModel):
    """The model of several vectors side by side, or of one matrix; the first column holds the index."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts: list[Part] = []
        self.is_list = True

    def show_parts(self, parts: Sequence[Part], is_list: bool) -> None:
        """Shows vectors as columns, or one matrix; cells keep their positions if the shapes stay."""

        def outline(items: Sequence[Part]) -> list[object]:
            return [(item.name, item.shape, item.array is None) for item in items]

        with self.changing(is_list == self.is_list and outline(parts) == outline(self._parts)):
            self._parts, self.is_list = list(parts), is_list

    def size(self) -> tuple[int, int]:
        """Returns the length of the longest vector and their number, or a matrix's shape, with a column of indices."""
        sizes = [item.size if self.is_list else item.shape[0] for item in self._parts if item.array is not None]
        columns = len(self._parts) if self.is_list else min(self._parts[0].shape[1], COLUMNS_KEPT)
        return min(max(sizes, default=0), ROWS_KEPT), 1 + columns

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Returns the heading: names for vectors, indices for a matrix."""
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        if section == 0:
            return "i"
        return self._parts[section - 1].name if self.is_list else str(section - 1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Returns the displayed number."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if index.column() == 0:
            return "" if self.is_list and all(item.shape == () for item in self._parts) else str(index.row())
        part, number = self.cell(index.row(), index.column())
        return "" if number is None else cell_text(number, part.is_gradient)

    def part_of(self, column: int) -> Part | None:
        """Returns the tensor of a column; None for the column of indices."""
        return None if column == 0 else self._parts[column - 1 if self.is_list else 0]

    def cell(self, row: int, column: int) -> tuple[Part, Any]:
        """Returns the tensor and the element of a cell; None if there is no element."""
        part = self._parts[column - 1 if self.is_list else 0]
        if part.array is None or (self.is_list and row >= part.size):
            return part, None
        return part, part.array.reshape(-1)[row] if self.is_list else part.array[row, column - 1]

    def index_of(self, index: Index) -> tuple[int, ...] | None:
        """Returns the index of a cell's element within the displayed tensor; None if there is none."""
        if not index.isValid() or index.column() == 0 or self.cell(index.row(), index.column())[1] is None:
            return None
        if self.is_list:
            return () if self._parts[0].shape == () else (index.row(),)
        return index.row(), index.column() - 1


class CellPainter(QStyledItemDelegate):
    """A delegate that fills gradient cells by sign and magnitude, with a text colour of high contrast."""

    def __init__(self, appearance: Appearance, model: TableModel, parent: QTableView) -> None:
        super().__init__(parent)
        self._appearance, self._model = appearance, model

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints the fill, the frame of a selected cell, and the text."""
        theme = self._appearance.theme
        rect: QRect = option.rect
        state = option.state
        is_index = index.column() == 0
        part, number = (NO_PART, None) if is_index else self._model.cell(index.row(), index.column())
        fill, ink = cell_colors(theme, part, number)
        if fill is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            filled(painter, fill).drawRoundedRect(QRectF(rect).adjusted(2, 1, 0, -1), 2, 2)
        if state & QStyle.StateFlag.State_Selected:
            inked(painter, QPen(theme.color("focus"), 1), Qt.BrushStyle.NoBrush).drawRect(rect.adjusted(2, 1, -1, -2))
        painter.setPen(theme.color("text.tertiary") if is_index else ink)
        painter.setFont(font("mono", 11 * self._appearance.text_scale))
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter if is_index else RIGHT
        painter.drawText(rect.adjusted(2, 0, -6, 0), side, str(index.data()))


class TableHeader(QHeaderView):
    """A header with the names of values in blue, of gradients in amber."""

    def __init__(self, appearance: Appearance, model: TableModel, parent: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._appearance, self._shown = appearance, model

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paints the name in the colour of its kind."""
        part = self._shown.part_of(section)
        token = "text.tertiary" if part is None or not self._shown.is_list else part.token
        painter.fillRect(rect, self._appearance.theme.color("bg.app"))
        inked(painter, self._appearance.theme.color(token), font=font("mono", 11 * self._appearance.text_scale))
        text = str(self._shown.headerData(section, Qt.Orientation.Horizontal))
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width() - 8)
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter if section == 0 else RIGHT
        painter.drawText(rect.adjusted(2, 0, -6, 0), side, text)


def cell_text(number: Any, is_gradient: bool) -> str:  # Any: a NumPy scalar of any dtype
    """Returns an element as the table shows it; a positive gradient has a plus sign."""
    if number.dtype.kind == "b":
        return tr("true") if number else tr("false")
    if number.dtype.kind in "iu":
        return str(number).replace("-", MINUS)
    text = fmt(float(number))
    return f"+{text}" if is_gradient and number > 0 else text


def cell_colors(theme: Theme, part: Part, number: Any) -> tuple[QColor | None, QColor]:
    """Returns the fill of a cell, None for no fill, and the colour of its text."""
    if number is None:
        return None, theme.color("text.tertiary")
    if not np.isfinite(number):
        return theme.color("alarm.bg"), theme.color("alarm")
    if not part.is_gradient:
        return None, theme.color("text.primary")
    fill = theme.diverging(float(number) / part.top if part.top else 0.0)
    return fill, contrast_ink(fill)


def contrast_ink(color: QColor) -> QColor:
    """Returns black or white, whichever has the higher contrast on a colour.

    Source: WCAG 2.2, relative luminance; the two contrasts are equal at a luminance of sqrt(1.05 * 0.05) - 0.05.
    """
    return QColor("#000000" if luminance(color) > math.sqrt(1.05 * 0.05) - 0.05 else "#FFFFFF")


def luminance(color: QColor) -> float:
    """Returns the relative luminance of a colour, from 0 to 1. Source: WCAG 2.2."""
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
