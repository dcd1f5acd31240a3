"""Keeps a copy of the unsaved graph of a window, for the case that the program ends without being asked to."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.copies import copy_file, discard, write_origin
from app.keeper import Keeper
from app.live.session import Session
from app.run_folder import RunFolder
from app.state_folder import reason_of
from app.words import tr, tr_sentence
from engine.graph import Graph

if TYPE_CHECKING:
    from app.main_window import MainWindow

# After the last edit, and while edits follow each other: with 5 s for a busy machine to write, 10 s at most are lost.
# Units: ms.
REST, LONGEST = 2000, 5000


class Recovery(QObject):
    """Follows the document of one window. The copy goes when it is saved, or left with the user's word.

    `failed(str)` says why there is no copy, once for each document.
    """

    failed = Signal(str)

    def __init__(self, window: MainWindow, folder: RunFolder) -> None:
        super().__init__(window)
        self._window, self._folder = window, folder
        self._session: Session | None = None
        self._file: Path | None = None
        self._kept: Graph | None = None
        self._has_failed = self._is_due = False
        self._keeper = Keeper(self)
        self._keeper.kept.connect(self._take_answer)
        self._rest, self._longest = QTimer(self), QTimer(self)
        for timer, interval in ((self._rest, REST), (self._longest, LONGEST)):
            timer.setSingleShot(True)
            timer.setInterval(interval)
            timer.timeout.connect(self._keep)

    @property
    def file(self) -> Path | None:
        """Where the copy of the document lies, None where there is none."""
        return self._file

    def follow(self, session: Session, copy: Path | None = None) -> None:
        """Turns to another document, perhaps one that was recovered from a copy; that of the one before goes."""
        self.leave()
        self._session, self._file = session, copy
        session.saved_changed.connect(self._saved_changed)

    def leave(self) -> None:
        """Follows no document any longer; its copy goes."""
        if self._session is not None:
            self._session.saved_changed.disconnect(self._saved_changed)
        self._session, self._has_failed = None, False
        self._drop()

    def _saved_changed(self, is_saved: bool) -> None:
        """Comes with every edit, with whether the graph is the one that was saved."""
        if is_saved:
            self._drop()
            return
        self._rest.start()
        if not self._longest.isActive():
            self._longest.start()

    def _drop(self) -> None:
        for timer in (self._rest, self._longest):
            timer.stop()
        if self._keeper.is_busy:
            # Nothing must write the copy anew.
            self._keeper.close()
        file, self._file, self._kept, self._is_due = self._file, None, None, False
        if file is not None:
            with contextlib.suppress(OSError):
                discard(file)

    def _keep(self) -> None:
        session = self._session
        if session is None or session.document.is_saved or session.graph is self._kept:
            return
        if self._keeper.is_busy:
            self._is_due = True
            return
        self._longest.stop()
        self._is_due = False
        try:
            if self._file is None:
                self._file = copy_file(self._folder.path, self._folder.next_number())
                write_origin(self._file, self._window.documents.base_title, self._window.documents.original)
        except OSError as error:
            self._file = None
            self._fail(reason_of(error))
            return
        self._kept = session.graph
        self._keeper.keep(session.graph, self._file)

    def _take_answer(self, reason: str) -> None:
        if reason:
            self._kept = None
            self._fail(tr_sentence(reason))
        elif self._is_due:
            self._keep()

    def _fail(self, reason: str) -> None:
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(tr("There is no copy of the unsaved graph, so save it soon. {reason}", reason=reason))

    def close(self) -> None:
        """Follows nothing any longer and ends the process that writes."""
        self.leave()
        self._keeper.close()
