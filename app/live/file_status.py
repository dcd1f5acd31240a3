"""The file of a document as the window knows it: whether it holds the graph, may be written, and has defects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.translation import tr
from gradwire.engine.base.problems import Problem, listed
from gradwire.engine.files.file_reading import FEATURES
from gradwire.engine.graph.document import Document

# The change of a document's file on the disk: none, another content, or it is gone.
FileState = Literal["", "changed", "vanished"]
# The code of lines about how a model came in.
IMPORTED = "import"


class FileStatus(QObject):
    """The file of one document. `notices` and `lines` are what reading it has found, `lines` by defect.

    Signals carry values: `saved_changed(bool)`, `path_changed(Path)`, and `turned(FileState)` when the file is no
    longer what it was or may not be written.
    """

    saved_changed = Signal(bool)
    path_changed = Signal(object)
    turned = Signal(str)

    def __init__(self, document: Document, notices: tuple[Problem, ...], parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self.notices = listed(notices)
        self.lines: Mapping[Problem, int] = {}
        self.state: FileState = ""
        # A graph that this version does not understand is neither evaluated nor saved: features would get lost.
        self.is_understood = FEATURES.issuperset(document.graph.needs)
        needs = tr("This file is read-only here: it needs features that this version does not have.")
        self.read_only = "" if self.is_understood else needs

    def mark_saved(self, path: Path) -> None:
        """Notes that the file holds the graph as it is now."""
        self._document.path = path
        self._document.mark_saved()
        # All others were about the file as it was.
        self.notices = tuple(notice for notice in self.notices if notice.code == IMPORTED)
        self.lines = {}
        self.path_changed.emit(path)
        self.saved_changed.emit(True)

    def mark_unsaved(self) -> None:
        """Notes that no file holds the graph."""
        self._document.mark_unsaved()
        self.saved_changed.emit(False)

    def tell_saved(self) -> None:
        """Tells after an edit whether the file holds the graph."""
        self.saved_changed.emit(self._document.is_saved)

    def set_read_only(self, reason: str) -> None:
        """Refuses all edits for a reason, a sentence; "" lets them be made again."""
        self.read_only = reason
        self.turned.emit(self.state)

    def set_lines(self, lines: Mapping[Problem, int]) -> None:
        """Notes the lines of the file where its defects stand."""
        self.lines = lines
        self.turned.emit(self.state)

    def set_state(self, state: FileState) -> None:
        """Notes a change of the file; once it has vanished, nothing holds the graph but this session."""
        if state != self.state:
            self.state = state
            self.turned.emit(state)
            if state == "vanished":
                self.mark_unsaved()

    def defects(self, problems: Iterable[Problem]) -> list[Problem]:
        """Returns the problems that were found in the file when it was opened, and are there still."""
        return [problem for problem in problems if problem in self.lines] if self.lines else []
