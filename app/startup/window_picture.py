"""A picture of the window with a graph, for where no window can be shown."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication

import blocks  # noqa: F401  # fills the library
from app.live.evaluator import InlineEvaluator
from app.look.appearance import Appearance
from app.main_window import MainWindow
from app.settings import Settings
from app.window import made_application


def save_window_picture(path: Path, target: Path) -> None:
    """Writes a picture of the window with a graph open, without showing it."""
    # Offscreen, Qt says of each window that it has no frame to give size hints to.
    qInstallMessageHandler(_ignore)
    made_application()
    settings = Settings(target.with_suffix(".ini"))
    window = MainWindow(settings, Appearance("dark"), InlineEvaluator)
    window.show()
    window.documents.open(path)
    QApplication.processEvents()
    window.grab().save(str(target))
    window.close()


def _ignore(*_: object) -> None:
    """Drops a message of Qt's."""
