"""Saving the document of a window, and the question about changes that are not saved."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QMessageBox

from gradwire.app.base.gc_schedule import without_collection
from gradwire.app.base.log import logger
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.training.saved_training import save_document
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.shell.documents.backups import Backups
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.documents.document_file import DocumentFile
from gradwire.app.shell.documents.messages import ask, ask_buttons
from gradwire.engine.base.errors import FileChangedError, FileError
from gradwire.engine.files.disk import Stamp, name_count
from gradwire.engine.files.outputs import GRAPH, Output

_LOG = logger(__name__)


class Saving:
    """Saves the document of one window. After an error the file is as it was, and the document stays unsaved.

    `settle_conflict` asks the user about a file that another program has changed, and tells whether the graph was
    saved; `put_aside` keeps a graph that the user discards.
    """

    def __init__(
        self,
        context: DocumentContext,
        file: DocumentFile,
        settle_conflict: Callable[[], bool],
        put_aside: Callable[[], None],
    ) -> None:
        self._context, self._document, self._messages = context, context.document, context.messages
        self._file, self._settle_conflict, self._put_aside = file, settle_conflict, put_aside
        self.backups = Backups()

    def save(self) -> bool:
        """Saves to the document's file, or asks for one; False if nothing was saved."""
        path = self._document.session.document.path
        return self.ask_save_as() if path is None else self.save_to(path)

    def save_with_training(self) -> bool:
        """Saves, now and from here on, with the state of the training; False if nothing was saved."""
        self._document.session.part(TrainingDesk).keeps_state = True
        return self.save()

    def ask_save_as(self) -> bool:
        """Asks for a file and saves there; False if nothing was saved."""
        path = self._context.dialogs.ask_save()
        return path is not None and self.save_to(path)

    def save_to(self, path: Path) -> bool:
        """Saves to a file, after an error elsewhere if the user wants that; False if nothing was saved."""
        session = self._document.session
        is_own = session.document.path is not None and path.absolute() == session.document.path
        if not session.file.is_understood:
            sentence = tr("It uses features that this version does not have; saving would lose them.")
            self._messages.complain(tr("The graph was not saved"), sentence)
            return False
        if session.file.read_only and is_own:
            return self.save_elsewhere(session.file.read_only)
        if self._context.other_showing(path) is not None:
            sentence = tr("{name} is open in another window; close it there, or save elsewhere.", name=path.name)
            return self.save_elsewhere(sentence)
        if is_own and self._file.look() == "changed":
            return self._settle_conflict()
        return self.write(path, self._file.stamp if is_own else None)

    def write(self, path: Path, over: Stamp | None) -> bool:
        """Writes to a file, with `over` only in place of that; the content of before is kept among its versions."""
        session, names = self._document.session, name_count(path)
        read = [file for file in self._document.files_read if file != self._document.original]
        try:
            Output(path, GRAPH, read)
            with contextlib.suppress(FileError):
                self.backups.keep_file(path)
            with without_collection():
                stamp = save_document(session, path, over)
        except FileChangedError:
            return self._settle_conflict()
        except FileError as error:
            _LOG.warning("A graph was not saved", exc_info=error)
            sentence = tr("Your work is still here; save it elsewhere.")
            return self.save_elsewhere(f"{tr_sentence(str(error))} {sentence}")
        self._document.recovered = None
        session.file.set_read_only("")
        session.file.mark_saved(path.absolute())
        self._file.take(stamp)
        with contextlib.suppress(FileError):
            self.backups.keep_file(path)
        self._context.frame.settings.add_recent(path)
        if names > 1:
            self._tell_of_names(path, names)
        return True

    def _tell_of_names(self, path: Path, count: int) -> None:
        title = tr("{name} is a file of its own now", name=path.name)
        sentence = tr(
            "The file had {count} names (hard links). The other names still have the earlier content.", count=count
        )
        self._messages.inform(title, sentence)

    def save_elsewhere(self, sentence: str) -> bool:
        """Says why the graph was not saved, and offers another file; False if nothing was saved."""
        box = self._messages.error(tr("The graph was not saved"), sentence)
        answer = ask(box, {"save_as": tr("Save as …")}, QMessageBox.ButtonRole.AcceptRole)
        return answer == "save_as" and self.ask_save_as()

    def _may_end_training(self) -> bool:
        sentence = tr("What it reaches from here on would be lost; what it has reached is saved.")
        box = self._messages.question("training_dialog", tr("End the training?"), sentence)
        return ask(box, {"end": tr("End the training")}) == "end"

    def may_leave(self) -> bool:
        """Whether the graph may go: it is saved, or the user saves it, or does not want to."""
        is_training = self._document.session.part(TrainingDesk).is_running
        # What is saved must be what was asked about.
        self._document.session.part(TrainingDesk).pause()
        if not self._document.has_changes:
            return not is_training or self._may_end_training()
        buttons, title = QMessageBox.StandardButton, tr('Save the changes to "{name}"?', name=self._document.title)
        sentence = tr("Discarded, they stay for a week: search for Discarded graphs.")
        if is_training:
            sentence = f"{tr('The training is paused.')} {sentence}"
        box = self._messages.question("unsaved_dialog", title, sentence)
        answer = ask_buttons(box, buttons.Save | buttons.Discard | buttons.Cancel, buttons.Save)
        if answer == buttons.Discard:
            self._put_aside()
        return self.save() if answer == buttons.Save else answer == buttons.Discard
