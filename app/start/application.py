"""The application, and the files that the system hands over while it runs: on macOS each file comes so."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """The application; `file_asked` says that `take_files` has a file more.

    An event filter would be asked about every event of all widgets, which takes time; this is about its own alone.
    """

    file_asked = Signal()

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self._files = list[Path]()

    def event(self, event: QEvent) -> bool:
        """Keeps the file of an event until somebody takes it."""
        if not (isinstance(event, QFileOpenEvent) and event.file()):
            return super().event(event)
        self._files.append(Path(event.file()))
        self.file_asked.emit()
        return True

    def take_files(self) -> list[Path]:
        """Returns the files that nobody has taken yet."""
        files, self._files = self._files, []
        return files
