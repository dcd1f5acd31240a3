"""A popup with a field above a list, the base of the block search and the command box."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyledItemDelegate, QWidget

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import make_column, make_label, named
from gradwire.app.panels.palette.palette import SearchField

ROW_HEIGHT = 28
CHOICE = Qt.ItemDataRole.UserRole
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class Row(Protocol):
    """A row of the popup: its name, and a sentence about it."""

    @property
    def text(self) -> str:
        """The name of the row."""

    @property
    def tip(self) -> str:
        """The sentence about the row."""


RowType = TypeVar("RowType", bound=Row)


class ListPopup(QFrame, Generic[RowType]):
    """A popup that closes on a choice, on Escape and on a click elsewhere; each time it emits `closed`."""

    closed = Signal()

    def __init__(self, appearance: Appearance, name: str, hint: str, size: QSize, parent: QWidget | None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._appearance = appearance
        named(self, f"{name}_popup", look="popup")
        self.setFixedSize(size)
        self._model = _Model[RowType](self)
        self._field = named(SearchField(appearance, hint, "", self), f"{name}_field")
        self._field.setFixedHeight(36)
        self._field.textChanged.connect(self._fill)
        self._field.installEventFilter(self)
        self._message = make_label("", self, name=f"{name}_message", look="quiet", wraps=True)
        self._message.setContentsMargins(10, 2, 10, 2)
        self._list = named(QListView(self), f"{name}_list")
        self._set_up_list()
        make_column(self._field, self._message, self._list, inside=self, margins=8, spacing=6)
        appearance.changed.connect(self._list.viewport().update)

    def found(self, query: str) -> tuple[list[RowType], str]:
        """Returns the rows for a query, and the heading above them."""
        raise NotImplementedError

    def take(self, row: RowType) -> None:
        """Carries out the choice of a row."""
        raise NotImplementedError

    def open_with_corner(self, corner: QPoint) -> None:
        """Opens the popup empty, its corner at a point of the screen or as near as it fits."""
        self._field.clear()
        self._fill("")
        self.move(self._on_screen(corner))
        self.show()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Sends the keys that move and choose to the list while the field keeps the keyboard focus."""
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
        """Emits `closed`, whatever hid the popup."""
        self.closed.emit()

    def add_below(self, widget: QWidget) -> None:
        """Adds a widget below the list."""
        layout = self.layout()
        assert layout is not None, "the popup has been set up"
        layout.addWidget(widget)

    def set_delegate(self, delegate: QStyledItemDelegate) -> None:
        """Sets the delegate that paints the rows."""
        self._list.setItemDelegate(delegate)

    def _set_up_list(self) -> None:
        view = self._list
        view.setModel(self._model)
        view.setUniformItemSizes(True)
        view.setMouseTracking(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.clicked.connect(self._choose)
        view.installEventFilter(self)

    def _fill(self, query: str) -> None:
        rows, message = self.found(query)
        self._message.setText(message)
        self._message.setVisible(bool(message))
        self._model.fill(rows)
        self._list.setCurrentIndex(self._model.index(0, 0))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.take(self._model.rows[index.row()])

    def _on_screen(self, corner: QPoint) -> QPoint:
        screen = QGuiApplication.screenAt(corner) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        left = min(max(corner.x(), room.left()), room.right() - self.width())
        return QPoint(left, min(max(corner.y(), room.top()), room.bottom() - self.height()))


class _Model(QAbstractListModel, Generic[RowType]):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: list[RowType] = []

    def fill(self, rows: list[RowType]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == CHOICE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.text
        return literal_tip(row.tip) if role == Qt.ItemDataRole.ToolTipRole else None
