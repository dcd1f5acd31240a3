"""Whole tensors: a table of numbers, a heat map or a histogram."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.live.readings import Reading, reading_of
from app.look.appearance import Appearance
from app.look.icons import icon
from app.look.numbers import MINUS, fmt
from app.look.theme import Theme, font
from app.panels.value_pictures import HeatMap, Histogram, StatsLine
from engine.tensor_spec import Array

Mode = Literal["table", "heat", "hist"]
MODES: dict[Mode, str] = {"table": "Table", "heat": "Heat map", "hist": "Histogram"}
ROW_HEIGHT = 22
ROWS_SHOWN = 8
INDEX_WIDTH, NUMBER_WIDTH, COLUMNS_FITTED = 28, 62, 8
# Beyond this the height of all rows together overflows Qt's coordinates.
ROWS_KEPT, COLUMNS_KEPT = 10_000_000, 100_000
HIST_LOW, HIST_HIGH = 54, 128
_Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, eq=False)
class Shown:
    """One tensor with its name; `array` is None where it is not known."""

    name: str
    array: Array | None
    is_gradient: bool = False


@dataclass(frozen=True, eq=False)
class _Part:
    """A tensor to show, with what has been worked out of it once."""

    name: str
    array: Array | None
    is_gradient: bool = False
    reading: Reading | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return () if self.array is None else self.array.shape

    @property
    def size(self) -> int:
        return 0 if self.array is None else self.array.size

    @property
    def top(self) -> float:
        """The largest magnitude of a finite element."""
        return 0.0 if self.reading is None else max(abs(self.reading.low), abs(self.reading.high))

    @property
    def token(self) -> str:
        return "grad.text" if self.is_gradient else "value"

    def sliced(self, index: Sequence[int]) -> _Part:
        """The last two axes at an index along the others; nothing where such an axis is empty."""
        if self.array is None or self.array.ndim <= 2:
            return self
        is_empty = 0 in self.array.shape[:-2]
        array = np.zeros((0, self.array.shape[-1])) if is_empty else self.array[tuple(index)]
        return replace(self, array=array)


_NO_PART = _Part("", None)


class ValueView(QWidget):
    """Shows tensors that belong together, such as a value and its gradient; the mode stays when they change.

    Vectors and scalars stand side by side in one table; of larger tensors one is chosen, and of rank 3 and above a
    slice. `mode_changed(str)` says that another mode was chosen.
    """

    mode_changed = Signal(str)

    def __init__(self, appearance: Appearance, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._parts: list[_Part] = []
        self._mode: Mode = "table"
        self._chosen = 0
        self.setObjectName("value_view")
        self._modes = QButtonGroup(self)
        self._choices = QButtonGroup(self)
        self._model = _TableModel(self)
        self._table = self._made_table()
        self._heat = HeatMap(appearance, self)
        self._hist = Histogram(appearance, self)
        self._stats = StatsLine(appearance, self)
        self._slices = QHBoxLayout()
        self._boxes: list[QSpinBox] = []
        self._lay_out(title)
        appearance.changed.connect(self._dress)
        self._dress()
        self._show_mode()

    @property
    def mode(self) -> Mode:
        """What is shown: table, heat map or histogram."""
        return self._mode

    def set_mode(self, mode: Mode) -> None:
        """Shows the tensors in another way."""
        self._mode = mode
        self._modes.buttons()[list(MODES).index(mode)].setChecked(True)
        self._show_mode()

    def show_tensors(self, tensors: Sequence[Shown]) -> None:
        """Shows these in place of what was there; the choice and the slice stay where they still make sense."""
        names = [item.name for item in tensors]
        if names != [item.name for item in self._parts]:
            self._offer(names, next((at for at, item in enumerate(tensors) if item.is_gradient), 0))
        self._parts = [
            _Part(item.name, item.array, item.is_gradient, None if item.array is None else reading_of(item.array))
            for item in tensors
        ]
        for button, item in zip(self._choices.buttons(), tensors, strict=True):
            button.setEnabled(item.array is not None)
        self._set_slices()
        self._show()

    # Building

    def _lay_out(self, title: str) -> None:
        heading = QLabel(title, self)
        heading.setProperty("look", "section")
        self._segment = QHBoxLayout()
        self._segment.setSpacing(0)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(heading)
        head.addStretch(1)
        head.addLayout(self._segment)
        modes = QHBoxLayout()
        modes.setSpacing(0)
        for place, (mode, text) in enumerate(MODES.items()):
            modes.addWidget(self._button(self._modes, f"value_mode_{mode}", place, len(MODES), text))
        self._modes.buttons()[0].setChecked(True)
        self._modes.idClicked.connect(self._choose_mode)
        self._choices.idClicked.connect(self._choose)
        head.addLayout(modes)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addLayout(self._slices)
        for widget in (self._table, self._heat, self._stats, self._hist):
            layout.addWidget(widget)

    def _button(self, group: QButtonGroup, name: str, place: int, count: int, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setCheckable(True)
        button.setProperty("look", "first" if place == 0 else "last" if place == count - 1 else "middle")
        button.setFixedHeight(22)
        is_choice = group is self._choices
        button.setFixedWidth(QFontMetrics(font("mono", 11)).horizontalAdvance(text) + 30 if is_choice else 36)
        button.setIconSize(QSize(14, 14))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setAccessibleName(text)
        button.setToolTip("" if is_choice else text)
        group.addButton(button, place)
        return button

    def _offer(self, names: Sequence[str], chosen: int) -> None:
        """New buttons to choose a tensor with; none for a single one."""
        for button in self._choices.buttons():
            self._choices.removeButton(button)
            self._segment.removeWidget(button)
            button.deleteLater()
        for place, name in enumerate(names):
            button = self._button(self._choices, f"value_of_{place}", place, len(names), name)
            button.setText(name.replace("&", "&&"))
            button.setFont(font("mono", 11))
            button.setVisible(len(names) > 1)
            self._segment.addWidget(button)
        self._chosen = chosen
        if names:
            self._choices.buttons()[chosen].setChecked(True)

    def _made_table(self) -> QTableView:
        table = QTableView(self)
        table.setObjectName("value_table")
        table.setAccessibleName("Elements")
        table.setModel(self._model)
        table.setItemDelegate(_CellPainter(self._appearance, self._model, table))
        table.setHorizontalHeader(_Header(self._appearance, self._model, table))
        table.setShowGrid(False)
        table.setFont(font("mono", 11))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setMinimumSectionSize(ROW_HEIGHT)
        table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        table.horizontalHeader().setFixedHeight(ROW_HEIGHT)
        table.horizontalHeader().setMinimumSectionSize(INDEX_WIDTH)
        return table

    def _dress(self) -> None:
        for button, mode in zip(self._modes.buttons(), MODES, strict=True):
            button.setIcon(icon(self._appearance.theme, mode, "text.secondary", 14))
        self._table.viewport().update()

    # Showing

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The columns share the new width."""
        super().resizeEvent(event)
        self._fit_table()

    def _choose_mode(self, place: int) -> None:
        self._mode = list(MODES)[place]
        self._show_mode()
        self.mode_changed.emit(self._mode)

    def _choose(self, place: int) -> None:
        self._chosen = place
        self._set_slices()
        self._show()

    def _show_mode(self) -> None:
        self._table.setVisible(self._mode == "table")
        self._heat.setVisible(self._mode == "heat")
        self._hist.setFixedHeight(HIST_HIGH if self._mode == "hist" else HIST_LOW)
        self._show()

    def _set_slices(self) -> None:
        """One box for each axis before the last two of the chosen tensor."""
        sizes = self._current.shape[:-2]
        while len(self._boxes) > len(sizes):
            box = self._boxes.pop()
            self._slices.removeWidget(box)
            box.deleteLater()
        while len(self._boxes) < len(sizes):
            self._boxes.append(self._slice_box(len(self._boxes)))
        for box, size in zip(self._boxes, sizes, strict=True):
            box.setMaximum(max(0, size - 1))

    def _slice_box(self, axis: int) -> QSpinBox:
        box = QSpinBox(self)
        box.setObjectName(f"value_slice_{axis}")
        box.setAccessibleName(f"Index along axis {axis}")
        box.setPrefix(f"axis {axis}: ")
        box.setFixedHeight(24)
        box.setMinimumWidth(48)
        # Without buttons Qt leaves a styled box no room for its text; so they stay, with no width.
        box.setStyleSheet("QSpinBox::up-button, QSpinBox::down-button { width: 0; border: none; }")
        box.lineEdit().setStyleSheet("border: none; padding: 0; background: transparent;")
        box.lineEdit().setTextMargins(6, 0, 0, 0)
        box.valueChanged.connect(self._show)
        self._slices.addWidget(box)
        return box

    @property
    def _current(self) -> _Part:
        return self._parts[self._chosen] if self._chosen < len(self._parts) else _NO_PART

    def _show(self) -> None:
        part = self._current
        sliced = part.sliced([box.value() for box in self._boxes])
        if self._mode == "table":
            are_side_by_side = all(len(item.shape) < 2 for item in self._parts)
            parts = self._parts if are_side_by_side else [sliced]
            self._model.show_parts(parts, is_list=len(sliced.shape) < 2)
            self._fit_table()
        elif self._mode == "heat":
            self._heat.show_cells(sliced.array, part.top)
        if self._mode != "heat":
            self._hist.show_array(part.array, part.reading, part.is_gradient)
        self._hist.setVisible(self._mode == "hist" or (self._mode == "table" and bool(self._hist.counts)))
        self._stats.show_reading(part.reading, part.is_gradient)

    def _fit_table(self) -> None:
        """Columns share the width, but those of a matrix stay wide enough for a number; few rows need no scrolling."""
        rows, columns = self._model.rowCount(), self._model.columnCount()
        index_width = max(INDEX_WIDTH, 16 + 7 * len(str(max(rows - 1, 0))))
        room = self.width() - index_width - (12 if rows > ROWS_SHOWN else 0)
        least = 0 if self._model.is_list else NUMBER_WIDTH
        share = max(least, room // max(1, columns - 1))
        header = self._table.horizontalHeader()
        header.setDefaultSectionSize(share)
        for column in range(min(columns, COLUMNS_FITTED)):
            header.resizeSection(column, share if column else index_width)
        is_wide = share * (columns - 1) > room
        off, on = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        self._table.setHorizontalScrollBarPolicy(on if is_wide else off)
        self._table.setFixedHeight((min(rows, ROWS_SHOWN) + 1) * ROW_HEIGHT + (12 if is_wide else 2))


class _TableModel(QAbstractTableModel):
    """Either several vectors side by side, or one matrix; the first column holds the index."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts: list[_Part] = []
        self.is_list = True

    def show_parts(self, parts: Sequence[_Part], is_list: bool) -> None:
        def outline(items: Sequence[_Part]) -> list[object]:
            return [(item.name, item.shape, item.array is None) for item in items]

        if is_list == self.is_list and outline(parts) == outline(self._parts):
            self._parts = list(parts)
            if self.rowCount():
                self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            return
        self.beginResetModel()
        self._parts, self.is_list = list(parts), is_list
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  # as Qt declares it
        sizes = [item.size if self.is_list else item.shape[0] for item in self._parts if item.array is not None]
        return min(max(sizes, default=0), ROWS_KEPT)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        if self.is_list:
            return 1 + len(self._parts)
        return 1 + min(self._parts[0].shape[1], COLUMNS_KEPT)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        if section == 0:
            return "i"
        return self._parts[section - 1].name if self.is_list else str(section - 1)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if index.column() == 0:
            return "" if self.is_list and all(item.shape == () for item in self._parts) else str(index.row())
        part, number = self.cell(index.row(), index.column())
        return "" if number is None else cell_text(number, part.is_gradient)

    def part_of(self, column: int) -> _Part | None:
        """What a column belongs to; None for that of the index."""
        return None if column == 0 else self._parts[column - 1 if self.is_list else 0]

    def cell(self, row: int, column: int) -> tuple[_Part, Any]:
        """The tensor and the element that a cell shows, None where there is none."""
        part = self._parts[column - 1 if self.is_list else 0]
        if part.array is None or (self.is_list and row >= part.size):
            return part, None
        return part, part.array.reshape(-1)[row] if self.is_list else part.array[row, column - 1]


class _CellPainter(QStyledItemDelegate):
    """Fills the cells of gradients by sign and size, and writes on them in the colour that stands out more."""

    def __init__(self, appearance: Appearance, model: _TableModel, parent: QTableView) -> None:
        super().__init__(parent)
        self._appearance, self._model = appearance, model

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme = self._appearance.theme
        rect: QRect = option.rect
        state = option.state
        is_index = index.column() == 0
        part, number = (_NO_PART, None) if is_index else self._model.cell(index.row(), index.column())
        fill, ink = cell_colors(theme, part, number)
        if fill is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawRoundedRect(QRectF(rect).adjusted(2, 1, 0, -1), 2, 2)
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(theme.color("focus"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(2, 1, -1, -2))
        painter.setPen(theme.color("text.tertiary") if is_index else ink)
        painter.setFont(font("mono", 11))
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter if is_index else _RIGHT
        painter.drawText(rect.adjusted(2, 0, -6, 0), side, str(index.data()))


class _Header(QHeaderView):
    """Names of values in their blue, of gradients in their amber."""

    def __init__(self, appearance: Appearance, model: _TableModel, parent: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._appearance, self._shown = appearance, model

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        part = self._shown.part_of(section)
        token = "text.tertiary" if part is None or not self._shown.is_list else part.token
        painter.fillRect(rect, self._appearance.theme.color("bg.app"))
        painter.setPen(self._appearance.theme.color(token))
        painter.setFont(font("mono", 11))
        text = str(self._shown.headerData(section, Qt.Orientation.Horizontal))
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width() - 8)
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter if section == 0 else _RIGHT
        painter.drawText(rect.adjusted(2, 0, -6, 0), side, text)


def cell_text(number: Any, is_gradient: bool = False) -> str:  # Any: a NumPy scalar of any dtype
    """An element as the table writes it; a positive gradient has a plus sign."""
    if number.dtype.kind == "b":
        return "true" if number else "false"
    if number.dtype.kind in "iu":
        return str(number).replace("-", MINUS)
    text = fmt(float(number))
    return f"+{text}" if is_gradient and number > 0 else text


def cell_colors(theme: Theme, part: _Part, number: Any) -> tuple[QColor | None, QColor]:
    """The filling of a table's cell, None for no filling, and the colour of what is written on it."""
    if number is None:
        return None, theme.color("text.tertiary")
    if not np.isfinite(number):
        return theme.color("alarm.bg"), theme.color("alarm")
    if not part.is_gradient:
        return None, theme.color("text.primary")
    fill = theme.diverging(float(number) / part.top if part.top else 0.0)
    return fill, contrast_ink(fill)


def contrast_ink(color: QColor) -> QColor:
    """Black or white, whichever has the higher contrast on a colour.

    Source: WCAG 2.2, relative luminance; the two contrasts are equal at a luminance of sqrt(1.05 * 0.05) - 0.05.
    """
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (color.redF(), color.greenF(), color.blueF())
    ]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return QColor("#000000" if luminance > math.sqrt(1.05 * 0.05) - 0.05 else "#FFFFFF")
