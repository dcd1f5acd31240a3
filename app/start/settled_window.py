"""Windows that no person looks at: one with its document's results there and its picture painted to the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QEventLoop, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.settings import Settings
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.look.appearance import Appearance, Choice
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.window import made_application

# A graph that takes longer is shown as far as it is. Units: s.
PATIENCE = 60.0


@contextmanager
def unseen_window(
    settings: Settings, theme: Choice = "dark", size: tuple[int, int] | None = None
) -> Iterator[MainWindow]:
    """Opens a window that needs no screen, whose evaluator runs in this process; nothing of it remains afterwards.

    Units: `size` in px.
    """
    # Offscreen, Qt warns for each window that it has no frame to give size hints to.
    qInstallMessageHandler(_ignore)
    made_application()
    window = MainWindow(settings, Appearance(theme), InlineEvaluator)
    if size is not None:
        window.resize(*size)
    window.show()
    try:
        yield window
    finally:
        window.close_unasked()
        window.deleteLater()
        # Outside an event loop Qt would never delete it, and style it again with every later window.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def settle(window: MainWindow) -> None:
    """Handles events until results and advice are there, nothing moves, and the page is painted for its zoom."""
    canvas = window.parts.canvas
    _process_until(lambda: window.session.results is not None and not window.session.scheduler.is_busy)
    window.parts.panels.problems.hasten_advice()
    _process_until(lambda: canvas.viewport.destination == canvas.camera)
    canvas.repaint()
    _process_until(lambda: canvas.painted.is_crisp)


def _process_until(is_so: Callable[[], bool]) -> None:
    """Handles all events there are, and further ones until something is so or the patience ends."""
    end = time.monotonic() + PATIENCE
    # What an event sets off at once comes in the next round.
    for _ in range(3):
        QApplication.processEvents()
    while not is_so() and time.monotonic() < end:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)


def _ignore(*_: object) -> None:
    """Drops a message of Qt."""
