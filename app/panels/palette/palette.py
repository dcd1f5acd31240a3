"""The palette: all block types by category, to drag onto the canvas, and a search field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from gradwire.app.base.translation import tr
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.categories import category_icon, category_token, color_token, icon_name
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import make_column, named
from gradwire.app.panels.palette.short_formulas import short_formula
from gradwire.blocks.layers.catalogue import LAYERS, Layer
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.interop.search.block_search import Offer, find_offers, nearest_blocks, placeable_types, similar_blocks

MIME_TYPE = "application/x-gradwire-block"
ROW_HEIGHT = 26
HINT = "Drag a block onto the canvas, double-click to place it at the centre, or press {key} over the canvas."
_ITEM = Qt.ItemDataRole.UserRole
_OPEN_AT_FIRST = ("Sources", "Control")
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def all_offers() -> list[Offer]:
    """Returns all that the palette places, in its order: layers come behind the first category, the sources."""
    types = placeable_types()
    sources = [item for item in types if item.category == types[0].category]
    return [*sources, *LAYERS.values(), *types[len(sources) :]]


def found(query: str) -> list[Offer]:
    """Returns the layers and block types that match a query, best first."""
    return [hit.type for hit in find_offers(query)]


def key_of(item: Offer) -> str:
    """Returns the name by which a block type or layer is placed."""
    return item.key if isinstance(item, Layer) else item.name


def formula_of(item: Offer) -> str:
    """Returns the short formula of a block type; a layer has none."""
    return "" if isinstance(item, Layer) else short_formula(item)


def draw_key_chip(painter: QPainter, theme: Theme, text: str, right: float, middle: float) -> float:
    """Draws a key's name in a small box that ends at `right`; returns the box's left edge."""
    painter.setFont(font("mono", 10))
    width = key_chip_width(text)
    box = QRectF(right - width + 0.5, round(middle) - 8.5, width - 1, 16)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("border.default"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, 4, 4)
    painter.setPen(theme.color("text.secondary"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    return box.left()


def key_chip_width(text: str) -> int:
    """Returns the width of the box around a key's name."""
    return QFontMetrics(font("mono", 10)).horizontalAdvance(text) + 10


