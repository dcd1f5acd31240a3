"""A real window for each test, and after it nothing of the window is left."""

from __future__ import annotations

import gc
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.live.evaluator import InlineEvaluator, ProcessEvaluator
from app.live.scheduler import MakeEvaluator
from app.look.appearance import Appearance
from app.main_window import MainWindow
from app.settings import Settings
from tests.app.window.driver import Driver


def widgets() -> set[int]:
    return {id(item) for item in QApplication.topLevelWidgets()}


def timers() -> set[str]:
    # `type() is`: asking some objects for their class has side effects.
    found = [item for item in gc.get_objects() if type(item) is QTimer and isValid(item)]
    return {f"{item} of {item.parent()}" for item in found}


def processes() -> set[int]:
    return {item.pid for item in gc.get_objects() if type(item) is subprocess.Popen and item.poll() is None}


def let_go() -> None:
    """Carries out what was put off: deletions come last."""
    for _ in range(3):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


Make = Callable[[MakeEvaluator], MainWindow]


@pytest.fixture
def make_window(tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes windows; at the end each is closed, its unsaved graph discarded, and must be gone without a trace."""
    # It counts what is frozen, which takes longer than to lay out the small pages of most tests.
    monkeypatch.setattr("app.canvas.mirror.without_collection", nullcontext)
    let_go()
    # What earlier tests left is neither collected nor counted again: that took longer than most tests.
    gc.freeze()
    before = widgets(), timers(), processes(), set(threading.enumerate())
    made: list[MainWindow] = []

    def make(make_evaluator: MakeEvaluator) -> MainWindow:
        window = MainWindow(Settings(tmp_path / "s.ini"), Appearance("dark"), make_evaluator)
        made.append(window)
        window.show()
        qtbot.waitExposed(window)
        return window

    yield make
    while made:
        window = made.pop()
        for other in window.windows.windows:
            if other is not window and other not in made:
                other.close_unasked()
        window.session.document.mark_saved()
        window.close()
        window.deleteLater()
    other = None
    del window, other
    let_go()
    gc.collect()
    assert not widgets() - before[0], "a top-level widget outlives its window"
    assert not timers() - before[1], "a timer outlives its window"

    def assert_ended() -> None:
        assert not processes() - before[2], "a process outlives its window"
        assert not set(threading.enumerate()) - before[3], "a thread outlives its window"

    # The evaluator of a document that was left ends a moment later.
    qtbot.waitUntil(assert_ended)
    gc.unfreeze()


@pytest.fixture
def window(make_window: Make) -> MainWindow:
    """A window that evaluates at once."""
    return make_window(InlineEvaluator)


@pytest.fixture
def user(window: MainWindow, qtbot: QtBot) -> Driver:
    """Somebody with mouse and keyboard in front of the window."""
    return Driver(window, qtbot)


@pytest.fixture
def live_user(make_window: Make, qtbot: QtBot) -> Driver:
    """Somebody in front of a window whose graphs are evaluated in a process of its own."""
    return Driver(make_window(ProcessEvaluator), qtbot)
