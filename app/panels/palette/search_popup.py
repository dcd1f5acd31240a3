"""The search popup over the canvas, which places a block by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.live.editing import NewBlock
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import fmt_list, shape_text
from gradwire.app.look.widgets import make_label
from gradwire.app.panels.palette.list_popup import CHOICE, ROW_HEIGHT, ListPopup
from gradwire.app.panels.palette.palette import draw_block_row, draw_row_back, formula_of, key_of, no_block
from gradwire.blocks.layers.open_weights import USUAL, Weights
from gradwire.blocks.layers.typed_layers import TypedLayer, typed_layer
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.interop.code.from_code import read_code
from gradwire.interop.code.layer_lines import layer_lines
from gradwire.interop.code.refusals import CodeRefusal
from gradwire.interop.code.source_text import is_program
from gradwire.interop.search.block_search import Offer, find_offers, named_value, similar_blocks
from gradwire.interop.search.words import joined, words_by_type

SIZE = QSize(320, 380)
_PAGE: Final = "Page"
_SCAN: Final = "Scan"
# The corner's distance from the pointer, so that the pointer is over the field.
_FIELD = QPoint(24, 26)
_SIZE = re.compile(r"([^\W\d]*)\s*(\d{0,6})")
_Fits = Callable[[Offer], bool]
_Index = QModelIndex | QPersistentModelIndex


class TypedCode(NamedTuple):
    """A formula or program that was typed or pasted into the search."""

    text: str


@dataclass(frozen=True, eq=False)
class _Row:
    """One row: a block type, with the typed value and name of a source, or the page for a Page block; or a layer.

    Or a formula that was typed, with the number of its blocks and the type of the last one. `caveat` says how a block
    differs from what was asked for.
    """

    type: Offer
    value: Array | None = None
    page: str = ""
    name: str | None = None
    weights: Weights | None = None
    typed: TypedLayer | None = None
    code: str = ""
    count: int = 0
    caveat: str = ""

    @property
    def text(self) -> str:
        if self.typed is not None:
            return self.typed.text
        if self.weights is not None:
            return tr("Weights {shape}", shape=self.weights.text)
        if self.is_loop:
            return tr("Scan of {page}", page=self.page)
        return self.code or self.page or self.type.name

    @property
    def is_loop(self) -> bool:
        return isinstance(self.type, BlockType) and self.type.is_loop

    @property
    def tip(self) -> str:
        return self.type.summary

    @property
    def choice(self) -> NewBlock | TypedCode | str:
        if self.weights is not None:
            return NewBlock(self.type.name, self.weights.parameters())
        if self.typed is not None:
            return NewBlock(self.typed.layer.key, self.typed.settings)
        if self.code:
            return TypedCode(self.code)
        if self.is_loop:
            return NewBlock(key_of(self.type), {"page": self.page} if self.page else {})
        return self.page or NewBlock(key_of(self.type), {} if self.value is None else {"value": self.value}, self.name)


class Ends(NamedTuple):
    """The names of the blocks to which a new one will be connected, and how many there are.

    A block with inputs is connected to those `read`, one without inputs to the one `fed`, which may take `weights`.
    """

    read: str = ""
    fed: str = ""
    many: int = 0
    weights: Weights | None = None


NO_ENDS = Ends()


class SearchPopup(ListPopup[_Row]):
    """A popup at the pointer. `chosen` carries a NewBlock, the name of a page, or TypedCode."""

    chosen = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, "search", tr("Search blocks"), SIZE, parent)
        self._fits: _Fits | None = None
        self._used: Mapping[str, int] = {}
        self._pages: Sequence[str] = ()
        self._ends = NO_ENDS
        self._list.setAccessibleName(tr("Found blocks"))
        self._hint = make_label("", self, name="search_hint", look="quiet", wraps=True)
        self._hint.setContentsMargins(10, 2, 10, 2)
        self.add_below(self._hint)
        self.set_delegate(_Delegate(appearance, self))

    def open_at(
        self,
        place: QPoint,
        fits: _Fits | None = None,
        used: Mapping[str, int] | None = None,
        pages: Sequence[str] = (),
        ends: Ends = NO_ENDS,
        text: str = "",
    ) -> None:
        """Opens with its field at a point of the screen, and a text in it, for the block types that fit.

        `used` counts past choices; `pages` are the pages that can be used as blocks. `ends` tells what the new block
        will be connected to.
        """
        self._fits, self._used, self._pages, self._ends = fits, used or {}, pages, ends
        self.open_with_corner(place - _FIELD)
        self._field.setText(text)

    def found(self, query: str) -> tuple[list[_Row], str]:
        """Returns the matching block types; if there are none, the nearest ones and a heading that says so."""
        code, refusal = self._code(query)
        rows, heading = self._found(query)
        rows = [*code, *rows]
        self._hint.setText(self._hint_for(rows[0]) if rows else "")
        return rows, "" if code else refusal or heading

    def _code(self, query: str) -> tuple[list[_Row], str]:
        """Returns the row for a formula or layers in a few words, or else what has no block in it."""
        if (
            self._fits is not None
            or named_value(query)[1] is not None
            or not (is_program(query) or len(layer_lines(query)) > 1)
        ):
            return [], ""
        try:
            blocks = list(read_code(query).graph.pages[0].blocks.values())
        except CodeRefusal as error:
            return [], tr("Column {column}: {reason}.", column=error.column, reason=tr_sentence(error.message))
        shown = library.get(blocks[-1].type)
        return ([] if shown is None else [_Row(shown, code=query.strip(), count=len(blocks))]), ""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes lines of a program that are pasted into the field, which has one line; other keys go their way."""
        is_pasting = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if is_pasting and event.matches(QKeySequence.StandardKey.Paste):  # type: ignore[attr-defined]  # a key event
            text = QGuiApplication.clipboard().text().strip()
            if "\n" in text and self._fits is None and is_program(text):
                self.close()
                self.chosen.emit(TypedCode(text))
                return True
        return super().eventFilter(watched, event)

    def _hint_for(self, row: _Row) -> str:
        """Returns what Enter does with the first row, and how values and formulas are typed."""
        if row.caveat:
            return tr_sentence(row.caveat)
        if row.code:
            return tr("Enter makes {count} blocks.", count=row.count)
        if row.weights is not None and None in row.weights.shape:
            return tr("Type a number for [ ]; without one it is {size}.", size=USUAL)
        first = row.type
        values = tr("A value or a formula makes blocks too: [1, 2], y = W @ x + b, dense 8 tanh.")
        ends = self._ends.read if first.inputs else self._ends.fed
        return f"{tr('Enter connects it to {ends}.', ends=ends)} {values}" if ends else values

    def _found(self, query: str) -> tuple[list[_Row], str]:
        typed = typed_layer(query)
        if typed is not None and (self._fits is None or self._fits(typed.layer)):
            return [_Row(typed.layer, typed=typed)], ""
        several = [] if self._fits is None else layer_lines(query)
        if len(several) > 1:
            # Nothing that was typed is left out in silence.
            return [], tr("Here one layer at a time: {first}.", first=several[0].text)
        scans = self._scans(query)
        hits = find_offers(query, self._fits, self._used, self._ends.many)
        # A loop is named with its page where there is one.
        rows = [_Row(hit.type, caveat=hit.caveat) for hit in hits if not (scans and hit.type is library[_SCAN])]
        wanted = query.strip().lower()
        users = [library[name] for name in (_PAGE, _SCAN) if name == _PAGE or not scans]
        found = [_Row(item, page=name) for name in self._pages if wanted and wanted in name.lower() for item in users]
        # A page of exactly this name comes first, other pages after the blocks.
        rows = [*(row for row in found if row.page.lower() == wanted), *rows]
        rows += [row for row in found if row.page.lower() != wanted]
        rows = [*scans, *rows]
        rows = [*self._weights(query), *self._sources(query), *rows]
        if rows:
            return rows, ""
        near = [_Row(item) for item in similar_blocks(query, self._fits)]
        return near, no_block(query, bool(near))

    def _scans(self, query: str) -> list[_Row]:
        """Returns a loop over each page, where the query is what people call a loop, or begins its name."""
        scan, word = library[_SCAN], joined(query)
        is_asked = len(word) > 1 and (word in words_by_type().get(_SCAN, ()) or joined(_SCAN).startswith(word))
        return [_Row(scan, page=name) for name in self._pages] if is_asked else []

    def _weights(self, query: str) -> list[_Row]:
        """Returns the Variable that fits the port fed, for the word weights, a size, or no query at all."""
        weights, asked = self._ends.weights, _SIZE.fullmatch(query.strip().lower())
        if weights is None or asked is None or not tr("weights").startswith(asked[1]):
            return []
        # Where blocks may read others too, or no size is open, weights come only when they are asked for.
        if not asked[1] and (self._ends.many or None not in weights.shape):
            return []
        return [_Row(library["Variable"], weights=weights.of_size(int(asked[2]) if asked[2] else None))]

    def _sources(self, query: str) -> list[_Row]:
        """Returns the blocks that hold a typed value: first a Constant, or an Input if the value has a name."""
        name, value = named_value(query)
        if value is None:
            return []
        types = [library[item] for item in (("Constant", "Input") if name is None else ("Input", "Constant"))]
        types.append(library["Variable"])
        return [_Row(item, value, name=name) for item in types if self._fits is None or self._fits(item)]

    def take(self, row: _Row) -> None:
        """Closes the popup and emits the choice."""
        self.close()
        self.chosen.emit(row.choice)


class _Delegate(QStyledItemDelegate):
    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def sizeHint(self, _: QStyleOptionViewItem, __: _Index) -> QSize:
        return QSize(100, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = index.data(CHOICE)
        rect: QRect = option.rect
        painter.save()
        draw_row_back(painter, self._appearance.theme, option)
        formula = formula_of(row.type) if row.value is None else _value_text(row.value)
        texts = [("ui", tr(row.type.category)), ("mono", "" if row.is_loop else row.page or formula)]
        if row.code:
            texts = [("ui", tr("{count} blocks", count=row.count))]
        is_named = row.weights is not None or row.typed is not None or row.code or row.is_loop
        name = row.text if is_named else row.type.name
        draw_block_row(painter, self._appearance.theme, rect.adjusted(10, 0, -10, 0), row.type, texts, name)
        painter.restore()


def _value_text(value: Array) -> str:
    """Returns the numbers of a Constant if they are few, else its shape."""
    if value.size <= 4 and value.ndim <= 1:
        return fmt_list(float(item) for item in np.ravel(value))
    return shape_text(value.shape)
