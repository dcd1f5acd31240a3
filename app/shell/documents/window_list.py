"""The open windows of the program: which one has a file, and leaving all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QTimer

from gradwire.app.base.run_folder import RunFolder

if TYPE_CHECKING:
    from gradwire.app.features.plugins.plugin_desk import PluginDesk
    from gradwire.app.live.session import Session
    from gradwire.app.shell.documents.recovery_files import Copy
    from gradwire.engine.graph.graph import Graph


class OpenWindow(Protocol):
    """One window of the program, as the others know it. `session` is that of an empty graph without a document."""

    @property
    def session(self) -> Session:
        """The session of its document."""

    @property
    def shown_title(self) -> str:
        """The title as it is seen."""

    @property
    def path(self) -> Path | None:
        """The file that is open there."""

    @property
    def shown_graph(self) -> tuple[str, Graph] | None:
        """The title and the graph of its document, None without one."""

    @property
    def has_changes(self) -> bool:
        """Whether there are changes that are not saved."""

    def may_leave(self) -> bool:
        """Whether the graph may go: it is saved, or the user saves it, or does not want to."""

    def show_copy(self, graph: Graph, title: str, origin: Copy, file: Path | None = None) -> None:
        """Shows a graph that no file of the user holds, and the copy that was kept of it."""

    def keep_unsaved(self) -> None:
        """Writes the copy of what is not saved at once."""

    def learn_blocks(self) -> None:
        """Shows blocks as what they are now."""

    def come_forward(self) -> None:
        """Shows this window above the others."""

    def close_unasked(self) -> None:
        """Closes without the question about unsaved changes."""

    def deleteLater(self) -> None:  # Qt's name
        """Deletes the window once no event is at work on it."""


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
