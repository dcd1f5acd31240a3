"""The dialogs of a window that ask for a graph's file."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr
from gradwire.app.features.models.importing import SUFFIXES as MODELS
from gradwire.app.shell.documents.messages import Messages, ask_buttons
from gradwire.app.shell.documents.recovery_files import SUFFIX
from gradwire.app.shell.documents.shown_document import ShownDocument


class FileDialogs:
    """Asks for files, beginning in the folder of the document."""

    def __init__(self, parent: QWidget, document: ShownDocument, settings: Settings, messages: Messages) -> None:
        self._parent, self._document, self._settings, self._messages = parent, document, settings, messages

    def ask_open(self, title: str, with_models: bool = False) -> Path | None:
        """Asks for a file to be read: a graph, or a model of another program where those are taken."""
        models = " ".join(f"*{suffix}" for suffix in MODELS)
        shown = f"{tr('Graphs and models')} (*.graph {models});;{files_filter()}" if with_models else files_filter()
        name, _ = QFileDialog.getOpenFileName(self._parent, title, str(self.folder()), shown)
        return Path(name) if name else None

    def ask_save(self) -> Path | None:
        """Asks for a file to save the graph in."""
        start = str(self._place_to_save())
        name, _ = QFileDialog.getSaveFileName(self._parent, tr("Save the graph"), start, files_filter())
        if not name:
            return None
        path = with_ending(Path(name))
        # The dialog has asked about the name as it was typed, which may not be that of the file.
        return path if path == Path(name) or self._may_replace(path) else None

    def folder(self) -> Path:
        """Returns the folder where files are looked for: beside the document, else beside the one opened last."""
        path = self._document.path
        recent = self._settings.recent()
        folder = path.parent if path is not None else recent[0].path.parent if recent else Path.home()
        return folder if os.path.isdir(folder) else Path.home()

    def _place_to_save(self) -> Path:
        """The file that is proposed: the document's, or one of its name at home where its folder takes no files."""
        path = self._document.original or self.folder() / f"{self._document.title}{SUFFIX}"
        return path if os.access(path.parent, os.W_OK) else Path.home() / path.name

    def _may_replace(self, path: Path) -> bool:
        """Whether a file may be written: there is none yet, or the user says so."""
        if not os.path.exists(path):
            return True
        buttons, title = QMessageBox.StandardButton, tr('Replace "{name}"?', name=path.name)
        sentence = tr("This file exists; replacing it destroys its contents.")
        box = self._messages.question("replace_dialog", title, sentence)
        return ask_buttons(box, buttons.Yes | buttons.Cancel, buttons.Cancel) == buttons.Yes


def with_ending(path: Path) -> Path:
    """Returns the file that a typed name means: with the ending of graphs, whatever stands behind a dot in it."""
    return path if path.suffix.casefold() == SUFFIX else path.with_name(path.name + SUFFIX)


def files_filter() -> str:
    """Returns the files that dialogs for graphs show."""
    return f"{tr('Gradwire graphs')} (*.graph);;{tr('All files')} (*)"
