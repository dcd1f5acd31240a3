"""Further files: those after the first on the command line, and those that the system hands over later."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication

from gradwire.app.shell.documents.window_list import WindowList
from gradwire.app.start.main_window import MainWindow


def open_in_a_window(windows: WindowList, path: Path) -> None:
    """Shows a file in a window of its own, or in one without a document; a window that has it open comes forward.

    A file at which the program fails is left out, with a sentence.
    """
    if (showing := windows.showing(path)) is not None:
        showing.come_forward()
        return
    filled = [window for window in windows.windows if isinstance(window, MainWindow) and window.is_filled]
    front = QApplication.activeWindow()
    window = (front if isinstance(front, MainWindow) and front in filled else filled[-1]).beside()
    try:
        window.parts.documents.opening.open_or_begin(path)
    except Exception as error:  # No file may keep the others from opening.
        window.parts.documents.opening.tell_failed(path, error)
