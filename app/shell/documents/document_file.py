"""The file of a window's document: its state when this program read or wrote it, and changes since then."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from gradwire.app.base.run_folder import RunFolder
from gradwire.app.live.file_status import FileState
from gradwire.app.live.session import Session
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.disk import NO_FILE, Stamp, has_changed


class DocumentFile(QObject):
    """The file of one window's document, which other processes of ours are told is open here.

    It checks the file when the window becomes active and when `look` is called, and tells the session the state.
    """

    def __init__(self, window: QWidget, folder: RunFolder) -> None:
        super().__init__(window)
        self._folder = folder
        self._session: Session | None = None
        self._marked: Path | None = None
        self.stamp: Stamp = NO_FILE
        window.installEventFilter(self)

    def turn_to(self, session: Session) -> None:
        """Turns to another document."""
        self.leave()
        self._session = session
        self.mark(session.document.path)
        session.file.path_changed.connect(self.mark)

    def take(self, stamp: Stamp) -> None:
        """Records the state of the file after it was read or written."""
        self.stamp = stamp
        if self._session is not None:
            self._session.file.set_state("")

    def mark(self, path: Path | None) -> None:
        """Tells other processes that this file is open here, and the previous one no longer."""
        old, self._marked = self._marked, path
        if old is not None:
            self._folder.unmark(old)
        if path is not None:
            # If this fails, nobody is warned, but nothing is lost: saving checks the file.
            with contextlib.suppress(OSError):
                self._folder.mark(path)

    def leave(self) -> None:
        """Stops following a file."""
        self.mark(None)
        self._session, self.stamp = None, NO_FILE

    def look(self) -> FileState:
        """Returns the current state of the file; an unreadable file keeps its last state."""
        if self._session is None:
            return ""
        path = self._session.document.path
        if path is not None:
            with contextlib.suppress(FileError):
                self._session.file.set_state(self._found(path))
        return self._session.file.state

    def _found(self, path: Path) -> FileState:
        if not has_changed(path, self.stamp):
            return ""
        return "changed" if os.path.exists(path) else "vanished"

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # Qt's name
        """Checks the file when the window becomes active."""
        if event.type() is QEvent.Type.WindowActivate:
            self.look()
        return False
