"""The window that users have, for benchmarks: as it opens with a file, at its first start."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QEventLoop, QSize, Qt, QTimer

from gradwire.app.base.settings import Settings
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.live.process.evaluator import Spare
from gradwire.app.live.process.process import Starter
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.commands import window_parts
from gradwire.app.start.main_window import MainWindow

WINDOW = QSize(1600, 1000)


def rest(seconds: float) -> None:
    """Handles events for some time."""
    loop = QEventLoop()
    timer = QTimer(timerType=Qt.TimerType.PreciseTimer, singleShot=True)
    timer.timeout.connect(loop.quit)
    timer.start(round(seconds * 1000))
    loop.exec()


@contextmanager
def open_window(file: Path, canvas: type[Canvas], arrange: Callable[[MainWindow], object]) -> Iterator[MainWindow]:
    """Yields a window that has opened a file, with a canvas of a type, after it has been arranged."""
    with tempfile.TemporaryDirectory() as folder, patch.object(window_parts, "Canvas", canvas):
        starter = Starter()
        spare = Spare(starter)
        window = MainWindow(Settings(Path(folder) / "settings.ini"), Appearance("dark"), spare)
        window.resize(WINDOW)
        window.show()
        window.start(file)
        arrange(window)
        yield window
        window.session.document.mark_saved()
        window.close()
        spare.close()
        window.deleteLater()
        rest(0.05)
