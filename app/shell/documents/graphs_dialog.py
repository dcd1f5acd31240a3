"""The frame of the dialogs that list graphs: a title, a sentence, the list, and buttons for the chosen row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QPushButton

from gradwire.app.features.welcome.graph_list import Entry, GraphList
from gradwire.app.look.widgets import Dialog, Item, make_button, make_column, make_label, make_row, named
from gradwire.app.shell.documents.window_list import OpenWindow


class GraphsDialog(Dialog):
    """A list of graphs; a double click opens one. Its parts have object names that begin with `name`."""

    def __init__(self, name: str, title: str, size: QSize, frame: OpenWindow) -> None:
        super().__init__(frame, f"{name}_dialog", title, size)
        self._name = name
        self._list = named(GraphList(frame.appearance, self), f"{name}_list", says=title)
        self._list.activated_entry.connect(self.open_row)

    @property
    def row(self) -> int:
        """The number of the chosen row."""
        return self._list.currentIndex().row()

    def open_row(self, row: int) -> None:
        """Opens the graph of a row."""
        raise NotImplementedError

    def open_chosen(self) -> None:
        """Opens the graph of the chosen row."""
        self.open_row(self.row)

    def lay_out(self, heading: str, sentence: str, entries: Sequence[Entry], buttons: Sequence[Item]) -> None:
        """Puts the parts below each other, and the keyboard on the list."""
        self._list.show_entries(entries)
        said = make_label(sentence, self, name=f"{self._name}_sentence", wraps=True)
        title = make_label(heading, self, name=f"{self._name}_title", look="title")
        row, margins = make_row(*buttons), (20, 18, 20, 16)
        make_column(title, said, (self._list, 1), row, inside=self, margins=margins, spacing=10)
        self._list.setFocus()

    def button(
        self, name: str, text: str, call: Callable[[], object], is_possible: bool = True, is_default: bool = False
    ) -> QPushButton:
        """Returns a button below the list; Enter presses the default one."""
        made = make_button(text, call, self, name=f"{self._name}_{name}", enters=False)
        made.setEnabled(is_possible)
        made.setDefault(is_default)
        return made
