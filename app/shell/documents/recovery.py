"""The recovery of a window's unsaved graph: it keeps a copy in case the program ends unexpectedly."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.gc_schedule import without_collection
from gradwire.app.base.run_folder import RunFolder
from gradwire.app.base.state_folder import reason_of
from gradwire.app.base.terminal import say
from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.file_status import FileStatus
from gradwire.app.live.session import Session
from gradwire.app.shell.documents.recovery_files import copy_file, discard, discarded_file, write_origin
from gradwire.app.shell.documents.recovery_writer import RecoveryWriter
from gradwire.app.shell.documents.shown_document import ShownDocument
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.files import save
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.copied_training import CopiedTraining, with_training

# A copy is written after the last edit, and while edits follow each other. Units: ms.
REST, LONGEST = 2000, 5000
# A copy that could not be written is tried again after this time. Units: ms.
AGAIN = 5000
# After an edit the writing process learns of it: it writes what it holds if the window is killed. Units: ms.
SOON = 200


class Recovery(QObject):
    """The copy of one window's document. It goes when the document is saved, or left with the user's word.

    `file` is the path of the copy, None without one.
    `failed(str)` carries the reason why there is no copy, once until there is one again. Meanwhile it is tried again.
    """

    failed = Signal(str)

    def __init__(self, document: ShownDocument, folder: RunFolder) -> None:
        super().__init__(document)
        document.current.of(FileStatus).saved_changed.connect(self._saved_changed)
        self._document, self._folder = document, folder
        self._session: Session | None = None
        self.file: Path | None = None
        # Whether the record beside the copy says that the document's file keeps its training.
        self._keeps_state = False
        # The newest graph of which there is a copy, and the one that the writing process has.
        self._kept: Graph | None = None
        self._held: Graph | None = None
        self._has_failed = self._is_due = False
        self._keeper = RecoveryWriter(self, folder.shared_lock)
        self._keeper.kept.connect(self._take_answer)
        self._rest, self._longest = make_timer(self, self._keep, REST), make_timer(self, self._keep, LONGEST)
        self._soon, self._again = make_timer(self, self._hold, SOON), make_timer(self, self._keep, AGAIN)

    def turn_to(self, session: Session, copy: Path | None = None) -> None:
        """Turns to another document, perhaps one that was recovered from a copy; that of the one before goes."""
        self.leave()
        self._session, self.file, self._keeps_state = session, copy, session.part(TrainingDesk).keeps_state

    def leave(self) -> None:
        """Stops following a document and removes its copy."""
        self._session, self._has_failed = None, False
        self._drop()

    def _saved_changed(self, is_saved: bool) -> None:
        """Reacts to an edit, given whether the graph equals the saved one."""
        if is_saved:
            self._drop()
            return
        self._rest.start()
        if not self._longest.isActive():
            self._longest.start()
        # A running training edits the graph in each frame, and its state may be large.
        patience = REST if self._session is not None and self._session.part(TrainingDesk).is_applying else SOON
        if not self._soon.isActive() or self._soon.interval() > patience:
            self._soon.start(patience)

    def write_now(self) -> None:
        """Writes the copy before the program ends, in this process, since no other one may have the time.

        Says on the error output if that is not possible.
        """
        graph = self._unsaved()
        if graph is None:
            return
        self._stop_timers()
        if self._keeper.is_busy or graph is not self._kept:
            # It must not write an older state over this one.
            self._keeper.close()
            self._kept = self._held = None
            try:
                with without_collection():
                    save(self._whole(graph), self._made_file(), by_content=True)
                self._kept = graph
            except FileError as error:
                say(f"gradwire: {error}", sys.stderr)
            except OSError as error:
                say(f"gradwire: Unsaved work is not being copied: {reason_of(error)}.", sys.stderr)

    def put_aside(self) -> None:
        """Keeps a graph for a week that the user discards; never raises."""
        graph = self._unsaved()
        if graph is not None:
            with contextlib.suppress(OSError, FileError), without_collection():
                file = discarded_file(self._folder)
                save(self._whole(graph), file, by_content=True)
                self._write_origin(file)

    def _unsaved(self) -> Graph | None:
        session = self._session
        return None if session is None or session.document.is_saved else session.graph

    def _training(self) -> CopiedTraining:
        if self._session is None:
            return CopiedTraining()
        training = self._session.part(TrainingDesk)
        return CopiedTraining(training.state, training.initial, self._document.original)

    def _whole(self, graph: Graph) -> Graph:
        """Returns the graph with all that its training has reached."""
        return with_training(graph, self._training())

    def _made_file(self) -> Path:
        """Returns the path of the copy, with a record beside it. Raises: OSError."""
        keeps_state = self._session is not None and self._session.part(TrainingDesk).keeps_state
        if self.file is None or keeps_state != self._keeps_state:
            file = self.file or copy_file(self._folder.path, self._folder.next_number())
            self._write_origin(file)
            self.file, self._keeps_state = file, keeps_state
        return self.file

    def _write_origin(self, file: Path) -> None:
        keeps_state = self._session is not None and self._session.part(TrainingDesk).keeps_state
        write_origin(file, self._document.base_title, self._document.original, keeps_state)

    def _stop_timers(self) -> None:
        for timer in (self._rest, self._longest, self._soon, self._again):
            timer.stop()

    def _drop(self) -> None:
        self._stop_timers()
        self._keeper.release()
        file, self.file, self._kept, self._held, self._is_due = self.file, None, None, None, False
        if file is not None:
            with contextlib.suppress(OSError):
                discard(file)

    def _hold(self) -> None:
        graph = self._unsaved()
        if graph is None or graph is self._held:
            return
        if self._keeper.is_sending:
            self._soon.start()
        elif (file := self._file_or_fail()) is not None:
            self._held = graph
            self._keeper.hold(graph, file, self._training())

    def _keep(self) -> None:
        graph = self._unsaved()
        if graph is None or graph is self._kept:
            return
        if self._keeper.is_busy:
            self._is_due = True
            return
        self._longest.stop()
        self._is_due = False
        if (file := self._file_or_fail()) is not None:
            self._kept = self._held = graph
            self._keeper.keep(graph, file, self._training())

    def _file_or_fail(self) -> Path | None:
        try:
            return self._made_file()
        except OSError as error:
            self._fail(reason_of(error))
            return None

    def _take_answer(self, reason: str) -> None:
        if reason:
            self._kept = self._held = None
            self._fail(tr_sentence(reason))
            return
        self._has_failed = False
        if self._is_due:
            self._keep()

    def _fail(self, reason: str) -> None:
        self._again.start()
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(tr("Unsaved work is not being copied: save it soon. {reason}", reason=reason))

    def close(self) -> None:
        """Stops following documents and ends the writing process."""
        self.leave()
        self._keeper.close()
