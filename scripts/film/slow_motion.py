"""Slow motion: a picture takes longer than a frame lasts, so the window must not be faster than its film."""

from __future__ import annotations

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget

SLOWNESS = 5


class SlowMotion:
    """A window whose timers are so many times slower, and the pause between two frames."""

    def __init__(self, window: QWidget, frame_ms: int) -> None:
        self._pause = frame_ms * SLOWNESS
        self._end = QDeadlineTimer(self._pause)
        for timer in window.findChildren(QTimer):
            timer.setInterval(timer.interval() * SLOWNESS)

    def wait(self) -> None:
        """Handles events until the next frame is due."""
        QApplication.processEvents()
        while not self._end.hasExpired():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
        self._end = QDeadlineTimer(self._pause)
