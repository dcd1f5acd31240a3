"""Processor time of reading: one budget for each reader of what files, archives and tables give.

Readers go through what was given with `in_time`. Between two looks at the clock a reader calls functions of C alone,
whose time grows with the bytes that `limits` allows.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS

T = TypeVar("T")
# Items between two looks at the clock, which take as long as the reading of several items.
ITEMS = 1_000


class TookTooLong(FileError):
    """End of a reading that has used its processor time up."""


class _Budget:
    """Time of one reading, and the number of items since the last look at the clock."""

    def __init__(self, what: str, seconds: float) -> None:
        self._what, self._seconds, self._items = what, seconds, 0
        # The time of this thread: others of the program may be busy. Only the system knows it, and asking it takes long
        # on some; so the time of the clock, which is never less, is looked at first.
        self._end, self._earliest_end = time.thread_time() + seconds, time.perf_counter() + seconds

    def take_item(self) -> None:
        self._items += 1
        if self._items >= ITEMS:
            self._items = 0
            self.check()

    def check(self) -> None:
        if time.perf_counter() > self._earliest_end and time.thread_time() > self._end:
            raise TookTooLong(
                f"{self._what} takes more than {self._seconds:g} seconds of processor time to read, the most allowed; "
                "make it smaller."
            )


_BUDGET: ContextVar[_Budget | None] = ContextVar("_BUDGET", default=None)


@contextmanager
def reading_time(what: str, seconds: float = LIMITS.seconds) -> Iterator[None]:
    """Limits the processor time of the reading inside; `what` begins the sentence.

    Reading that is a part of other reading uses the time of the whole.
    Raises: TookTooLong when the time is up.
    """
    if _BUDGET.get() is not None:
        yield
        return
    before = _BUDGET.set(_Budget(what, seconds))
    try:
        yield
    finally:
        _BUDGET.reset(before)


def in_time(items: Iterable[T]) -> Iterator[T]:
    """Returns the items one by one, for as long as the reading under way has time; without one, for ever.

    Raises: TookTooLong when the time is up.
    """
    budget = _BUDGET.get()
    return iter(items) if budget is None else _limited(items, budget)


def _limited(items: Iterable[T], budget: _Budget) -> Iterator[T]:
    for item in items:
        budget.take_item()
        yield item


def check_time() -> None:
    """Looks at the clock of the reading under way, after a part that takes long by itself.

    Raises: TookTooLong when the time is up.
    """
    if (budget := _BUDGET.get()) is not None:
        budget.check()
