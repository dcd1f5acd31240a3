"""Real windows for tests, and after them nothing of a window is left."""

from __future__ import annotations

import gc
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from app.live.scheduler import MakeEvaluator
from app.look.appearance import Appearance
from app.main_window import MainWindow
from app.settings import Settings

Make = Callable[[MakeEvaluator], MainWindow]


@contextmanager
def windows(folder: Path) -> Iterator[Make]:
    """Makes windows; at the end each is closed, its unsaved graph discarded, and must be gone without a trace."""
    made: list[MainWindow] = []

    def make(make_evaluator: MakeEvaluator) -> MainWindow:
        window = MainWindow(Settings(folder / "s.ini"), Appearance("dark"), make_evaluator)
        made.append(window)
        window.show()
        assert QTest.qWaitForWindowExposed(window)
        return window

    let_go()
    # What earlier tests left is neither collected nor counted again: that took longer than most tests.
    gc.freeze()
    before = widgets(), timers(), processes(), set(threading.enumerate())
    with pytest.MonkeyPatch.context() as patched:
        # It counts what is frozen, which takes longer than to lay out the small pages of most tests.
        patched.setattr("app.canvas.mirror.without_collection", nullcontext)
        yield make
        close_all(made)
        let_go()
    gc.collect()
    assert not widgets() - before[0], "a top-level widget outlives its window"
    assert not timers() - before[1], "a timer outlives its window"
    # The evaluator of a document that was left ends a moment later.
    wait_until(lambda: not (processes() - before[2] or set(threading.enumerate()) - before[3]))
    assert not processes() - before[2], "a process outlives its window"
    assert not set(threading.enumerate()) - before[3], "a thread outlives its window"
    gc.unfreeze()


def wait_until(is_so: Callable[[], bool], patience: float = 5.0) -> None:
    """Lets events come until something is so, or the patience has ended. Units: seconds."""
    end = time.monotonic() + patience
    while not is_so() and time.monotonic() < end:
        QTest.qWait(10)


def close_all(made: list[MainWindow]) -> None:
    """Closes windows, and those that were opened out of them."""
    while made:
        window = made.pop()
        for other in window.windows.windows:
            if other is not window and other not in made:
                other.close_unasked()
        window.session.document.mark_saved()
        window.close()
        window.deleteLater()


def let_go() -> None:
    """Carries out what was put off: deletions come last."""
    for _ in range(3):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def widgets() -> set[int]:
    return {id(item) for item in QApplication.topLevelWidgets()}


def timers() -> set[str]:
    # `type() is`: asking some objects for their class has side effects.
    found = [item for item in gc.get_objects() if type(item) is QTimer and isValid(item)]
    return {f"{item} of {item.parent()}" for item in found}


def processes() -> set[int]:
    return {item.pid for item in gc.get_objects() if type(item) is subprocess.Popen and item.poll() is None}
