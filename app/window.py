"""The Qt side of starting: application, settings, appearance, evaluator, and the one window."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

from PySide6.QtCore import QRect, QSize, QTimer, qInstallMessageHandler
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QWidget

import blocks  # noqa: F401  # fills the library
from app.garbage import collection_when_idle
from app.live.evaluator import InlineEvaluator, Spare
from app.look.appearance import Appearance, Choice
from app.look.theme import ASSETS
from app.main_window import MainWindow
from app.settings import Settings
from app.words import use_language

CHOICES = ("system", "dark", "light")
# About what systems put around a window.
_FRAME = QSize(8, 40)


def open_window(path: Path | None) -> int:
    """Runs the program until its window is closed; gives the exit code."""
    application = _application()
    settings = Settings()
    use_language(application, settings.text("language"))
    choice = settings.text("theme", "system")
    appearance = Appearance(cast(Choice, choice if choice in CHOICES else "system"))
    spare = Spare()
    spare.prepare()
    window = MainWindow(settings, appearance, spare)
    fit_into(window, window.screen().availableGeometry())
    window.show()
    QTimer.singleShot(0, window, lambda: window.start(path))
    with collection_when_idle():
        code = application.exec()
    spare.close()
    return code


def fit_into(window: QWidget, room: QRect) -> None:
    """Makes a window no larger than the room that a screen has, its frame included."""
    if not (window.isMaximized() or window.isFullScreen()):
        window.resize(window.size().boundedTo(room.size() - _FRAME))


def save_window_picture(path: Path, target: Path) -> None:
    """Writes a picture of the window with a graph open, without showing it."""
    # Offscreen, Qt says of each window that it has no frame to give size hints to.
    qInstallMessageHandler(_ignore)
    _application()
    settings = Settings(target.with_suffix(".ini"))
    window = MainWindow(settings, Appearance("dark"), InlineEvaluator)
    window.show()
    window.documents.open(path)
    QApplication.processEvents()
    window.grab().save(str(target))
    window.close()


def say(sentence: str) -> None:
    """Says a sentence in the window, if there is one."""
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, MainWindow):
            widget.say(sentence)


def _ignore(*_: object) -> None:
    """Drops a message of Qt's."""


def _application() -> QApplication:
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(sys.argv[:1])
    application.setApplicationName("gradwire")
    application.setApplicationDisplayName("Gradwire")
    application.setDesktopFileName("gradwire")
    application.setWindowIcon(QIcon(str(ASSETS / "icon.svg")))
    return application
