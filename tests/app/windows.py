"""Real windows for tests, which leave nothing behind."""

from __future__ import annotations

import gc
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import getCppPointer, isValid

from gradwire.app.base.settings import Settings
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.look.appearance import Appearance
from gradwire.app.start.main_window import MainWindow

SETTINGS = "s.ini"
Make = Callable[[MakeEvaluator], MainWindow]


@contextmanager
def windows(folder: Path) -> Iterator[Make]:
    """Makes windows; at the end it closes each, discards its unsaved graph, and checks that nothing remains."""
    made: list[MainWindow] = []

    def make(make_evaluator: MakeEvaluator) -> MainWindow:
        window = MainWindow(Settings(folder / SETTINGS), Appearance("dark"), make_evaluator)
        made.append(window)
        window.show()
        assert QTest.qWaitForWindowExposed(window)
        return window

    let_go()
    gc.collect()
    # Freezing excludes what is left of earlier tests from collection and counting, which took longer than most tests.
    gc.freeze()
    before = widgets(), timers(), processes(), set(threading.enumerate())
    with pytest.MonkeyPatch.context() as patched:
        # The process that writes copies takes a second to start, which most tests need not wait for.
        patched.setattr("gradwire.app.shell.documents.recovery.SOON", 60_000)
        yield make
        close_all(made)
        let_go()
    gc.collect()
    assert not widgets() - before[0], "a top-level widget outlives its window"
    assert timers() - before[1] == set(), "a timer outlives its window"
    # The evaluator of a closed document ends a moment later.
    wait_until(lambda: not (processes() - before[2] or set(threading.enumerate()) - before[3]))
    assert not processes() - before[2], "a process outlives its window"
    assert not set(threading.enumerate()) - before[3], "a thread outlives its window"


def wait_until(is_so: Callable[[], bool], patience: float = 5.0) -> None:
    """Processes events until a condition holds, or the patience has ended. Units: seconds."""
    end = time.monotonic() + patience
    while not is_so() and time.monotonic() < end:
        QTest.qWait(10)


def close_all(made: list[MainWindow]) -> None:
    """Closes windows and those that were opened from them."""
    while made:
        window = made.pop()
        for other in open_windows(window):
            if other is not window and other not in made:
                other.close_unasked()
        window.session.document.mark_saved()
        window.close()
        window.deleteLater()


def open_windows(window: MainWindow) -> list[MainWindow]:
    """The windows that are open, the oldest first."""
    return [item for item in window.windows.windows if isinstance(item, MainWindow)]


def let_go() -> None:
    """Processes pending events; deletions come last."""
    for _ in range(3):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def widgets() -> set[int]:
    # The object in Python of a widget that Qt made comes and goes; the address of the widget itself stays.
    return {getCppPointer(item)[0] for item in QApplication.topLevelWidgets()}


def timers() -> set[str]:
    # `type() is`: asking some objects for their class has side effects.
    found = [item for item in gc.get_objects() if type(item) is QTimer and isValid(item)]
    return {f"{item} of {item.parent()}" for item in found}


def processes() -> set[int]:
    return {item.pid for item in gc.get_objects() if type(item) is subprocess.Popen and item.poll() is None}
