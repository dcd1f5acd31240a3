"""When garbage is looked for: among what is new at any time, among all that there is only while nobody works.

A page of 10,000 blocks is a million objects. Looking through all of them takes half a second, which must not fall
into a frame.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtGui import QInputEvent

TICK_MS, TICKS = 1000, 5
_NEVER = 2**31 - 1


@contextlib.contextmanager
def without_collection() -> Iterator[None]:
    """Lets much be made that is kept: looking through it for garbage would take longer than making it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        # Everything goes among what is old without being looked at: frozen objects come back as the oldest.
        gc.freeze()
        gc.unfreeze()
        if was_on:
            gc.enable()


@contextlib.contextmanager
def collection_when_idle(application: QCoreApplication, tick: int = TICK_MS) -> Iterator[None]:
    """Looks through all that there is once the user has done nothing for some ticks, and not in between.

    Units: `tick` in ms.
    """
    before = gc.get_threshold()
    gc.set_threshold(*before[:2], _NEVER)
    idle = _Idle(tick)
    application.installEventFilter(idle)
    try:
        yield
    finally:
        application.removeEventFilter(idle)
        idle.stop()
        gc.set_threshold(*before)


class _Idle(QObject):
    """Collects once after each time in which there was input."""

    def __init__(self, tick: int) -> None:
        super().__init__()
        self._ticks = 0
        # Ticks that are missed while something takes long are not made up for: that was no rest.
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._count)
        self._timer.start(tick)

    def stop(self) -> None:
        """Collects no more."""
        self._timer.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # Qt's name
        """Waits anew after each input."""
        if isinstance(event, QInputEvent):
            self._ticks = 0
        return False

    def _count(self) -> None:
        self._ticks += 1
        if self._ticks == TICKS:
            gc.collect()
            # What is left is in use: until much is made anew, the next time looks only through what came after it.
            gc.freeze()
