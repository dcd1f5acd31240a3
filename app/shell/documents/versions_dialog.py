"""The dialog of the versions of a file, which can be compared and opened as copies."""

from __future__ import annotations

import functools
from pathlib import Path

from PySide6.QtCore import QSize

from gradwire.app.base.moments import moment_text, size_text
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.welcome.graph_list import Entry
from gradwire.app.look.widgets import STRETCH
from gradwire.app.shell.documents.backups import Backups, Version
from gradwire.app.shell.documents.comparing import Comparing
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.documents.graphs_dialog import GraphsDialog
from gradwire.app.shell.documents.recovery_dialog import draw_file
from gradwire.app.shell.documents.recovery_files import Copy
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.files import load

SIZE = QSize(560, 480)


class VersionsDialog(GraphsDialog):
    """The versions of a file, by default the document's, newest first. None is ever overwritten."""

    def __init__(self, context: DocumentContext, comparing: Comparing, path: Path | None = None) -> None:
        frame, document = context.frame, context.document
        super().__init__("versions", tr("Versions"), SIZE, frame)
        self._comparing, self._beside = comparing, frame.beside
        self._title = document.base_title if path is None else path.stem
        self._path = path = path or document.original
        self._versions = [] if path is None else Backups().versions(path)
        is_there = bool(self._versions)
        buttons = (
            STRETCH,
            # There may be no graph to compare with: the file could not be opened.
            self.button("compare", tr("Compare"), self._compare, is_there and document.is_open),
            self.button("open", tr("Open as a copy"), self.open_chosen, is_there, is_default=True),
            self.button("close", tr("Close"), self.reject),
        )
        entries = [_entry(version) for version in self._versions]
        self.lay_out("" if path is None else plain(path.name), self._sentence(), entries, buttons)

    def _sentence(self) -> str:
        if not self._versions:
            return tr("There are none yet: Gradwire keeps a version each time you save.")
        return tr("What was saved last, and what was written over. Each opens as an unsaved copy.")

    def _compare(self) -> None:
        version = self._versions[self.row]
        self.accept()
        self._comparing.with_file(version.file, self._title_of(version))

    def open_row(self, row: int) -> None:
        """Opens a version as an unsaved copy, or says in its row why not."""
        version = self._versions[row]
        try:
            graph = load(version.file).graph
        except FileError as error:
            self._list.say_fault(row, tr_sentence(str(error)))
            return
        self.accept()
        origin = Copy(version.file, version.written, self._title, self._path)
        self._beside().show_copy(graph, self._title_of(version), origin)

    def _title_of(self, version: Version) -> str:
        return tr("{name} of {time}", name=self._title, time=moment_text(version.written))


def _entry(version: Version) -> Entry:
    draw = functools.partial(draw_file, version.file)
    return Entry(moment_text(version.written), (size_text(version.size),), draw)
