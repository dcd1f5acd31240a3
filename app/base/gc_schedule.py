"""The schedule of garbage collection: young objects at any time, all objects only when the program is idle.

A page of 10,000 blocks is a million objects. A full collection takes half a second, which must not fall into a frame.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Iterator

from PySide6.QtCore import QObject

from gradwire.app.base.timers import make_timer
from gradwire.engine.base.gc_pause import collection_paused

TICK_MS, TICKS = 1000, 5
# A frame or two: a tick with more processor time than this counts as work.
REST_SECONDS = 0.02
_NEVER = 2**31 - 1


@contextlib.contextmanager
def without_collection() -> Iterator[None]:
    """Pauses collection while code makes many lasting objects: collecting would take longer than making them."""
    with collection_paused():
        try:
            yield
        finally:
            _make_all_old()


@contextlib.contextmanager
def collection_when_idle(tick: int = TICK_MS) -> Iterator[None]:
    """Runs a full collection once the program has been idle for some ticks, and none in between.

    Units: `tick` in ms.
    """
    before = gc.get_threshold()
    gc.set_threshold(*before[:2], _NEVER)
    rest = _Rest(tick)
    try:
        yield
    finally:
        rest.stop()
        # Leaving the program does not wait for an overdue collection.
        _make_all_old()
        gc.set_threshold(*before)


def _make_all_old() -> None:
    """Moves all objects to the oldest generation without a collection: unfrozen objects return as the oldest."""
    # Objects that other code has frozen must stay frozen.
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


class _Rest(QObject):
    """A timer that collects once in each idle period.

    It measures processor time, because a filter of all events would be slow.
    """

    def __init__(self, tick: int) -> None:
        super().__init__()
        self._ticks, self._used = 0, time.process_time()
        # Missed ticks during long work are not made up for.
        self._timer = make_timer(self, self._count, repeats=True)
        self._timer.start(tick)

    def stop(self) -> None:
        """Stops collecting."""
        self._timer.stop()

    def _count(self) -> None:
        has_rested = time.process_time() - self._used < REST_SECONDS
        self._ticks = self._ticks + 1 if has_rested else 0
        if self._ticks == TICKS:
            gc.collect()
        self._used = time.process_time()
