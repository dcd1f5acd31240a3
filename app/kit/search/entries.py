"""An entry of a search: a row that says what it is, and what a choice does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from gradwire.app.look.tips import literal_tip
from gradwire.interop.search.fuzzy import Name, name_of_words

ENTRY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, eq=False)
class Entry:
    """A block type, command, place or file. Uses are counted by `id`.

    `detail` and `formula` stand at its right end, `hint` below the list while it is the first. `names` are what else
    it is found by, each with the share of its score that counts. `block` is the name by which a block is placed.
    One that is not possible now is grey and does nothing; one that `is_heading` names the rows below it.
    """

    id: str
    text: str
    call: Callable[[], object]
    detail: str = ""
    formula: str = ""
    tip: str = ""
    icon: str = ""
    token: str = "text.secondary"
    key: str = ""
    is_possible: bool = True
    hint: str = ""
    names: Sequence[tuple[Name, float]] = ()
    block: str = ""
    is_heading: bool = False

    @cached_property
    def found_by(self) -> Sequence[tuple[Name, float]]:
        """All names by which a search finds it, with the share of each."""
        return ((name_of_words(self.text), 1.0), *self.names)

    @property
    def item(self) -> QStandardItem:
        """Its row in a model; a heading is passed over."""
        item = QStandardItem(self.text)
        item.setData(self, ENTRY)
        # Qt treats a tool tip that looks like rich text as such; this one never holds a tag.
        item.setToolTip(literal_tip(self.tip))
        item.setAccessibleDescription(self.detail)
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        item.setFlags(Qt.ItemFlag.NoItemFlags if self.is_heading else flags)
        return item


def heading(text: str) -> Entry:
    """Returns a row that names those below it."""
    return Entry("", text, lambda: None, is_possible=False, is_heading=True)


class EntryModel(QStandardItemModel):
    """The model of entries."""

    def fill(self, entries: Sequence[Entry]) -> None:
        """Replaces the entries."""
        self.clear()
        for entry in entries:
            self.appendRow(entry.item)
