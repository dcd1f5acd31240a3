"""The file of a Data block: how it was read, in one line, and the dialog that chooses another."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.live.session import Session
from gradwire.app.panels.controls.apply import apply_edit
from gradwire.app.panels.controls.form_parts import show_text
from gradwire.engine.edits.edits import set_parameter
from gradwire.engine.files.data_files import Examples
from gradwire.engine.files.data_kinds import TABLES
from gradwire.engine.files.data_notes import line_of
from gradwire.engine.files.wanted_files import FILE
from gradwire.engine.graph.graph import Graph

_ENDINGS = (*TABLES, "npy", "npz", "idx", "gz")


class DataLine(QLabel):
    """One line that says how the file of a Data block was read, or why it was not; hidden where there is none."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("inspector_data")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setWordWrap(True)
        self.setMinimumWidth(1)
        self.setProperty("look", "hint")
        self.hide()

    def show_file(self, session: Session, block: str) -> None:
        """Shows the state of the file of a block, by page and id."""
        show_text(self, data_text(session.data.content(block)))
        self.setVisible(bool(self.text()))


def data_text(content: Examples | str | None) -> str:
    """Returns how a file was read, or why it was not, in the language of the window."""
    if isinstance(content, Examples):
        return line_of(map(tr_sentence, content.notes))
    return "" if content is None else tr_sentence(content)


def choose_file(session: Session, block: str, parent: QWidget) -> str:
    """Lets a Data block of the page read the file that somebody chooses; returns why it cannot, else "".

    To choose a file is to allow it.
    """
    folder = session.data.folder
    if folder is None:
        return tr("Save the graph beside the file first; its path begins at the graph.")
    kinds = " ".join(f"*.{ending}" for ending in _ENDINGS)
    title, filters = tr("Choose examples"), f"{tr('Examples')} ({kinds} *ubyte);;{tr('All files')} (*)"
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder), filters)
    if not name:
        return ""
    chosen, root = Path(name).resolve(), folder.resolve()
    if not chosen.is_relative_to(root):
        return tr("{name} lies outside the folder of the graph; copy it there.", name=chosen.name)
    path = chosen.relative_to(root).as_posix()
    if refused := apply_edit(session, tr("Choose {name}", name=path), _with_file, session.page_name, block, path):
        return refused
    session.data.allow(always=False)
    return ""


def _with_file(graph: Graph, page: str, block: str, path: str) -> Graph:
    """Returns the graph whose Data block reads another file, whose sum nobody has noted yet."""
    for name, value in (("set", FILE), (FILE, path), ("sha256", "")):
        graph = set_parameter(graph, page, block, name, value)
    return graph
