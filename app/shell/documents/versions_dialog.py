"""The dialog of the versions of a file, which can be compared and opened as copies."""

from __future__ import annotations

import functools
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QHBoxLayout

from gradwire.app.base.moments import moment_text, size_text
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.welcome.graph_list import Entry, GraphList
from gradwire.app.look.widgets import STRETCH, add_items, make_button, make_column, make_label, make_row, named
from gradwire.app.shell.documents.backups import Backups, Version
from gradwire.app.shell.documents.comparing import Comparing
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.documents.recovery_dialog import draw_file
from gradwire.app.shell.documents.recovery_files import Copy
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.files import load

SIZE = QSize(560, 480)


class VersionsDialog(QDialog):
    """The versions of a file, by default the document's, newest first. None is ever overwritten."""

    def __init__(self, context: DocumentContext, comparing: Comparing, path: Path | None = None) -> None:
        frame, document = context.frame, context.document
        super().__init__(frame.widget)
        self.setObjectName("versions_dialog")
        self.setWindowTitle(tr("Versions"))
        self.resize(SIZE)
        self._has_document, self._comparing, self._beside = document.is_open, comparing, frame.beside
        self._name = document.base_title if path is None else path.stem
        self._path = path = path or document.original
        self._versions = [] if path is None else Backups().versions(path)
        self._list = named(GraphList(frame.appearance, self), "versions_list", says=tr("Versions"))
        self._list.show_entries([_entry(version) for version in self._versions])
        self._list.activated_entry.connect(self._open_row)
        layout = make_column(inside=self, margins=(20, 18, 20, 16), spacing=10)
        add_items(
            layout,
            make_label("" if path is None else plain(path.name), self, name="versions_title", look="title"),
            make_label(self._sentence(), self, name="versions_sentence"),
            (self._list, 1),
            self._made_buttons(),
        )
        self._list.setFocus()

    def _sentence(self) -> str:
        if not self._versions:
            return tr("There are none yet: Gradwire keeps a version each time you save.")
        return tr("What was saved last, and what was written over. Each opens as an unsaved copy.")

    def _made_buttons(self) -> QHBoxLayout:
        row = make_row(STRETCH)
        texts = {
            "compare": (tr("Compare"), self._compare),
            "open": (tr("Open as a copy"), self._open),
            "close": (tr("Close"), self.reject),
        }
        for name, (text, call) in texts.items():
            button = make_button(text, call, self, name=f"versions_{name}", enters=False)
            # There may be no graph to compare with: the file could not be opened.
            is_possible = bool(self._versions) and (name == "open" or self._has_document)
            button.setEnabled(is_possible or name == "close")
            button.setDefault(name == "open")
            row.addWidget(button)
        return row

    def _compare(self) -> None:
        version = self._versions[self._list.currentIndex().row()]
        self.accept()
        self._comparing.with_file(version.file, self._title(version))

    def _open(self) -> None:
        self._open_row(self._list.currentIndex().row())

    def _open_row(self, row: int) -> None:
        version = self._versions[row]
        try:
            graph = load(version.file).graph
        except FileError as error:
            self._list.say_fault(row, tr_sentence(str(error)))
            return
        self.accept()
        origin = Copy(version.file, version.written, self._name, self._path)
        self._beside().show_copy(graph, self._title(version), origin)

    def _title(self, version: Version) -> str:
        return tr("{name} of {time}", name=self._name, time=moment_text(version.written))


def _entry(version: Version) -> Entry:
    draw = functools.partial(draw_file, version.file)
    return Entry(moment_text(version.written), (size_text(version.size),), draw)
