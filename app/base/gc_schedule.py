"""When garbage is looked for: among what is new at any time, among all that there is only in a rest.

A page of 10,000 blocks is a million objects. Looking through all of them takes half a second, which must not fall
into a frame.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer

from engine.garbage import collection_paused

TICK_MS, TICKS = 1000, 5
# A frame or two: whoever uses more of the processor within a tick is at work.
REST_SECONDS = 0.02
_NEVER = 2**31 - 1


@contextlib.contextmanager
def without_collection() -> Iterator[None]:
    """Lets much be made that is kept: looking through it for garbage would take longer than making it."""
    with collection_paused():
        try:
            yield
        finally:
            _make_all_old()


@contextlib.contextmanager
def collection_when_idle(tick: int = TICK_MS) -> Iterator[None]:
    """Looks through all that there is once the program has rested for some ticks, and not in between.

    Units: `tick` in ms.
    """
    before = gc.get_threshold()
    gc.set_threshold(*before[:2], _NEVER)
    rest = _Rest(tick)
    try:
        yield
    finally:
        rest.stop()
        # Who leaves the program does not wait for a collection that is overdue.
        _make_all_old()
        gc.set_threshold(*before)


def _make_all_old() -> None:
    """Puts everything among what is old without looking at it: frozen objects come back as the oldest."""
    # What somebody else has frozen is to stay so.
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


class _Rest(QObject):
    """Collects once in each rest. Any work is known by the time it takes: a filter of all events would be slow."""

    def __init__(self, tick: int) -> None:
        super().__init__()
        self._ticks, self._used = 0, time.process_time()
        # Ticks that are missed while something takes long are not made up for.
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._count)
        self._timer.start(tick)

    def stop(self) -> None:
        """Collects no more."""
        self._timer.stop()

    def _count(self) -> None:
        has_rested = time.process_time() - self._used < REST_SECONDS
        self._ticks = self._ticks + 1 if has_rested else 0
        if self._ticks == TICKS:
            gc.collect()
        self._used = time.process_time()
