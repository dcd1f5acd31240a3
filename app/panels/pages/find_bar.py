"""The bar over the canvas that finds a block, frame or note on any page and shows it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QWidget,
)

from gradwire.app.base.translation import tr, tr_count
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.categories import color_token, icon_name
from gradwire.app.look.icons import icon
from gradwire.app.look.theme import Theme
from gradwire.app.look.widgets import make_column, make_row, named
from gradwire.app.panels.pages.graph_search import Thing, find_things
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Graph

WIDTH, ROW_HEIGHT, ROWS_SHOWN = 340, 28, 8
_THING = Qt.ItemDataRole.UserRole


class FindBar(QFrame):
    """The find bar: it lists matches while the user types.

    Enter, a click, next and previous emit `chosen(Thing)`; Escape emits `left`.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(
        self, appearance: Appearance, graph: Callable[[], Graph], page: Callable[[], str], parent: QWidget
    ) -> None:
        super().__init__(parent)
        named(self, "find_bar", says=tr("Find a block"))
        self._appearance, self._graph, self._page = appearance, graph, page
        self._was_chosen = False
        self._field, self._count, self._list = QLineEdit(self), QLabel(self), QListWidget(self)
        self._prepare()
        self._buttons = [
            self._button("find_previous", tr("Previous hit"), "chev-left", self.choose_previous),
            self._button("find_next", tr("Next hit"), "chev-right", self.choose_next),
            self._button("find_close", tr("Close"), "close", self.leave),
        ]
        self._lay_out()
        appearance.changed.connect(self._restyle)
        self._restyle(appearance.theme)
        self._search("")
        self.hide()

    def open(self) -> None:
        """Shows the bar; its last query is selected, so that typing replaces it."""
        self.show()
        self.raise_()
        self._search(self._field.text())
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def leave(self) -> None:
        """Closes the bar."""
        self.hide()
        self.left.emit()

    def choose_next(self) -> None:
        """Goes to the next match; after the last comes the first."""
        self._choose_by(1)

    def choose_previous(self) -> None:
        """Goes to the previous match; before the first comes the last."""
        self._choose_by(-1)

    @property
    def things(self) -> list[Thing]:
        """The listed matches."""
        return [self._list.item(row).data(_THING) for row in range(self._list.count())]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # Qt's name
        """Handles the field's keys that move through the list."""
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return False
        key, has_shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
            if self._was_chosen or has_shift:
                self._choose_by(-1 if has_shift else 1)
            else:
                self._choose(self._list.currentItem())
        elif key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._move(1 if key == Qt.Key.Key_Down else -1)
        else:
            return False
        return True

    # Parts

    def _prepare(self) -> None:
        self._field.setObjectName("find_field")
        self._field.setPlaceholderText(tr("Name, type, frame or note"))
        self._field.setAccessibleName(tr("Find a block"))
        self._field.textChanged.connect(self._search)
        self._field.installEventFilter(self)
        self._count.setObjectName("find_count")
        self._count.setProperty("look", "quiet")
        self._count.setTextFormat(Qt.TextFormat.PlainText)
        self._list.setObjectName("find_list")
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setUniformItemSizes(True)
        self._list.itemClicked.connect(self._choose)

    def _button(self, name: str, text: str, icon: str, call: Callable[[], None]) -> QToolButton:
        button = named(QToolButton(self), name, says=text, tip=text)
        button.setProperty("icon_name", icon)
        button.setFixedSize(24, 24)
        button.clicked.connect(call)
        return button

    def _lay_out(self) -> None:
        row = make_row((self._field, 1), self._count, spacing=4)
        for button in self._buttons:
            row.addWidget(button)
        make_column(row, self._list, inside=self, margins=8, spacing=6)
        self.setFixedWidth(WIDTH)

    def _restyle(self, theme: Theme) -> None:
        for button in self._buttons:
            button.setIcon(icon(theme, str(button.property("icon_name"))))

    def _search(self, query: str) -> None:
        self._was_chosen = False
        found = find_things(self._graph(), query, self._page())
        self._list.clear()
        for thing in found:
            self._list.addItem(self._item(thing))
        self._list.setCurrentRow(0)
        is_empty = not query.strip()
        self._count.setText(
            "" if is_empty else tr_count("1 hit", "{count} hits", len(found)) if found else tr("no hit")
        )
        rows = min(len(found), ROWS_SHOWN)
        self._list.setVisible(rows > 0)
        self._list.setFixedHeight(max(rows * ROW_HEIGHT, 1))
        self.adjustSize()

    def _item(self, thing: Thing) -> QListWidgetItem:
        block_type = library.get(thing.detail) if thing.kind == "block" else None
        name = icon_name(block_type) if thing.kind == "block" else "comment"
        token = color_token(block_type) if thing.kind == "block" else "text.tertiary"
        what = thing.detail if thing.kind == "block" else tr("frame") if thing.kind == "frame" else tr("note")
        text = f"{plain(thing.title)}   {plain(what)}   {thing.page}"
        item = QListWidgetItem(icon(self._appearance.theme, name, token), text)
        item.setData(_THING, thing)
        item.setSizeHint(QSize(10, ROW_HEIGHT))
        return item

    def _move(self, step: int) -> None:
        if self._list.count():
            self._was_chosen = False
            self._list.setCurrentRow((self._list.currentRow() + step) % self._list.count())

    def _choose_by(self, step: int) -> None:
        self._move(step)
        self._choose(self._list.currentItem())

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._was_chosen = True
            self.chosen.emit(item.data(_THING))
