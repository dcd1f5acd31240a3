"""A picture of the window with a graph, for systems that cannot show a window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.settings import Settings
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.look.appearance import Appearance
from gradwire.app.startup.main_window import MainWindow
from gradwire.app.startup.window import made_application


def save_window_picture(path: Path, target: Path) -> None:
    """Writes a picture of the window with a graph open, without showing it."""
    # Offscreen, Qt warns for each window that it has no frame to give size hints to.
    qInstallMessageHandler(_ignore)
    made_application()
    settings = Settings(target.with_suffix(".ini"))
    window = MainWindow(settings, Appearance("dark"), InlineEvaluator)
    window.show()
    window.parts.documents.opening.open(path)
    QApplication.processEvents()
    window.grab().save(str(target))
    window.close()


def _ignore(*_: object) -> None:
    """Drops a message of Qt."""
