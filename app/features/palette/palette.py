"""The palette: all block types by category, to drag onto the canvas, and a search field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QStandardItem
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.search.block_entries import BlockSearch, key_of, offer_entry
from gradwire.app.kit.search.entries import ENTRY, Entry
from gradwire.app.kit.search.entry_rows import EntryDelegate, icon_box
from gradwire.app.kit.search.ranking import ranked
from gradwire.app.kit.search.search_frame import Found, SearchFrame
from gradwire.app.live.editing import NewBlock
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.categories import category_icon, category_token
from gradwire.app.look.drawing import RIGHT, inked
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import Index
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import ENTER_KEYS, make_column, make_label, named
from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.block_search import Offer, placeable_types

ROW_HEIGHT = 26
HINT = "Drag a block onto the canvas, double-click to place it at the centre, or press {key} over the canvas."
_OPEN_AT_FIRST = ("Sources", "Control")


def all_offers() -> list[Offer]:
    """Returns all that the palette places, in its order: layers come behind the first category, the sources."""
    types = placeable_types()
    sources = [item for item in types if item.category == types[0].category]
    return [*sources, *LAYERS.values(), *types[len(sources) :]]


class BlockPalette(SearchFrame):
    """The left dock. `block_chosen(str)` carries the name of the type to place at the centre of the canvas.

    `help_wanted(str)` carries the name of the type that the user wants help on.
    """

    block_chosen = Signal(str)
    help_wanted = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        tree = QTreeView(headerHidden=True, indentation=0, uniformRowHeights=True, expandsOnDoubleClick=False)
        self._tree = named(tree, "palette_tree", says=tr("Blocks"))
        super().__init__(appearance, "palette", tr("Search blocks"), self._tree, parent)
        named(self, "palette", look="panel").setMinimumWidth(200)
        self._closed = {item.category for item in all_offers()} - set(_OPEN_AT_FIRST)
        self._is_filling = False
        self._search = BlockSearch(self._place)
        self._hint = make_label("", self, name="palette_hint", wraps=True)
        self._set_up_tree()
        field = make_column(self._field, margins=(12, 10, 12, 8))
        self._message.setContentsMargins(14, 2, 12, 8)
        below = make_column(self._hint, margins=(12, 8, 12, 12))
        make_column(field, self._message, (self._tree, 1), below, inside=self, margins=0, spacing=0)
        self.show_key("Tab")
        self.refresh()
        appearance.changed.connect(self._field.update)

    def sizeHint(self) -> QSize:
        """Returns a width of 240 and a large height."""
        return QSize(240, 600)

    def show_key(self, key: str) -> None:
        """Shows the key that opens the search over the canvas; "" hides the hint."""
        self._field.set_key(key)
        self._hint.setText(tr(HINT, key=key))
        self._hint.setVisible(bool(key))

    def refresh(self) -> None:
        """Shows the current block types."""
        self._fill(self._field.text())

    def focus_search(self) -> None:
        """Gives the search field the keyboard focus."""
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def found(self, query: str) -> Found:
        """Returns the matches best first, and without a query all types."""
        if query.strip():
            found, message = self._search.types(query)
            return ranked(found), message
        return [offer_entry(item, partial(self._place, NewBlock(key_of(item)))) for item in all_offers()], ""

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Shows entries by category; categories that the user folded stay folded unless something is searched."""
        groups: dict[str, list[Entry]] = {}
        for entry in entries:
            groups.setdefault(entry.group, []).append(replace(entry, detail=""))
        self._is_filling = True
        self._model.clear()
        for group, members in groups.items():
            row = _heading(group, len(members))
            row.appendRows([entry.item for entry in members])
            self._model.appendRow(row)
            self._tree.setExpanded(row.index(), self._is_searching or group not in self._closed)
        self._is_filling = False
        if self._is_searching:
            self._tree.setCurrentIndex(self._first())
        self._tree.scrollToTop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes F1 where there is a page of help; otherwise the window uses the key for the selected block."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_F1 and self._pointed in library:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() == QEvent.Type.KeyPress:
                self.help_wanted.emit(self._pointed)
            return True
        return super().eventFilter(watched, event)

    def takes_key(self, event: QKeyEvent, is_in_field: bool) -> bool:
        """Handles the keys: Enter takes the first hit, Down enters the list, Escape clears."""
        if event.key() in ENTER_KEYS:
            if not is_in_field:
                self._toggle(self._tree.currentIndex())
                self.choose(self._tree.currentIndex())
            elif self._is_searching:
                self.choose(self._first())
        elif is_in_field and event.key() == Qt.Key.Key_Down:
            self._tree.setFocus(Qt.FocusReason.TabFocusReason)
            if not self._tree.currentIndex().isValid():
                self._tree.setCurrentIndex(self._first())
        elif is_in_field and event.key() == Qt.Key.Key_Escape and self._field.text():
            self._field.clear()
        else:
            return False
        return True

    @property
    def _is_searching(self) -> bool:
        return bool(self._field.text().strip())

    @property
    def _pointed(self) -> str:
        """The block type of the current row; of layers the tool tip says all."""
        entry = self._tree.currentIndex().data(ENTRY) if self._tree.currentIndex().isValid() else None
        return entry.block if isinstance(entry, Entry) else ""

    def _set_up_tree(self) -> None:
        tree = self._tree
        tree.setItemDelegate(_Delegate(self._appearance, tree, ROW_HEIGHT, (27, 13)))
        tree.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        tree.clicked.connect(self._toggle)
        tree.doubleClicked.connect(self.choose)
        tree.expanded.connect(self._note_fold)
        tree.collapsed.connect(self._note_fold)

    def _place(self, new: NewBlock) -> None:
        self.block_chosen.emit(new.type_name)

    def _first(self) -> QModelIndex:
        return self._model.index(0, 0, self._model.index(0, 0))

    def _toggle(self, index: QModelIndex) -> None:
        if isinstance(index.data(ENTRY), str):
            self._tree.setExpanded(index, not self._tree.isExpanded(index))

    def _note_fold(self, index: QModelIndex) -> None:
        if not self._is_filling and not self._is_searching:
            (self._closed.discard if self._tree.isExpanded(index) else self._closed.add)(index.data(ENTRY))


def _heading(category: str, count: int) -> QStandardItem:
    heading = QStandardItem(tr(category))
    heading.setData(category, ENTRY)
    heading.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
    heading.setAccessibleText(f"{tr(category)}, {count}")
    return heading


class _Delegate(EntryDelegate):
    def draw(self, painter: QPainter, theme: Theme, rect: QRect, index: Index) -> None:
        category = index.data(ENTRY)
        if isinstance(category, Entry):
            super().draw(painter, theme, rect, index)
            return
        tree = self.parent()
        assert isinstance(tree, QTreeView)
        arrow = "chev-down" if tree.isExpanded(index) else "chev-right"
        draw_icon(painter, arrow, theme.color("text.secondary"), icon_box(rect, 7, 13))
        draw_icon(painter, category_icon(category), theme.color(category_token(category)), icon_box(rect, 26))
        inked(painter, theme.color("text.secondary"), font=font("ui", 12, 500))
        painter.drawText(rect.adjusted(46, 0, -40, 0), Qt.AlignmentFlag.AlignVCenter, tr(category))
        inked(painter, theme.color("text.tertiary"), font=font("ui", 11))
        painter.drawText(rect.adjusted(0, 0, -13, 0), RIGHT, str(index.model().rowCount(index)))


FEATURE = Feature("blocks", "Blocks", "All block types by category, to drag onto the canvas", "search")
