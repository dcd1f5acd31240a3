"""Opening and saving: files, examples, the question about unsaved changes."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.backups import Backups
from app.canvas.picture import with_places
from app.conflicts import Conflicts
from app.copies import SUFFIX, Copy
from app.document_file import DocumentFile
from app.examples import example_path
from app.exporting import CodeDialog
from app.garbage import without_collection
from app.live.evaluator import Spare
from app.live.scheduler import MakeEvaluator
from app.live.session import Session
from app.look.icons import icon_pixmap
from app.recovery import Recovery
from app.unreadable import tell_unreadable
from app.words import tr, tr_sentence
from engine.disk import Stamp
from engine.errors import FileChangedError, FileError
from engine.files import Loaded, load, save
from engine.graph import Graph
from engine.plain_text import plain_lines
from engine.problems import Problem

if TYPE_CHECKING:
    from app.main_window import MainWindow


class Documents:
    """The files of one window. `file` is that of its document, `recovery` keeps the copy of what is not saved."""

    def __init__(self, window: MainWindow, make_evaluator: MakeEvaluator) -> None:
        self._window, self.make_evaluator = window, make_evaluator
        self._run_folder = window.windows.run_folder
        self._recovered: Copy | None = None
        self.file, self.backups, self.conflicts = DocumentFile(window, self._run_folder), Backups(), Conflicts(window)
        self.recovery = Recovery(window, self._run_folder)
        self.recovery.failed.connect(window.say)

    @property
    def name(self) -> str:
        """What the document is called: the name of its file, or a title."""
        title = self._window.title
        return f"{title}{SUFFIX}" if self._window.session.document.path is not None else title

    @property
    def original(self) -> Path | None:
        """The file of the document; of one that was recovered, the file that the copy was one of."""
        path = self._window.session.document.path
        return self._recovered.original if path is None and self._recovered is not None else path

    @property
    def base_title(self) -> str:
        """The title of the document, without a word of its being recovered."""
        return self._recovered.title if self._recovered is not None else self._window.title

    def made_session(self, graph: Graph | None, path: Path | None, notices: tuple[Problem, ...]) -> Session:
        """A session with a graph, by default an empty one, for the window to show."""
        session = Session(Graph() if graph is None else graph, self.make_evaluator, path, notices, parent=self._window)
        self._recovered = None
        self.recovery.follow(session)
        self.file.follow(session)
        self._window.windows.plugins.follow(session)
        return session

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
        if (other_run := self._run_folder.holder(path)) is None:
            return self.show_file(path)
        answer = self.conflicts.ask_opened_twice(path, other_run)
        return answer != "" and self.show_file(path, answer == "read_only")

    def show_file(self, path: Path, is_read_only: bool = False) -> bool:
        """Shows a file, whatever was shown before; False if it cannot be read."""
        try:
            with without_collection():
                loaded = self._load(path)
        except FileError as error:
            tell_unreadable(self._window, path, error)
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
        self._window.repairing.examine(loaded)
        if loaded.stamp is not None:
            self.file.take(loaded.stamp)
        if is_read_only:
            self.file.mark(None)
            self._window.session.set_read_only(
                tr("Another Gradwire has {name} open: it is read-only here.", name=path.name)
            )
        return True

    def _load(self, path: Path) -> Loaded:
        """The graph in a file; a process that will evaluate it reads it at the same time."""
        return (self.make_evaluator.load if isinstance(self.make_evaluator, Spare) else load)(path)

    def show_copy(self, graph: Graph, title: str, origin: Copy, file: Path | None = None) -> None:
        """Shows a graph that no file of the user holds; `file` is the copy that was kept of it, if there is one."""
        with without_collection():
            self._window.show_graph(with_places(graph), title=title)
        self._recovered = origin
        session = self._window.session
        self.recovery.follow(session, file)
        session.mark_unsaved()

    def beside(self) -> MainWindow:
        """A window for one more graph: this one if nothing is open in it, else a new one."""
        return self._window.windows.open_new(self._window) if self._window.has_document else self._window

    def open_example(self, name: str) -> None:
        """Opens an example as an untitled copy."""
        if self.may_leave():
            # What a file says of its place in the gallery is not of the copy.
            graph = dataclasses.replace(self._load(example_path(name)).graph, extra={})
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
        is_own = session.document.path is not None and path.absolute() == session.document.path
        if not session.is_understood:
            self.complain(
                tr("The graph was not saved"), tr("It needs what this version does not have, and would lose it.")
            )
            return False
        if session.read_only and is_own:
            return self.save_elsewhere(session.read_only)
        if self._window.windows.showing(path, besides=self._window) is not None:
            sentence = tr("{name} is open in another window; close it there, or save elsewhere.", name=path.name)
            return self.save_elsewhere(sentence)
        if is_own and self.file.look() == "changed":
            return self.conflicts.settle()
        return self.write(path, self.file.stamp if is_own else None)

    def write(self, path: Path, over: Stamp | None) -> bool:
        """Writes to a file, with `over` only in place of that; what was there before is kept among its versions."""
        session = self._window.session
        try:
            with contextlib.suppress(FileError):
                self.backups.keep_file(path)
            with without_collection():
                stamp = save(session.graph, path, over)
        except FileChangedError:
            return self.conflicts.settle()
        except FileError as error:
            sentence = tr("Your work is still here; save it elsewhere.")
            return self.save_elsewhere(f"{tr_sentence(str(error))} {sentence}")
        self._recovered = None
        session.set_read_only("")
        session.mark_saved(path.absolute())
        self.file.take(stamp)
        with contextlib.suppress(FileError):
            self.backups.keep_file(path)
        self._window.settings.add_recent(path)
        return True

    def save_elsewhere(self, sentence: str) -> bool:
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
        path = self.original or self.folder() / f"{self._window.title}{SUFFIX}"
        return path if os.access(path.parent, os.W_OK) else Path.home() / path.name

    def show_code(self) -> None:
        """Shows the graph as a program."""
        dialog = CodeDialog(self._window.session.graph, self._window.title, self._window)
        dialog.refused.connect(self._window.windows.plugins.look_again)
        dialog.open()

    # Leaving

    def close(self) -> None:
        """Goes back to the welcome page, after the question about unsaved changes."""
        if self.may_leave():
            self._window.leave_graph()

    @property
    def has_changes(self) -> bool:
        """Whether there are changes that are not saved."""
        return self._window.has_document and not self._window.session.document.is_saved

    def end(self) -> None:
        """Lets go of the document of a window that closes, with the user's word."""
        self.recovery.close()
        self.file.leave()

    def may_leave(self) -> bool:
        """Whether the graph may go: it is saved, or the user saves it, or does not want to."""
        if not self.has_changes:
            return True
        buttons, title = QMessageBox.StandardButton, tr('Save the changes to "{name}"?', name=self._window.title)
        box = self.question("unsaved_dialog", title, tr("Without saving they are lost."))
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
        box = self.question("replace_dialog", title, tr("There is such a file already; what it holds is lost."))
        box.setStandardButtons(buttons.Yes | buttons.Cancel)
        box.setDefaultButton(buttons.Cancel)
        answer = box.exec()
        box.deleteLater()
        return bool(answer == buttons.Yes)

    def question(self, name: str, title: str, sentence: str) -> QMessageBox:
        """A question to the user, without its buttons."""
        box = QMessageBox(self._window)
        box.setObjectName(name)
        box.setIconPixmap(self._icon("save", "accent"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Gradwire")
        box.setText(title)
        box.setInformativeText(plain_lines(sentence))
        return box

    def complain(self, title: str, sentence: str, offer: str = "") -> bool:
        """Says in a dialog what went wrong; whether a button was pressed that offers something."""
        box = self._error_box(title, sentence)
        box.setStandardButtons(QMessageBox.StandardButton.Ok)
        button = box.addButton(offer, QMessageBox.ButtonRole.ActionRole) if offer else None
        box.exec()
        is_wanted = button is not None and box.clickedButton() is button
        box.deleteLater()
        return is_wanted

    def _error_box(self, title: str, sentence: str) -> QMessageBox:
        box = self.question("error_dialog", title, sentence)
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
