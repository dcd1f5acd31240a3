"""Time of reading: that of the processor counts, and clocks are looked at seldom."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

from gradwire.engine.base import reading_time
from gradwire.engine.base.reading_time import ITEMS, TookTooLong, check_time, in_time


def read_with_clocks(monkeypatch: pytest.MonkeyPatch, wall: float, processor: float) -> None:
    """Reads something for 5 seconds at most, while the clocks go on by so many seconds."""
    walls, processors = iter([0.0, wall]), iter([0.0, processor])
    clocks = SimpleNamespace(perf_counter=lambda: next(walls), thread_time=lambda: next(processors))
    monkeypatch.setattr(reading_time, "time", clocks)
    with reading_time.reading_time("It", seconds=5):
        check_time()


def test_waiting_takes_no_time_of_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    read_with_clocks(monkeypatch, wall=60, processor=4)


def test_reading_ends_when_the_processor_has_worked_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TookTooLong, match="It takes more than 5 seconds"):
        read_with_clocks(monkeypatch, wall=60, processor=6)


@pytest.mark.parametrize(("count", "looks"), [(ITEMS - 1, 0), (ITEMS, 1), (3 * ITEMS - 1, 2)])
def test_the_clock_is_looked_at_once_in_a_thousand_items(
    monkeypatch: pytest.MonkeyPatch, count: int, looks: int
) -> None:
    ticks = itertools.count()
    clocks = SimpleNamespace(perf_counter=lambda: 0.0 * next(ticks), thread_time=lambda: 0.0)
    monkeypatch.setattr(reading_time, "time", clocks)
    with reading_time.reading_time("It"):
        assert sum(1 for _ in in_time(range(count))) == count
    assert next(ticks) == 1 + looks
