"""What the parts of one window share that open, save and compare its document."""

from __future__ import annotations

from pathlib import Path

from gradwire.app.shell.documents.file_dialogs import FileDialogs
from gradwire.app.shell.documents.messages import Messages
from gradwire.app.shell.documents.shown_document import ShownDocument
from gradwire.app.shell.documents.window_list import OpenWindow


class DocumentContext:
    """The document of a window with the dialogs that ask about it, and the window itself."""

    def __init__(self, frame: OpenWindow, document: ShownDocument) -> None:
        self.frame, self.document = frame, document
        self.messages = Messages(frame, frame.appearance)
        self.dialogs = FileDialogs(frame, document, frame.settings, self.messages)

    def other_showing(self, path: Path) -> OpenWindow | None:
        """Returns another window that has a file open."""
        return self.frame.windows.showing(path, besides=self.frame)
