"""The Qt side of starting: application, settings, appearance, and the one window, painted before all else is loaded."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QWidget

from app.first_steps import FirstSteps
from app.garbage import collection_when_idle
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
    application = made_application()
    settings = Settings()
    use_language(application, settings.text("language"))
    choice = settings.text("theme", "system")
    appearance = Appearance(cast(Choice, choice if choice in CHOICES else "system"))
    window = MainWindow(settings, appearance)
    steps = FirstSteps(window, path)
    fit_into(window, window.screen().availableGeometry())
    window.show()
    with collection_when_idle():
        code = application.exec()
    steps.close()
    return code


def fit_into(window: QWidget, room: QRect) -> None:
    """Makes a window no larger than the room that a screen has, its frame included."""
    if not (window.isMaximized() or window.isFullScreen()):
        window.resize(window.size().boundedTo(room.size() - _FRAME))


def say(sentence: str) -> None:
    """Says a sentence in the window, if there is one."""
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, MainWindow) and widget.is_furnished:
            widget.say(sentence)


def made_application() -> QApplication:
    """The application, by its name and with its icon."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(sys.argv[:1])
    application.setApplicationName("gradwire")
    application.setApplicationDisplayName("Gradwire")
    application.setDesktopFileName("gradwire")
    application.setWindowIcon(QIcon(str(ASSETS / "icon.svg")))
    return application
