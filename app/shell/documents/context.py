"""What the parts of one window share that open, save and compare its document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QMainWindow

from gradwire.app.base.settings import Settings
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.documents.file_dialogs import FileDialogs
from gradwire.app.shell.documents.messages import Messages
from gradwire.app.shell.documents.shown_document import ShownDocument
from gradwire.app.shell.documents.window_list import OpenWindow, WindowList


class Frame(NamedTuple):
    """An empty window that is to be furnished. `beside` gives a window for one more graph, `open_beside` a new one."""

    widget: QMainWindow
    window: OpenWindow
    windows: WindowList
    settings: Settings
    appearance: Appearance
    beside: Callable[[], OpenWindow]
    open_beside: Callable[[], OpenWindow]


class DocumentContext:
    """The document of a window with the dialogs that ask about it, and the window itself."""

    def __init__(self, frame: Frame, document: ShownDocument) -> None:
        self.frame, self.document = frame, document
        self.messages = Messages(frame.widget, frame.appearance)
        self.dialogs = FileDialogs(frame.widget, document, frame.settings, self.messages)

    def other_showing(self, path: Path) -> OpenWindow | None:
        """Returns another window that has a file open."""
        return self.frame.windows.showing(path, besides=self.frame.window)
