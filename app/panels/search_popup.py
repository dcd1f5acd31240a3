"""The search popup over the canvas: type a name, press Enter, and the block is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.look.appearance import Appearance
from app.look.numbers import fmt_list, shape_text
from app.panels.block_search import Fits, constant_from, find_blocks, nearest_blocks
from app.panels.palette import SearchField, draw_block_row, draw_row_back
from app.panels.short_formulas import short_formula
from engine.block_type import BlockType
from engine.library import library
from engine.tensor_spec import Array

SIZE = QSize(320, 380)
ROW_HEIGHT = 28
_CHOICE = Qt.ItemDataRole.UserRole
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, eq=False)
class _Row:
    """One row: a block type, with the value of a Constant where one was typed, or the page that a Page is to use."""

    type: BlockType
    value: Array | None = None
    page: str = ""

    @property
    def choice(self) -> BlockType | Array | str:
        return self.page or (self.type if self.value is None else self.value)


class SearchPopup(QFrame):
    """Opens at the pointer and closes on a choice, on Escape and on a click elsewhere.

    `chosen` carries a BlockType, the value of a Constant as an array, or the name of a page as text; `closed` comes
    each time it has gone.
    """

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._appearance = appearance
        self._fits: Fits | None = None
        self._used: Mapping[str, int] = {}
        self._pages: Sequence[str] = ()
        self.setObjectName("search_popup")
        self.setFixedSize(SIZE)
        self._model = _Model(self)
        self._field = SearchField(appearance, "Search blocks", "", self)
        self._field.setObjectName("search_field")
        self._field.setFixedHeight(36)
        self._field.textChanged.connect(self._fill)
        self._field.installEventFilter(self)
        self._message = QLabel(self)
        self._message.setObjectName("search_message")
        self._message.setTextFormat(Qt.TextFormat.PlainText)
        self._message.setProperty("look", "quiet")
        self._message.setWordWrap(True)
        self._message.setContentsMargins(10, 2, 10, 2)
        self._list = self._made_list()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(6)
        for widget in (self._field, self._message, self._list):
            layout.addWidget(widget)
        appearance.changed.connect(self._repaint)

    def open_at(
        self,
        place: QPoint,
        fits: Fits | None = None,
        used: Mapping[str, int] | None = None,
        pages: Sequence[str] = (),
    ) -> None:
        """Opens with its field at a place on the screen, for the block types that fit.

        `used` counts past choices, and `pages` are those that can be used as blocks.
        """
        self._fits, self._used, self._pages = fits, used or {}, pages
        self._field.clear()
        self._fill("")
        self.move(self._on_screen(place))
        self.show()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that move and choose go to the list while the field keeps the keyboard."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in _ENTER:
                self._choose(self._list.currentIndex())
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close()
                return True
            if event.key() in _MOVES and watched is self._field:
                self._list.keyPressEvent(event)
                return True
        return super().eventFilter(watched, event)

    def hideEvent(self, _: QHideEvent) -> None:
        """Tells that it has gone, however it went."""
        self.closed.emit()

    def _made_list(self) -> QListView:
        view = QListView(self)
        view.setObjectName("search_list")
        view.setAccessibleName("Found blocks")
        view.setModel(self._model)
        view.setItemDelegate(_Delegate(self._appearance, view))
        view.setUniformItemSizes(True)
        view.setMouseTracking(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.clicked.connect(self._choose)
        view.installEventFilter(self)
        return view

    def _fill(self, query: str) -> None:
        rows = self._rows(query)
        message = ""
        if not rows:
            rows = [_Row(item) for item in nearest_blocks(query, self._fits)]
            message = f'No block called "{query.strip()}"' + (". The nearest are:" if rows else "")
        self._message.setText(message)
        self._message.setVisible(bool(message))
        self._model.fill(rows)
        self._list.setCurrentIndex(self._model.index(0, 0))

    def _rows(self, query: str) -> list[_Row]:
        rows = [_Row(hit.type) for hit in find_blocks(query, self._fits, self._used)]
        wanted = query.strip().lower()
        found = [_Row(library["Page"], page=name) for name in self._pages if wanted and wanted in name.lower()]
        # A page that is called just so comes first, others after the blocks.
        rows = [*(row for row in found if row.page.lower() == wanted), *rows]
        rows += [row for row in found if row.page.lower() != wanted]
        value, block_type = constant_from(query), library["Constant"]
        if value is not None and (self._fits is None or self._fits(block_type)):
            rows.insert(0, _Row(block_type, value))
        return rows

    def _choose(self, index: QModelIndex) -> None:
        row = index.data(_CHOICE) if index.isValid() else None
        if isinstance(row, _Row):
            self.close()
            self.chosen.emit(row.choice)

    def _on_screen(self, place: QPoint) -> QPoint:
        screen = QGuiApplication.screenAt(place) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        corner = place - QPoint(24, 26)
        left = min(max(corner.x(), room.left()), room.right() - self.width())
        return QPoint(left, min(max(corner.y(), room.top()), room.bottom() - self.height()))

    def _repaint(self) -> None:
        self._list.viewport().update()


class _Model(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: list[_Row] = []

    def fill(self, rows: list[_Row]) -> None:
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._rows[index.row()]
        if role == _CHOICE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.page or row.type.name
        return row.type.summary if role == Qt.ItemDataRole.ToolTipRole else None


class _Delegate(QStyledItemDelegate):
    def __init__(self, appearance: Appearance, parent: QListView) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def sizeHint(self, _: QStyleOptionViewItem, __: _Index) -> QSize:
        return QSize(100, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = index.data(_CHOICE)
        rect: QRect = option.rect
        painter.save()
        draw_row_back(painter, self._appearance.theme, option)
        formula = short_formula(row.type) if row.value is None else _value_text(row.value)
        texts = [("ui", row.type.category), ("mono", row.page or formula)]
        draw_block_row(painter, self._appearance.theme, rect.adjusted(10, 0, -10, 0), row.type, texts)
        painter.restore()


def _value_text(value: Array) -> str:
    """What a Constant would hold: its numbers if they are few, else its shape."""
    if value.size <= 4 and value.ndim <= 1:
        return fmt_list(float(item) for item in np.ravel(value))
    return shape_text(value.shape)
