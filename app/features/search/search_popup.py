"""The search of the window: what can be added, gone to, done and learnt, in one list under one field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr
from gradwire.app.features.search.search_frame import Found, ListPopup
from gradwire.app.kit.search.block_entries import NO_ENDS, BlockSearch, Ends, TypedCode
from gradwire.app.kit.search.entries import ENTRY, Entry, heading
from gradwire.app.kit.search.ranking import matches, ranked
from gradwire.app.look.appearance import Appearance
from gradwire.engine.base.nearest import nearest
from gradwire.engine.blocktypes.library import library
from gradwire.interop.code.source_text import is_program
from gradwire.interop.search.block_search import Fits

SIZE = QSize(420, 440)
USES = "box_uses"
# The corner's distance from the pointer, so that the pointer is over the field.
CORNER = QPoint(24, 26)
# So many rows has a part that does not come first, and so many commands were used most.
_FEW, _USED = 5, 6


class Source(NamedTuple):
    """One part of the search beside blocks: its id, its heading, and all its entries.

    One that `is_slow` at present, as the places of a large graph are, is looked through only where it comes first.
    """

    id: str
    title: str
    entries: Callable[[], list[Entry]]
    is_loose: bool = False
    is_slow: Callable[[], bool] = lambda: False


class SearchPopup(ListPopup):
    """A popup at a point. `chosen` carries a NewBlock, the name of a page, or TypedCode; others carry out themselves.

    `file_of` knows the texts that name a file, and `sources` are what else is found; `help_wanted(str)` carries the
    block type of a row on which F1 is pressed.
    """

    chosen = Signal(object)
    help_wanted = Signal(str)

    def __init__(self, appearance: Appearance, settings: Settings, parent: QWidget | None = None) -> None:
        hint, says = tr("Add, find, do: a block, a place, a command, a number or a formula"), tr("Found")
        super().__init__(appearance, "search", hint, says, SIZE, parent)
        self._settings, self.sources = settings, tuple[Source, ...]()
        self.file_of: Callable[[str], Found | None] = lambda _: None
        self._search, self._first = BlockSearch(self.chosen.emit), "add"
        self._entries: dict[str, list[Entry]] = {}

    def open_at(
        self,
        place: QPoint,
        fits: Fits | None = None,
        used: Mapping[str, int] | None = None,
        pages: Sequence[str] = (),
        ends: Ends = NO_ENDS,
        text: str = "",
        first: str = "add",
        width: int = 0,
    ) -> None:
        """Opens with its field at a point of the screen, and a text in it, for the block types that fit.

        `used` counts past choices; `pages` are the pages that can be used as blocks. `ends` tells what the new block
        will be connected to. The part with the id `first` comes first; it is `width` px wide, 0 for as usual.
        """
        self._search = BlockSearch(self.chosen.emit, fits, used, pages, ends)
        self._first, self._entries = first, {}
        self.open_with_corner(place - CORNER, width)
        self._field.setText(text)

    def found(self, query: str) -> Found:
        """Returns what matches, each part under its heading; if nothing does, the nearest and a sentence about it."""
        if (file := self.file_of(query)) is not None:
            return file
        blocks, message = self._search.found(query)
        added = ranked(blocks)
        if self._search.fits is not None or not self.sources:
            return added, message
        name, uses = query.strip(), self._settings.uses(USES)
        parts = {"add": (tr("Add"), added)}
        for source in self.sources:
            if source.id != self._first and source.is_slow():
                continue
            is_first = source.id == self._first
            found = matches(self._all(source), query, source.is_loose and is_first) if name else ()
            rows = ranked(found, uses) if name else self._at_first(source, uses)
            parts[source.id] = source.title, rows or self._similar(source, name)
        filled = {part: rows for part, (_, rows) in parts.items() if rows}

        def rank(part: str) -> tuple[bool, ...]:
            # Blocks that are only called nearly so come last.
            is_near, leads = part == "add" and bool(message), self._leads(part, name, filled)
            return is_near, not leads, not filled[part][0].is_possible, part != self._first

        order = sorted(filled, key=rank)
        if not order or (message and order == ["add"]):
            return added, message
        return list(self._listed([parts[part] for part in order], not name)), ""

    def take(self, entry: Entry) -> None:
        """Counts an entry that is possible and carries it out."""
        if entry.is_possible and not entry.block:
            self._settings.count(USES, entry.id)
        super().take(entry)

    def takes_key(self, event: QKeyEvent, is_in_field: bool) -> bool:
        """Takes F1, and lines of a program that are pasted into the field; other keys go their way."""
        if event.matches(QKeySequence.StandardKey.Paste):
            text = QGuiApplication.clipboard().text().strip()
            if "\n" in text and self._search.fits is None and is_program(text):
                self.close()
                self.chosen.emit(TypedCode(text))
                return True
        if event.key() == Qt.Key.Key_F1:
            entry = self._view.currentIndex().data(ENTRY)
            if isinstance(entry, Entry) and entry.block in library:
                self.close()
                self.help_wanted.emit(entry.block)
            return True
        return super().takes_key(event, is_in_field)

    def _all(self, source: Source) -> list[Entry]:
        """Returns all entries of a part, made once for each time that the search is open."""
        if source.id not in self._entries:
            self._entries[source.id] = source.entries()
        return self._entries[source.id]

    def _at_first(self, source: Source, uses: Mapping[str, int]) -> list[Entry]:
        """Returns what a part shows before anything is typed: all if it comes first, else what was used most."""
        if self._first == "add" and not uses:
            return []
        entries = self._all(source)
        known = [entry for entry in entries if uses.get(entry.id) and entry.is_possible]
        used = sorted(known, key=lambda entry: -uses[entry.id])[:_USED]
        return used + [entry for entry in entries if entry not in used] if source.id == self._first else used

    @staticmethod
    def _leads(part: str, name: str, parts: Mapping[str, list[Entry]]) -> bool:
        """Whether a command or a lesson is called exactly by what was typed, and no block is."""
        called = {key for key, rows in parts.items() if rows[0].text.lower() == name.lower()}
        return part in called & {"do", "learn"} and "add" not in called

    @staticmethod
    def _listed(parts: Sequence[tuple[str, list[Entry]]], are_all: bool) -> Iterator[Entry]:
        """Yields the rows of all parts, each under its heading; of the first one all if they are wanted."""
        for number, (title, rows) in enumerate(parts):
            yield heading(title)
            is_whole = number == 0 and (are_all or len(parts) == 1)
            yield from rows if is_whole else rows[: 3 * _FEW if number == 0 else _FEW]

    def _similar(self, source: Source, name: str) -> list[Entry]:
        """Returns what is called nearly so, in the part that is to come first."""
        if not name or source.id != self._first:
            return []
        entries = {entry.text: entry for entry in self._all(source)}
        return [entries[text] for text in nearest(name, entries)]
