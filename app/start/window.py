"""The Qt side of starting: application, settings, appearance, and the one window, painted before all else is loaded."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QWidget

from gradwire.app.base.gc_schedule import collection_when_idle
from gradwire.app.base.settings import Settings
from gradwire.app.base.state_folder import state_folder
from gradwire.app.base.translation import use_language
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import ASSETS
from gradwire.app.shell.window import accessibility
from gradwire.app.start.application import Application
from gradwire.app.start.deferred_startup import DeferredStartup
from gradwire.app.start.endings import Endings
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.safe_start import Start

# About what systems put around a window.
_FRAME = QSize(8, 40)


def open_window(path: Path | None, is_safe: bool = False, others: Sequence[Path] = ()) -> int:
    """Runs the program until its windows are closed; gives the exit code. Each of `others` has a window of its own.

    `is_safe` leaves the program's own records alone, as a start does after two that failed.
    """
    application = made_application()
    start = Start(state_folder(), is_safe)
    with tempfile.TemporaryDirectory(prefix="gradwire-") if start.is_safe else nullcontext() as folder:
        code = _run(application, Settings(Path(folder) / "gradwire.ini" if folder else None), start, path, others)
    if code == 0:
        start.succeed()
    return code


def _run(application: QApplication, settings: Settings, start: Start, path: Path | None, others: Sequence[Path]) -> int:
    use_language(application, settings.text("language"))
    window = MainWindow(settings, Appearance(accessibility.theme(settings)))
    endings = Endings(application, window.windows)
    steps = DeferredStartup(window, path, start, others)
    fit_into(window, window.screen().availableGeometry())
    window.show()
    with collection_when_idle():
        code = application.exec()
    steps.close()
    window.windows.run_folder.leave()
    endings.close()
    return code


def fit_into(window: QWidget, room: QRect) -> None:
    """Makes a window no larger than the room that a screen has, its frame included."""
    if not (window.isMaximized() or window.isFullScreen()):
        window.resize(window.size().boundedTo(room.size() - _FRAME))


def say(sentence: str) -> None:
    """Says a sentence in the window, if there is one."""
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, MainWindow) and widget.is_filled:
            widget.parts.layout.sayings.say(sentence)


def made_application() -> QApplication:
    """The application, by its name and with its icon."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = Application(sys.argv[:1])
    application.setApplicationName("gradwire")
    application.setApplicationDisplayName("Gradwire")
    application.setDesktopFileName("gradwire")
    application.setWindowIcon(QIcon(str(ASSETS / "icon.svg")))
    return application
