"""The search popup over the canvas: type a name, press Enter, and the block is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.look.appearance import Appearance
from app.look.numbers import fmt_list, shape_text
from app.panels.block_search import Fits, constant_from, find_blocks, nearest_blocks
from app.panels.list_popup import CHOICE, ROW_HEIGHT, ListPopup
from app.panels.palette import draw_block_row, draw_row_back
from app.panels.short_formulas import short_formula
from app.words import tr
from engine.block_type import BlockType
from engine.library import library
from engine.tensor_spec import Array

SIZE = QSize(320, 380)
# From the pointer to the corner: the pointer is over the field.
_FIELD = QPoint(24, 26)
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, eq=False)
class _Row:
    """One row: a block type, with the value of a Constant where one was typed, or the page that a Page is to use."""

    type: BlockType
    value: Array | None = None
    page: str = ""

    @property
    def text(self) -> str:
        return self.page or self.type.name

    @property
    def tip(self) -> str:
        return self.type.summary

    @property
    def choice(self) -> BlockType | Array | str:
        return self.page or (self.type if self.value is None else self.value)


class SearchPopup(ListPopup[_Row]):
    """Opens at the pointer. `chosen` carries a BlockType, the value of a Constant, or the name of a page."""

    chosen = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, "search", tr("Search blocks"), SIZE, parent)
        self._fits: Fits | None = None
        self._used: Mapping[str, int] = {}
        self._pages: Sequence[str] = ()
        self._list.setAccessibleName(tr("Found blocks"))
        self.set_delegate(_Delegate(appearance, self))

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
        self.open_with_corner(place - _FIELD)

    def found(self, query: str) -> tuple[list[_Row], str]:
        """The block types that match, or the nearest ones and that there is none."""
        rows = [_Row(hit.type) for hit in find_blocks(query, self._fits, self._used)]
        wanted = query.strip().lower()
        found = [_Row(library["Page"], page=name) for name in self._pages if wanted and wanted in name.lower()]
        # A page that is called just so comes first, others after the blocks.
        rows = [*(row for row in found if row.page.lower() == wanted), *rows]
        rows += [row for row in found if row.page.lower() != wanted]
        value, block_type = constant_from(query), library["Constant"]
        if value is not None and (self._fits is None or self._fits(block_type)):
            rows.insert(0, _Row(block_type, value))
        if rows:
            return rows, ""
        near, name = [_Row(item) for item in nearest_blocks(query, self._fits)], query.strip()
        if near:
            return near, tr('No block called "{name}". The nearest are:', name=name)
        return near, tr('No block called "{name}"', name=name)

    def take(self, row: _Row) -> None:
        """Closes and passes the choice on."""
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
        formula = short_formula(row.type) if row.value is None else _value_text(row.value)
        texts = [("ui", tr(row.type.category)), ("mono", row.page or formula)]
        draw_block_row(painter, self._appearance.theme, rect.adjusted(10, 0, -10, 0), row.type, texts)
        painter.restore()


def _value_text(value: Array) -> str:
    """What a Constant would hold: its numbers if they are few, else its shape."""
    if value.size <= 4 and value.ndim <= 1:
        return fmt_list(float(item) for item in np.ravel(value))
    return shape_text(value.shape)
