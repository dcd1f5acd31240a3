"""The open windows of the program: which one has a file, and leaving all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QMainWindow

from gradwire.app.base.run_folder import RunFolder
from gradwire.app.base.settings import Settings
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.tips import shown_title

if TYPE_CHECKING:
    from gradwire.app.features.plugins.plugin_desk import PluginDesk
    from gradwire.app.live.session import Session
    from gradwire.app.shell.documents.recovery_files import Copy
    from gradwire.app.shell.documents.shown_document import ShownDocument
    from gradwire.engine.graph.graph import Graph


class OpenWindow(QMainWindow):
    """One window of the program with at most one document, as its own parts and the other windows know it.

    `windows` are all that are open. `document` is there once the window is furnished, which `is_filled` says.
    """

    document: ShownDocument
    is_filled = is_unasked = False

    def __init__(self, settings: Settings, appearance: Appearance, windows: WindowList) -> None:
        super().__init__()
        self.settings, self.appearance, self.windows = settings, appearance, windows
        windows.add(self)

    @property
    def session(self) -> Session:
        """The session of the document; that of an empty graph if there is none."""
        return self.document.session

    @property
    def shown_title(self) -> str:
        """The title as it is seen."""
        return shown_title(self)

    @property
    def path(self) -> Path | None:
        """The file that is open here."""
        return self.document.path if self.is_filled else None

    @property
    def shown_graph(self) -> tuple[str, Graph] | None:
        """The title and the graph of the document, None without one."""
        document = self.document
        return (document.title, document.session.graph) if document.is_open else None

    @property
    def has_changes(self) -> bool:
        """Whether there are changes that are not saved."""
        return self.is_filled and self.document.has_changes

    def may_leave(self) -> bool:
        """Whether the graph may go: it is saved, or the user saves it, or does not want to."""
        raise NotImplementedError

    def keep_unsaved(self) -> None:
        """Writes the copy of what is not saved at once."""
        raise NotImplementedError

    def show_copy(self, graph: Graph, title: str, origin: Copy, file: Path | None = None) -> None:
        """Shows a graph that no file of the user holds; `file` is the copy that was kept of it, if there is one."""
        raise NotImplementedError

    def learn_blocks(self) -> None:
        """Shows blocks as what they are now."""
        raise NotImplementedError

    def open_beside(self) -> Self:
        """Opens one more window, a little beside this one, with the same settings and theme."""
        raise NotImplementedError

    def beside(self) -> Self:
        """Returns a window for one more graph: this one if nothing is open in it, else a new one."""
        return self.open_beside() if self.document.is_open else self

    def come_forward(self) -> None:
        """Shows this window above the others."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def close_unasked(self) -> None:
        """Closes without the question about unsaved changes."""
        self.is_unasked = True
        self.close()


class WindowList:
    """All windows that are open, the oldest first. They share settings and theme; documents are their own.

    `run_folder` tells other programs of ours what is open in this one. `plugins` is there once a window is furnished.
    """

    plugins: PluginDesk

    def __init__(self) -> None:
        self._windows: list[OpenWindow] = []
        self.run_folder = RunFolder()

    @property
    def windows(self) -> tuple[OpenWindow, ...]:
        """The windows that are open."""
        return tuple(self._windows)

    @property
    def sessions(self) -> list[Session]:
        """The sessions of the documents in all windows."""
        return [window.session for window in self._windows]

    def add(self, window: OpenWindow) -> None:
        """Takes a new window in."""
        self._windows.append(window)

    def remove(self, window: OpenWindow) -> None:
        """Takes out a window that closes; the last one is left to the program, which ends with it."""
        if window in self._windows:
            self._windows.remove(window)
            if self._windows:
                # Not from within its closing: Python would delete what Qt is still at work on.
                QTimer.singleShot(0, lambda: window.deleteLater())
            else:
                self.run_folder.leave()

    def showing(self, path: Path, besides: OpenWindow | None = None) -> OpenWindow | None:
        """Returns the window that has a file open, none but another one than `besides`."""
        wanted = os.path.realpath(path)
        for window in self._windows:
            shown = window.path
            if window is not besides and shown is not None and os.path.realpath(shown) == wanted:
                return window
        return None

    def graphs(self, besides: OpenWindow) -> Iterator[tuple[str, Graph]]:
        """Yields the titles and graphs of the documents in other windows."""
        for window in self._windows:
            shown = window.shown_graph
            if window is not besides and shown is not None:
                yield shown

    def learn_blocks(self) -> None:
        """Lets all windows show blocks as what they are now."""
        for window in self._windows:
            window.learn_blocks()

    def keep_unsaved(self) -> None:
        """Writes the copies of all that is not saved, before the program ends."""
        for window in self._windows:
            window.keep_unsaved()

    def quit(self) -> None:
        """Closes all windows, after the question about unsaved changes in each; Cancel in one of them keeps all."""
        for window in self.windows:
            if window.has_changes:
                window.come_forward()
            if not window.may_leave():
                return
        for window in reversed(self.windows):
            window.close_unasked()
