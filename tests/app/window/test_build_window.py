"""A window may be visible before it has its parts; afterwards it looks like any other window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.base.settings import Settings
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.app.start.main_window import MainWindow

SOFTMAX = example_path("softmax_stable")


@pytest.fixture
def empty(tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    """A visible window without its parts."""
    window = MainWindow(Settings(tmp_path / "empty.ini"), Appearance("dark"))
    window.show()
    qtbot.waitExposed(window)
    yield window
    if window.is_filled:
        window.session.document.mark_saved()
    window.close()
    window.deleteLater()


def open_furnished(window: MainWindow) -> None:
    """Adds the parts to an empty window and opens a file, with events processed in between as in the program."""
    window.fill(InlineEvaluator)
    QApplication.processEvents()
    window.parts.documents.opening.open(SOFTMAX)


def test_an_empty_window_wears_the_theme(empty: MainWindow) -> None:
    picture, colors = empty.grab().toImage(), theme("dark")
    assert picture.pixelColor(QPoint(300, 400)) == QColor(colors.color("bg.canvas"))
    assert picture.pixelColor(QPoint(300, 10)) == QColor(colors.color("bg.chrome"))
    assert empty.windowTitle() == "Gradwire"
