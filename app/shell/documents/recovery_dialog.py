"""The dialogs of graphs that were not saved: after an unexpected end of the program, and after *Discard*."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QMessageBox

from gradwire.app.base.moments import moment_text
from gradwire.app.base.state_folder import reason_of
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.canvas.painting.picture import structure_thumbnail
from gradwire.app.features.help.about import open_dialog
from gradwire.app.features.welcome.graph_list import Entry
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import STRETCH
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.documents.graphs_dialog import GraphsDialog
from gradwire.app.shell.documents.messages import ask_buttons
from gradwire.app.shell.documents.recovery_files import Copy, abandoned, claim, discard, discarded
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.beside.reading import NothingBeside
from gradwire.engine.files.files import load

SIZE = QSize(640, 460)


def offer_copies(context: DocumentContext) -> None:
    """Shows the recoverable graphs, if there are any, and deletes discarded ones whose week is over."""
    folder = context.frame.windows.run_folder
    copies = abandoned(folder)
    if copies:
        open_dialog(RecoveryDialog(context, copies))
    discarded(folder)


def offer_discards(context: DocumentContext) -> None:
    """Shows the graphs that were discarded within a week."""
    open_dialog(RecoveryDialog(context, discarded(context.frame.windows.run_folder), are_discards=True))


class RecoveryDialog(GraphsDialog):
    """A list of copies. Recovered ones open unsaved, each in a window of its own; the others stay until discarded.

    Those that the user has discarded already (`are_discards`) stay for a week.
    """

    def __init__(self, context: DocumentContext, copies: Sequence[Copy], are_discards: bool = False) -> None:
        name = tr("Discarded graphs") if are_discards else tr("Unsaved graphs")
        super().__init__("recovery", name, SIZE, context.frame)
        self._context, self._copies, self._are_discards = context, list(copies), are_discards
        is_there = bool(copies)
        buttons = (
            self.button("discard", tr("Discard …"), self._discard, is_there),
            STRETCH,
            self.button("later", tr("Close") if are_discards else tr("Later"), self.reject),
            self.button("recover_all", tr("Recover all"), self._recover_all, is_there),
            self.button("recover", tr("Recover"), self.open_chosen, is_there, is_default=True),
        )
        self.lay_out(*self._words(), [_entry(copy) for copy in copies], buttons)

    def _words(self) -> tuple[str, str]:
        """Returns the title above the list and the sentence below the title."""
        sentence = tr("A recovered graph opens as an unsaved copy. No file is written before you save.")
        if not self._are_discards:
            return tr("Gradwire ended before these graphs were saved"), sentence
        if self._copies:
            return tr("Discarded without saving in the last seven days"), sentence
        return tr("No graph was discarded in the last seven days"), tr("A graph that you discard is kept for a week.")

    def _recover_all(self) -> None:
        for row in reversed(range(len(self._copies))):
            self.open_row(row)

    def open_row(self, row: int) -> None:
        """Recovers a graph, or says in its row why not."""
        fault = self._recovered(self._copies[row])
        if fault:
            self._list.say_fault(row, fault)
        else:
            self._take_out(row)

    def _recovered(self, copy: Copy) -> str:
        """Opens a copy; returns the reason if it cannot be read, and then leaves the copy in place."""
        try:
            graph = load(copy.file).graph if copy.file.exists() else None
            file = claim(copy, self._context.frame.windows.run_folder)
        except FileError as error:
            return tr_sentence(str(error))
        except OSError as error:
            return reason_of(error)
        if graph is None or file is None:
            return tr("Another window has recovered or discarded it.")
        title = tr("{name} (recovered)", name=copy.name)
        self._context.frame.beside().show_copy(graph, title, copy, file)
        return ""

    def _discard(self) -> None:
        row, buttons = self.row, QMessageBox.StandardButton
        title = tr('Discard the copy of "{name}"?', name=self._copies[row].name)
        box = self._context.messages.question("discard_dialog", title, tr("Unsaved changes will be lost."))
        if ask_buttons(box, buttons.Discard | buttons.Cancel, buttons.Cancel) == buttons.Discard:
            try:
                discard(self._copies[row].file)
            except OSError as error:
                self._list.say_fault(row, reason_of(error))
            else:
                self._take_out(row)

    def _take_out(self, row: int) -> None:
        self._copies.pop(row)
        self._list.remove(row)
        if not self._copies:
            self.accept()


def _entry(copy: Copy) -> Entry:
    lines = [tr("Copy: {time}", time=moment_text(copy.written))]
    if copy.original is None:
        lines.append(tr("Never saved"))
    elif copy.saved is None:
        lines.append(tr("The file is no longer there"))
    else:
        lines.append(tr("File: {time}", time=moment_text(copy.saved)))
    if copy.original is not None:
        lines.append(str(copy.original.parent))
    return Entry(plain(copy.name), tuple(lines), functools.partial(draw_file, copy.file))


def draw_file(file: Path, size: QSize, appearance: Appearance, ratio: float) -> QPixmap:
    """Draws the structure of the graph in a file. Raises: FileError if it cannot be read."""
    return structure_thumbnail(load(file, beside=NothingBeside()).graph, size, appearance, ratio)
