"""Opening and saving: files, examples, the question about unsaved changes."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.canvas.picture import with_places
from app.examples import example_path
from app.exporting import CodeDialog
from app.garbage import without_collection
from app.live.scheduler import MakeEvaluator
from app.live.session import Session
from app.look.icons import icon_pixmap
from app.words import tr, tr_sentence
from engine.errors import FileError
from engine.files import load, save
from engine.graph import Graph
from engine.problems import Problem

if TYPE_CHECKING:
    from app.main_window import MainWindow

SUFFIX = ".graph"


class Documents:
    """The files of one window."""

    def __init__(self, window: MainWindow, make_evaluator: MakeEvaluator) -> None:
        self._window, self.make_evaluator = window, make_evaluator

    @property
    def name(self) -> str:
        """What the document is called: the name of its file, or a title."""
        title = self._window.title
        return f"{title}{SUFFIX}" if self._window.session.document.path is not None else title

    def made_session(self, graph: Graph | None, path: Path | None, notices: tuple[Problem, ...]) -> Session:
        """A session with a graph, by default an empty one, for the window to show."""
        return Session(Graph() if graph is None else graph, self.make_evaluator, path, notices, parent=self._window)

    # Opening

    def new(self) -> None:
        """An empty graph, after the question about unsaved changes."""
        if self.may_leave():
            self._window.show_graph()

    def open_or_begin(self, path: Path) -> None:
        """Opens a file; where there is none of that name yet, begins an empty graph that is to be saved there."""
        if path.exists() or path.suffix != SUFFIX:
            self.open(path)
        else:
            self._window.show_graph(path=path.absolute())

    def ask_open(self) -> None:
        """Asks for a file and opens it."""
        name, _ = QFileDialog.getOpenFileName(self._window, tr("Open a graph"), str(self.folder()), files_filter())
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Opens a file, after the question about unsaved changes; False if it cannot be read or was not wanted.

        A window that has the file open comes forward instead.
        """
        if (other := self._window.windows.showing(path, besides=self._window)) is not None:
            other.come_forward()
            return True
        if not self.may_leave():
            return False
        try:
            with without_collection():
                loaded = load(path)
        except FileError as error:
            place = tr(", line {line}, column {column}", line=error.line, column=error.column) if error.line else ""
            self.complain(tr("The file cannot be opened"), f"{path.name}{place}: {tr_sentence(error.message)}")
            return False
        self._window.settings.add_recent(path)
        notices = loaded.notices
        if loaded.unknown_needs:
            needs = ", ".join(loaded.unknown_needs)
            sentence = tr(
                "The file needs {needs}, which this version does not have: it is read-only here.", needs=needs
            )
            notices = (*notices, Problem("warning", "", "needs", sentence))
        with without_collection():
            self._window.show_graph(with_places(loaded.graph), path.absolute(), notices)
        self._window.session.is_read_only = bool(loaded.unknown_needs)
        return True

    def open_example(self, name: str) -> None:
        """Opens an example as an untitled copy."""
        if self.may_leave():
            # What a file says of its place in the gallery is not of the copy.
            graph = dataclasses.replace(load(example_path(name)).graph, extra={})
            self._window.show_graph(with_places(graph), title=name)

    # Saving

    def save(self) -> bool:
        """Saves to the document's file, or asks for one; False if nothing was saved."""
        path = self._window.session.document.path
        return self.ask_save_as() if path is None else self.save_to(path)

    def ask_save_as(self) -> bool:
        """Asks for a file and saves there; False if nothing was saved."""
        start = str(self._place_to_save())
        name, _ = QFileDialog.getSaveFileName(self._window, tr("Save the graph"), start, files_filter())
        if not name:
            return False
        path = with_ending(Path(name))
        # The dialog has asked about the name as it was typed, which may not be that of the file.
        return (path == Path(name) or self._may_replace(path)) and self.save_to(path)

    def save_to(self, path: Path) -> bool:
        """Saves to a file, after an error elsewhere if the user wants that; False if nothing was saved.

        After an error the file is as it was, and the document stays unsaved.
        """
        session = self._window.session
        if session.is_read_only:
            self.complain(
                tr("The graph was not saved"), tr("It needs what this version does not have, and would lose it.")
            )
            return False
        if self._window.windows.showing(path, besides=self._window) is not None:
            sentence = tr("{name} is open in another window; close it there, or save elsewhere.", name=path.name)
            return self._save_elsewhere(sentence)
        try:
            with without_collection():
                save(session.graph, path)
        except FileError as error:
            sentence = tr("Your work is still here; save it elsewhere.")
            return self._save_elsewhere(f"{tr_sentence(str(error))} {sentence}")
        session.mark_saved(path.absolute())
        self._window.settings.add_recent(path)
        return True

    def _save_elsewhere(self, sentence: str) -> bool:
        """Says why the graph was not saved, and offers another file; False if nothing was saved."""
        box = self._error_box(tr("The graph was not saved"), sentence)
        elsewhere = box.addButton(tr("Save as …"), QMessageBox.ButtonRole.AcceptRole)
        elsewhere.setObjectName("save_elsewhere")
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(elsewhere)
        box.exec()
        is_wanted = box.clickedButton() is elsewhere
        box.deleteLater()
        return is_wanted and self.ask_save_as()

    def _place_to_save(self) -> Path:
        """The file that is proposed: the document's, or one of its name at home where its folder takes no files."""
        path = self._window.session.document.path or self.folder() / f"{self._window.title}{SUFFIX}"
        return path if os.access(path.parent, os.W_OK) else Path.home() / path.name

    def show_code(self) -> None:
        """Shows the graph as a program."""
        CodeDialog(self._window.session.graph, self._window.title, self._window).open()

    # Leaving

    def close(self) -> None:
        """Goes back to the welcome page, after the question about unsaved changes."""
        if self.may_leave():
            self._window.leave_graph()

    @property
    def has_changes(self) -> bool:
        """Whether there are changes that are not saved."""
        return self._window.has_document and not self._window.session.document.is_saved

    def may_leave(self) -> bool:
        """Whether the graph may go: it is saved, or the user saves it, or does not want to."""
        if not self.has_changes:
            return True
        buttons, title = QMessageBox.StandardButton, tr('Save the changes to "{name}"?', name=self._window.title)
        box = self._question("unsaved_dialog", title, tr("Without saving they are lost."))
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answer = box.exec()
        box.deleteLater()
        if answer == buttons.Save:
            return self.save()
        return bool(answer == buttons.Discard)

    def _may_replace(self, path: Path) -> bool:
        """Whether a file may be written: there is none yet, or the user says so."""
        if not path.exists():
            return True
        buttons, title = QMessageBox.StandardButton, tr('Replace "{name}"?', name=path.name)
        box = self._question("replace_dialog", title, tr("There is such a file already; what it holds is lost."))
        box.setStandardButtons(buttons.Yes | buttons.Cancel)
        box.setDefaultButton(buttons.Cancel)
        answer = box.exec()
        box.deleteLater()
        return bool(answer == buttons.Yes)

    def _question(self, name: str, title: str, sentence: str) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setObjectName(name)
        box.setIconPixmap(self._icon("save", "accent"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Gradwire")
        box.setText(title)
        box.setInformativeText(sentence)
        return box

    def complain(self, title: str, sentence: str) -> None:
        """Says in a dialog what went wrong."""
        box = self._error_box(title, sentence)
        box.setStandardButtons(QMessageBox.StandardButton.Ok)
        box.exec()
        box.deleteLater()

    def _error_box(self, title: str, sentence: str) -> QMessageBox:
        box = self._question("error_dialog", title, sentence)
        box.setIconPixmap(self._icon("error", "error"))
        return box

    def _icon(self, name: str, token: str) -> QPixmap:
        return icon_pixmap(name, self._window.appearance.theme.css(token), 32, self._window.devicePixelRatioF())

    def folder(self) -> Path:
        """Where files are looked for: beside the document, else beside the one opened last."""
        path = self._window.session.document.path if self._window.has_document else None
        recent = self._window.settings.recent()
        folder = path.parent if path is not None else recent[0].path.parent if recent else Path.home()
        return folder if folder.is_dir() else Path.home()


def with_ending(path: Path) -> Path:
    """The file that is meant by a typed name: with the ending of graphs, whatever stands behind a dot in the name."""
    return path if path.suffix.casefold() == SUFFIX else path.with_name(path.name + SUFFIX)


def files_filter() -> str:
    """The files that dialogs for graphs show."""
    return f"{tr('Gradwire graphs')} (*.graph);;{tr('All files')} (*)"
