"""The file of a window's document: what it was when it was read or written here, and whether it still is that."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from app.live.session import FileState, Session
from app.run_folder import RunFolder
from engine.disk import NO_FILE, Stamp, has_changed
from engine.errors import FileError

if TYPE_CHECKING:
    from app.main_window import MainWindow


class DocumentFile(QObject):
    """Follows the file of one window's document, and tells other processes of ours that it is open here.

    It is looked at when the window becomes active, and when `look` is called; the session is told what it is like.
    """

    def __init__(self, window: MainWindow, folder: RunFolder) -> None:
        super().__init__(window)
        self._folder = folder
        self._session: Session | None = None
        self._marked: Path | None = None
        self.stamp: Stamp = NO_FILE
        window.installEventFilter(self)

    def follow(self, session: Session) -> None:
        """Turns to another document."""
        self.leave()
        self._session = session
        self.mark(session.document.path)
        session.path_changed.connect(self.mark)

    def take(self, stamp: Stamp) -> None:
        """Notes what the file of the document is now that it has been read or written."""
        self.stamp = stamp
        if self._session is not None:
            self._session.set_file_state("")

    def mark(self, path: Path | None) -> None:
        """Tells other processes that this file is open here, and no longer the one before."""
        old, self._marked = self._marked, path
        if old is not None:
            self._folder.unmark(old)
        if path is not None:
            # Where nothing can be told, nobody is warned: nothing is lost by that, since saving looks at the file.
            with contextlib.suppress(OSError):
                self._folder.mark(path)

    def leave(self) -> None:
        """Follows no file any longer."""
        self.mark(None)
        self._session, self.stamp = None, NO_FILE

    def look(self) -> FileState:
        """What has become of the file; one that cannot be read now is as it was."""
        if self._session is None:
            return ""
        path = self._session.document.path
        if path is not None:
            with contextlib.suppress(FileError):
                self._session.set_file_state(self._found(path))
        return self._session.file_state

    def _found(self, path: Path) -> FileState:
        if not has_changed(path, self.stamp):
            return ""
        return "changed" if path.exists() else "vanished"

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # Qt's name
        """Looks at the file when the window becomes active."""
        if event.type() is QEvent.Type.WindowActivate:
            self.look()
        return False
