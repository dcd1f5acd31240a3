"""A window may be seen before it has its parts; it then gets them without another look than any other window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.examples import example_path
from app.live.evaluator import InlineEvaluator
from app.look.appearance import Appearance
from app.look.theme import theme
from app.main_window import MainWindow
from app.settings import Settings

SOFTMAX = example_path("softmax_stable")


@pytest.fixture
def empty(tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    """A window that is seen and has no parts yet."""
    window = MainWindow(Settings(tmp_path / "empty.ini"), Appearance("dark"))
    window.show()
    qtbot.waitExposed(window)
    yield window
    if window.is_furnished:
        window.session.document.mark_saved()
    window.close()
    window.deleteLater()


def open_furnished(window: MainWindow) -> None:
    """Furnishes an empty window and opens a file, with a turn of the event loop in between as in the program."""
    window.furnish(InlineEvaluator)
    QApplication.processEvents()
    window.documents.open(SOFTMAX)


def test_an_empty_window_wears_the_theme(empty: MainWindow) -> None:
    picture, colors = empty.grab().toImage(), theme("dark")
    assert picture.pixelColor(QPoint(300, 400)) == QColor(colors.color("bg.canvas"))
    assert picture.pixelColor(QPoint(300, 10)) == QColor(colors.color("bg.chrome"))
    assert empty.windowTitle() == "Gradwire"


def test_panels_are_as_large_as_the_design_has_them(empty: MainWindow, qtbot: QtBot) -> None:
    open_furnished(empty)
    docks = empty.docks
    qtbot.waitUntil(lambda: (docks["palette"].width(), docks["inspector"].width()) == (240, 320))
    assert docks["problems"].height() == docks["slice"].height() == 220


def test_panels_are_as_large_as_when_they_were_seen_last(tmp_path: Path, empty: MainWindow, qtbot: QtBot) -> None:
    open_furnished(empty)
    empty.resizeDocks([empty.docks["palette"]], [300], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: empty.docks["palette"].width() == 300)
    state = empty.saveState()
    empty.settings.set_state("panels", state)
    again = MainWindow(empty.settings, empty.appearance)
    again.resize(empty.size())
    again.show()
    qtbot.waitExposed(again)
    open_furnished(again)
    qtbot.waitUntil(lambda: again.docks["palette"].width() == 300)
    assert again.docks["slice"].height() == empty.docks["slice"].height()
    again.close_unasked()
    again.deleteLater()
