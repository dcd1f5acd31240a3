"""The tables of lenses: each row of texts stands for a place."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gradwire.app.kit.tables.cell_model import CellModel
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.rows import Index
from gradwire.app.look.theme import font
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import ENTER_KEYS

ROW_HEIGHT, MESSAGE_LEFT = 26, 14
# The least width of a column. Units: px.
LEAST = 52
# The texts above the columns, in the language of the window.
Headings = Callable[[], Sequence[str]]


class TableRow(NamedTuple):
    """One row of a table: its key and texts, its colour tokens, an icon and a tip.

    `tokens` holds one colour for all texts, or one for each.
    """

    key: Hashable
    texts: tuple[str, ...]
    tokens: tuple[str, ...] = ("text.primary",)
    icon: str = ""
    tip: str = ""


class RowsModel(CellModel):
    """The model of a table's rows; `numbers` are the right-aligned columns, in the font of numbers."""

    def __init__(self, appearance: Appearance, headings: Headings, numbers: Sequence[int], parent: QObject) -> None:
        super().__init__(parent)
        self._appearance, self._headings, self.numbers = appearance, headings, frozenset(numbers)
        self.rows: Sequence[TableRow] = ()

    def show(self, rows: Sequence[TableRow]) -> None:
        """Replaces the rows; if their keys are the same, in place, so that nothing scrolls."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
        with self.changing([row.key for row in rows] == [row.key for row in self.rows]):
            self.rows = rows

    def size(self) -> tuple[int, int]:
        """Returns the numbers of rows and of headings."""
        return len(self.rows), len(self._headings())

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Returns a text of a row; at the first column, screen readers get the whole row."""
        row, column, theme = self.rows[index.row()], index.column(), self._appearance.theme
        if role == Qt.ItemDataRole.DisplayRole:
            return row.texts[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            text = row.texts[column]
            return literal_tip("\n".join(filter(None, ["" if text in row.tip else text, row.tip])))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            named = [f"{name}: {text}" for name, text in zip(self._headings(), row.texts, strict=True)]
            return ", ".join(named) if column == 0 else row.texts[column]
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.color(row.tokens[min(column, len(row.tokens) - 1)])
        if role == Qt.ItemDataRole.FontRole:
            return font("mono" if column in self.numbers else "ui", 12 * self._appearance.text_scale)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.DecorationRole and column == 0 and row.icon:
            return icon(theme, row.icon, row.tokens[0])
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Returns the headings, aligned as the texts below them."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            return literal_tip(self._headings()[section])
        return self._headings()[section] if role == Qt.ItemDataRole.DisplayRole else None

    def _alignment(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignRight if column in self.numbers else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)


class RowsTable(QTableView):
    """A table with one current row. A click or Enter emits `row_chosen(key)`, Escape `left()`;
    it goes on to the panel that holds the table.

    `row_pointed_at(key)` carries the row under the pointer, None if there is none. An empty table shows `message`.
    """

    row_chosen = Signal(object)
    row_pointed_at = Signal(object)
    left = Signal()

    def __init__(
        self, appearance: Appearance, headings: Headings, widths: Sequence[int], numbers: Sequence[int], parent: QWidget
    ) -> None:
        """`widths` has that of each column at texts of 100 %, `numbers` the columns of numbers."""
        super().__init__(parent, showGrid=False, wordWrap=False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToContents)
        self._appearance, self._message, self._widths = appearance, "", widths
        self.rows = RowsModel(appearance, headings, numbers, self)
        self.setModel(self.rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        # A column of numbers must not fill the space, as its numbers would stand far from the others.
        filler = max({*range(len(widths))}.difference(numbers), default=len(widths) - 1)
        header.setSectionResizeMode(filler, QHeaderView.ResizeMode.Stretch)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setMinimumSectionSize(LEAST)
        self.clicked.connect(self._choose)
        self.entered.connect(self._point_at)
        appearance.changed.connect(self._take_appearance)
        self._take_appearance()

    def show_rows(self, rows: Sequence[TableRow], message: str = "") -> None:
        """Shows rows and keeps the current one if it still exists; without rows shows `message`."""
        self._message = message
        self.setAccessibleDescription("" if rows else message)
        key = self.current_key
        self.rows.show(rows)
        if self.current_key != key:
            self.set_current(key)
        self.horizontalHeader().setVisible(bool(rows))
        self.viewport().update()

    @property
    def current_key(self) -> Hashable | None:
        """The key of the current row."""
        index = self.currentIndex()
        return self.rows.rows[index.row()].key if index.isValid() else None

    def set_current(self, key: Hashable | None) -> None:
        """Makes a row current; none if there is no such row."""
        keys = [row.key for row in self.rows.rows]
        self.setCurrentIndex(self.rows.index(keys.index(key), 0) if key in keys else QModelIndex())

    def changeEvent(self, event: QEvent) -> None:  # Qt's name
        """Fits rows and columns to another text size, which comes with the style sheet."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._take_appearance()

    def _take_appearance(self) -> None:
        """Applies new colours or another text size."""
        scale = self._appearance.text_scale
        self.verticalHeader().setDefaultSectionSize(round(ROW_HEIGHT * scale))
        for column, width in enumerate(self._widths):
            self.setColumnWidth(column, max(round(width * scale), self.horizontalHeader().sectionSizeHint(column)))
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Chooses the current row on Enter, emits `left` on Escape."""
        if event.key() in ENTER_KEYS:
            self._choose(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            event.ignore()
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Emits that no row is under the pointer."""
        super().leaveEvent(event)
        self.row_pointed_at.emit(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the rows, or the message of an empty table."""
        super().paintEvent(event)
        if not self.rows.rows and self._message:
            room = QRect(MESSAGE_LEFT, 8, self.viewport().width() - 2 * MESSAGE_LEFT, self.viewport().height() - 8)
            with QPainter(self.viewport()) as painter:
                painter.setFont(font("ui", 12 * self._appearance.text_scale))
                painter.setPen(self._appearance.theme.color("text.secondary"))
                painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap, self._message)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_chosen.emit(self.rows.rows[index.row()].key)

    def _point_at(self, index: QModelIndex) -> None:
        self.row_pointed_at.emit(self.rows.rows[index.row()].key)
