"""The search popup over the canvas, which places a block by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.search.block_entries import NO_ENDS, BlockSearch, Ends, TypedCode
from gradwire.app.kit.search.ranking import ranked
from gradwire.app.kit.search.search_frame import Found, ListPopup
from gradwire.app.look.appearance import Appearance
from gradwire.interop.code.source_text import is_program
from gradwire.interop.search.block_search import Fits

SIZE = QSize(320, 380)
# The corner's distance from the pointer, so that the pointer is over the field.
_FIELD = QPoint(24, 26)


class SearchPopup(ListPopup):
    """A popup at the pointer. `chosen` carries a NewBlock, the name of a page, or TypedCode."""

    chosen = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, "search", tr("Search blocks"), tr("Found blocks"), SIZE, parent)
        self._search = BlockSearch(self.chosen.emit)

    def open_at(
        self,
        place: QPoint,
        fits: Fits | None = None,
        used: Mapping[str, int] | None = None,
        pages: Sequence[str] = (),
        ends: Ends = NO_ENDS,
        text: str = "",
    ) -> None:
        """Opens with its field at a point of the screen, and a text in it, for the block types that fit.

        `used` counts past choices; `pages` are the pages that can be used as blocks. `ends` tells what the new block
        will be connected to.
        """
        self._search = BlockSearch(self.chosen.emit, fits, used, pages, ends)
        self.open_with_corner(place - _FIELD)
        self._field.setText(text)

    def found(self, query: str) -> Found:
        """Returns the matching block types; if there are none, the nearest ones and a message that says so."""
        found, message = self._search.found(query)
        return ranked(found), message

    def takes_key(self, event: QKeyEvent, is_in_field: bool) -> bool:
        """Takes lines of a program that are pasted into the field, which has one line; other keys go their way."""
        if event.matches(QKeySequence.StandardKey.Paste):
            text = QGuiApplication.clipboard().text().strip()
            if "\n" in text and self._search.fits is None and is_program(text):
                self.close()
                self.chosen.emit(TypedCode(text))
                return True
        return super().takes_key(event, is_in_field)
