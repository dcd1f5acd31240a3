"""The file of a Data block: how it was read, in one line, and the dialog that chooses another."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.kit.controls.apply import apply_edit
from gradwire.app.kit.controls.form_parts import plain_label, show_text
from gradwire.app.live.session import Session
from gradwire.app.look.widgets import STRETCH, Does, make_button, make_column, make_row, show_or_hide
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.edits.edits import set_parameter
from gradwire.engine.files.data_files import Examples
from gradwire.engine.files.data_kinds import TABLES
from gradwire.engine.files.data_notes import line_of
from gradwire.engine.files.wanted_files import FILE
from gradwire.engine.graph.graph import Block, Graph

_ENDINGS = (*TABLES, "npy", "npz", "idx", "gz")


class DataBox(QWidget):
    """One line that says how the file of a Data block was read, or why it was not; hidden where a block reads none.

    Its buttons call `choose` for another file, and `change` for the parameters that say how it is read.
    """

    def __init__(self, parent: QWidget, choose: Does, change: Does) -> None:
        super().__init__(parent)
        self.setObjectName("inspector_data")
        self._line = plain_label("", "inspector_data_line", "", self, wraps=True)
        self._refusal = plain_label("", "inspector_data_refusal", "error", self, wraps=True)
        self._line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        browse = make_button(tr("Browse …"), choose, self, name="inspector_data_browse")
        self._change = make_button(tr("Change …"), change, self, name="inspector_data_change")
        buttons = make_row(browse, self._change, STRETCH)
        make_column(self._line, self._refusal, buttons, inside=self, margins=0, spacing=4)
        self.hide()

    def show_file(self, session: Session, block: Block) -> None:
        """Shows the state of the file of a block of the page."""
        given = block.parameters
        kind = given.get("set")
        is_read = isinstance(kind, str) and kind == FILE and given.get("inputs") is None
        content = session.data.content(f"{session.page_name}/{block.id}") if is_read else None
        has_file = bool(given.get(FILE))
        unread = tr("Not read yet.") if session.data.folder else tr("Save the graph beside the file first, or browse.")
        read = data_text(content)
        if isinstance(content, Examples) and session.data.lent is not None:
            place = plain(str(session.data.lent))
            read += " " + tr("Save the graph in {folder}, so that it finds the file again.", folder=place)
        show_text(self._line, read or (unread if has_file else tr("No file yet.")))
        self._change.setEnabled(has_file)
        self.setVisible(is_read)

    def refuse(self, sentence: str) -> None:
        """Shows why the file that was chosen cannot be read; "" hides that."""
        show_or_hide(self._refusal, sentence)


def data_text(content: Examples | str | None) -> str:
    """Returns how a file was read, or why it was not, in the language of the window."""
    if isinstance(content, Examples):
        return line_of(map(tr_sentence, content.notes))
    return "" if content is None else tr_sentence(content)


def choose_file(session: Session, block: str, parent: QWidget) -> str:
    """Lets a Data block of the page read the file that somebody chooses; returns why it cannot, else "".

    To choose a file is to allow it. A graph that has no file yet reads from the folder of the file.
    """
    folder = session.data.folder or Path.home()
    kinds = " ".join(f"*.{ending}" for ending in _ENDINGS)
    title, filters = tr("Choose examples"), f"{tr('Examples')} ({kinds} *ubyte);;{tr('All files')} (*)"
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder), filters)
    return read_file(session, block, Path(name).resolve()) if name else ""


def read_file(session: Session, block: str, chosen: Path) -> str:
    """Lets a Data block read a file that the user chose, which allows it; returns why not, or ""."""
    path = name_in_folder(session, f"{session.page_name}/{block}", chosen)
    if path is None:
        return outside(chosen)
    if refused := apply_edit(session, tr("Choose {name}", name=path), _with_file, session.page_name, block, path):
        return refused
    session.data.allow(always=False)
    return ""


def name_in_folder(session: Session, block: str, chosen: Path) -> str | None:
    """Returns the name of a chosen file for a Data block: its path in the graph's folder; None if it lies outside."""
    if session.document.path is None:
        session.data.lend(chosen.parent, block)
    root = (session.data.folder or chosen.parent).resolve()
    return chosen.relative_to(root).as_posix() if chosen.is_relative_to(root) else None


def outside(chosen: Path) -> str:
    """Returns the sentence that refuses a file outside of the graph's folder."""
    return tr("{name} lies outside the folder of the graph; copy it there.", name=chosen.name)


def _with_file(graph: Graph, page: str, block: str, path: str) -> Graph:
    """Returns the graph whose Data block reads another file, whose sum nobody has noted yet."""
    for name, value in (("set", FILE), (FILE, path), ("sha256", "")):
        graph = set_parameter(graph, page, block, name, value)
    return graph
