"""The open windows of the program: one more, which one has a file, and leaving all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QTimer

from app.run_folder import RunFolder

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.plugin_desk import PluginDesk

STEP = QPoint(32, 32)


class WindowList:
    """All windows that are open, the oldest first. They share settings and theme; documents are their own.

    `run_folder` tells other programs of ours what is open in this one. `plugins` is there once a window is furnished.
    """

    plugins: PluginDesk

    def __init__(self) -> None:
        self._windows: list[MainWindow] = []
        self.run_folder = RunFolder()

    @property
    def windows(self) -> tuple[MainWindow, ...]:
        """The windows that are open."""
        return tuple(self._windows)

    def add(self, window: MainWindow) -> None:
        """Takes a new window in."""
        self._windows.append(window)

    def remove(self, window: MainWindow) -> None:
        """Takes out a window that closes; the last one is left to the program, which ends with it."""
        if window in self._windows:
            self._windows.remove(window)
            if self._windows:
                # Not from within its closing: Python would delete what Qt is still at work on.
                QTimer.singleShot(0, lambda: window.deleteLater())
            else:
                self.run_folder.leave()

    def open_new(self, beside: MainWindow) -> MainWindow:
        """Opens one more window, a little beside another."""
        made = beside.another()
        if not (beside.isMaximized() or beside.isFullScreen()):
            made.setGeometry(beside.geometry().translated(STEP))
        made.show()
        made.start()
        made.come_forward()
        return made

    def showing(self, path: Path, besides: MainWindow) -> MainWindow | None:
        """The other window that has a file open."""
        wanted = path.resolve()
        for window in self._windows:
            shown = window.session.document.path if window.has_document else None
            if window is not besides and shown is not None and shown.resolve() == wanted:
                return window
        return None

    def quit(self) -> None:
        """Closes all windows, after the question about unsaved changes in each; Cancel in one of them keeps all."""
        for window in self.windows:
            if window.documents.has_changes:
                window.come_forward()
            if not window.documents.may_leave():
                return
        for window in reversed(self.windows):
            window.close_unasked()