def draw_row_back(painter: QPainter, theme: Theme, option: QStyleOptionViewItem) -> None:
    """Draws the background of a row: hover, selection, and a ring for the keyboard focus."""
    state = option.state
    rect: QRect = option.rect
    is_selected = bool(state & QStyle.StateFlag.State_Selected)
    if is_selected or state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, theme.color("bg.selected" if is_selected else "bg.hover"))
    if state & QStyle.StateFlag.State_HasFocus:
        painter.setPen(QPen(theme.color("focus"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect.adjusted(1, 1, -1, -1))


def draw_block_row(
    painter: QPainter,
    theme: Theme,
    rect: QRect,
    item: Offer,
    texts: Sequence[tuple[str, str]] | None = None,
    title: str = "",
) -> None:
    """Draws icon and name of a block type or layer, and texts at the right in their fonts (`ui` or `mono`).

    The outermost text comes first; the default is the short formula alone. A text is left out if it would
    cut the name short, or the `title` that stands for it.
    """
    draw_icon(painter, icon_name(item), theme.color(color_token(item)), _icon_box(rect, 0))
    left, right = rect.left() + 21, rect.right()
    title = title or item.name
    needed = QFontMetrics(font("ui", 12)).horizontalAdvance(title)
    painter.setPen(theme.color("text.tertiary"))
    for kind, text in texts if texts is not None else [("mono", formula_of(item))]:
        painter.setFont(font("mono" if kind == "mono" else "ui", 11))
        width = painter.fontMetrics().horizontalAdvance(text)
        if text and right - width - 12 - left >= needed:
            painter.drawText(QRect(left, rect.top(), right - left, rect.height()), _RIGHT, text)
            right -= width + 12
    painter.setFont(font("ui", 12))
    painter.setPen(theme.color("text.primary"))
    name = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, right - left)
    painter.drawText(QRect(left, rect.top(), right - left, rect.height()), Qt.AlignmentFlag.AlignVCenter, name)


def _icon_box(rect: QRect, left: int, px: int = 14) -> QRectF:
    return QRectF(rect.left() + left, rect.center().y() - px // 2 + 1, px, px)


class BlockPalette(QWidget):
    """The left dock. `block_chosen(str)` carries the name of the type to place at the centre of the canvas.

    `help_wanted(str)` carries the name of the type that the user wants help on.
    """

    block_chosen = Signal(str)
    help_wanted = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        named(self, "palette", look="panel")
        self.setMinimumWidth(200)
        self._closed = {item.category for item in all_offers()} - set(_OPEN_AT_FIRST)
        self._is_filling = False
        self._model = _Model(self)
        self._search = named(SearchField(appearance, tr("Search blocks"), "Tab", self), "palette_search")
        self._search.setFixedHeight(28)
        self._search.textChanged.connect(self._fill)
        self._search.installEventFilter(self)
        self._tree = self._made_tree()
        self._nothing, self._hint = QLabel(self), QLabel(self)
        self._lay_out()
        self.show_key("Tab")
        self._fill("")
        appearance.changed.connect(self._repaint)

    def sizeHint(self) -> QSize:
        """Returns a width of 240 and a large height."""
        return QSize(240, 600)

    def show_key(self, key: str) -> None:
        """Shows the key that opens the search over the canvas; "" hides the hint."""
        self._search.set_key(key)
        self._hint.setText(tr(HINT, key=key))
        self._hint.setVisible(bool(key))

    def refresh(self) -> None:
        """Shows the current block types."""
        self._fill(self._search.text())

    def focus_search(self) -> None:
        """Gives the search field the keyboard focus."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handles the keys: Enter takes the first hit, Down enters the list, Escape clears, F1 helps."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_F1 and self._has_help():
            return self._key_for_help(event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if watched is self._search:
                return self._key_in_field(event)
            if event.key() in _ENTER:
                self._choose(self._tree.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def _has_help(self) -> bool:
        """Returns whether the help has a page about the current row; of layers the tool tip says all."""
        return isinstance(self._type_at(self._tree.currentIndex()), BlockType)

    def _key_for_help(self, event: QKeyEvent) -> bool:
        pointed = self._type_at(self._tree.currentIndex())
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # otherwise the window uses the key for the selected block
        elif event.type() == QEvent.Type.KeyPress and pointed is not None:
            self.help_wanted.emit(pointed.name)
        return True

    def _key_in_field(self, event: QKeyEvent) -> bool:
        if event.key() in _ENTER:
            if self._search.text().strip():
                self._choose(self._first())
            return True
        if event.key() == Qt.Key.Key_Down:
            self._tree.setFocus(Qt.FocusReason.TabFocusReason)
            if not self._tree.currentIndex().isValid():
                self._tree.setCurrentIndex(self._first())
            return True
        if event.key() == Qt.Key.Key_Escape and self._search.text():
            self._search.clear()
            return True
        return False

    def _made_tree(self) -> QTreeView:
        tree = named(QTreeView(self), "palette_tree", says=tr("Blocks"))
        tree.setModel(self._model)
        tree.setItemDelegate(_Delegate(self._appearance, tree))
        tree.setHeaderHidden(True)
        tree.setIndentation(0)
        tree.setUniformRowHeights(True)
        tree.setMouseTracking(True)
        tree.setExpandsOnDoubleClick(False)
        tree.setDragEnabled(True)
        tree.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.clicked.connect(self._toggle)
        tree.doubleClicked.connect(self._choose_block)
        tree.expanded.connect(self._note_open)
        tree.collapsed.connect(self._note_closed)
        tree.installEventFilter(self)
        return tree

    def _lay_out(self) -> None:
        field = make_column(self._search, margins=(12, 10, 12, 8))
        for label, name in ((self._nothing, "palette_nothing"), (self._hint, "palette_hint")):
            label.setObjectName(name)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._nothing.setProperty("look", "quiet")
        self._nothing.setContentsMargins(14, 2, 12, 8)
        below = make_column(self._hint, margins=(12, 8, 12, 12))
        make_column(field, self._nothing, (self._tree, 1), below, inside=self, margins=0, spacing=0)

    def _fill(self, query: str) -> None:
        """Shows all types, or the matches best first; categories that the user folded stay folded."""
        is_search = bool(query.strip())
        types = found(query) if is_search else all_offers()
        self._nothing.setVisible(not types)
        if not types:
            types = list(similar_blocks(query))
            self._nothing.setText(no_block(query, bool(types)))
        self._is_filling = True
        self._model.fill(types)
        for row in range(self._model.rowCount()):
            index = self._model.index(row, 0)
            self._tree.setExpanded(index, is_search or index.data(_ITEM) not in self._closed)
        self._is_filling = False
        if is_search:
            self._tree.setCurrentIndex(self._first())
        self._tree.scrollToTop()

    def _first(self) -> QModelIndex:
        return self._model.index(0, 0, self._model.index(0, 0))

    def _toggle(self, index: QModelIndex) -> None:
        if isinstance(index.data(_ITEM), str):
            self._tree.setExpanded(index, not self._tree.isExpanded(index))

    def _choose(self, index: QModelIndex) -> None:
        self._toggle(index)
        self._choose_block(index)

    def _choose_block(self, index: QModelIndex) -> None:
        item = self._type_at(index)
        if item is not None:
            self.block_chosen.emit(key_of(item))

    def _type_at(self, index: QModelIndex) -> Offer | None:
        item = index.data(_ITEM) if index.isValid() else None
        return item if isinstance(item, BlockType | Layer) else None

    def _note_open(self, index: QModelIndex) -> None:
        if not self._is_filling and not self._search.text().strip():
            self._closed.discard(index.data(_ITEM))

    def _note_closed(self, index: QModelIndex) -> None:
        if not self._is_filling and not self._search.text().strip():
            self._closed.add(index.data(_ITEM))

    def _repaint(self) -> None:
        self._search.update()
        self._tree.viewport().update()


def no_block(query: str, is_something_similar: bool) -> str:
    """Returns what is said where a search finds nothing: what stands below it, or the names that come nearest."""
    name = query.strip()
    if is_something_similar:
        return tr('No block is called "{name}". Similar names:', name=name)
    near = ", ".join(item.name for item in nearest_blocks(query))
    return tr('No block is called "{name}". The nearest names are {near}.', name=name, near=near)


class SearchField(QLineEdit):
    """A field with a magnifying glass; while it is empty, its shortcut key stands at the right end."""

    def __init__(self, appearance: Appearance, hint: str, key: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance, self._key = appearance, key
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        self.setTextMargins(19, 0, 0, 0)
        self.setClearButtonEnabled(False)
        appearance.changed.connect(self.update)

    def set_key(self, key: str) -> None:
        """Sets the displayed shortcut key."""
        self._key = key
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the field, then the icon and the key."""
        super().paintEvent(event)
        theme = self._appearance.theme
        with QPainter(self) as painter:
            draw_icon(painter, "search", theme.color("text.secondary"), QRectF(9, self.height() / 2 - 7, 14, 14))
            if self._key and not self.text():
                draw_key_chip(painter, theme, self._key, self.width() - 7, self.height() / 2)


class _Model(QStandardItemModel):
    """The model of categories and their block types and layers; a dragged one travels as its name."""

    def fill(self, types: Iterable[Offer]) -> None:
        self.clear()
        groups: dict[str, list[Offer]] = {}
        for item in types:
            groups.setdefault(item.category, []).append(item)
        for category, members in groups.items():
            group = QStandardItem(tr(category))
            group.setData(category, _ITEM)
            group.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            group.setAccessibleText(f"{tr(category)}, {len(members)}")
            group.appendRows([_row(item) for item in members])
            self.appendRow(group)

    def mimeTypes(self) -> list[str]:
        return [MIME_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        names = [key_of(item) for index in indexes if isinstance(item := index.data(_ITEM), BlockType | Layer)]
        if names:
            data.setData(MIME_TYPE, names[0].encode())
        return data


def _row(item: Offer) -> QStandardItem:
    row = QStandardItem(item.name)
    row.setData(item, _ITEM)
    # Qt treats a tool tip that looks like rich text as such; a category or summary never holds a tag.
    row.setToolTip(literal_tip(item.summary))
    row.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled)
    return row


class _Delegate(QStyledItemDelegate):
    def __init__(self, appearance: Appearance, parent: QTreeView) -> None:
        super().__init__(parent)
        self._appearance, self._tree = appearance, parent

    def sizeHint(self, _: QStyleOptionViewItem, __: _Index) -> QSize:
        return QSize(100, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme, item = self._appearance.theme, index.data(_ITEM)
        rect: QRect = option.rect
        painter.save()
        draw_row_back(painter, theme, option)
        if isinstance(item, BlockType | Layer):
            draw_block_row(painter, theme, rect.adjusted(27, 0, -13, 0), item)
        else:
            self._paint_category(painter, rect, str(item), index)
        painter.restore()

    def _paint_category(self, painter: QPainter, rect: QRect, category: str, index: _Index) -> None:
        theme = self._appearance.theme
        is_open = self._tree.isExpanded(index)
        arrow = "chev-down" if is_open else "chev-right"
        draw_icon(painter, arrow, theme.color("text.secondary"), _icon_box(rect, 7, 13))
        draw_icon(painter, category_icon(category), theme.color(category_token(category)), _icon_box(rect, 26))
        painter.setFont(font("ui", 12, 500))
        painter.setPen(theme.color("text.secondary"))
        painter.drawText(rect.adjusted(46, 0, -40, 0), Qt.AlignmentFlag.AlignVCenter, tr(category))
        painter.setFont(font("ui", 11))
        painter.setPen(theme.color("text.tertiary"))
        count = index.model().rowCount(index)
        painter.drawText(rect.adjusted(0, 0, -13, 0), _RIGHT, str(count))
