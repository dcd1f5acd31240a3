"""Old objects are collected while the program is idle, and never in between."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.base import gc_schedule
from gradwire.app.base.gc_schedule import _make_all_old, collection_when_idle, without_collection

NOT_YET = 1_000_000

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(autouse=True)
def _nothing_frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is frozen, as in the program; among the tests most objects are."""
    monkeypatch.setattr(gc_schedule, "_make_all_old", _make_all_old)
    gc.unfreeze()
    yield
    gc.freeze()


class Knot:
    """A reference to itself, which only a collection finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.long
def test_what_was_made_meanwhile_is_old_and_still_found() -> None:
    with without_collection():
        assert not gc.isenabled()
        knot = weakref.ref(Knot())
    assert gc.isenabled()
    gc.collect(1)
    assert knot() is not None
    gc.collect()
    assert knot() is None


def test_what_is_frozen_stays_frozen() -> None:
    gc.freeze()
    before = gc.get_freeze_count()
    with without_collection():
        pass
    assert gc.get_freeze_count() > before / 2


def test_a_collection_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with without_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_garbage_is_looked_for_in_a_rest(qtbot: QtBot) -> None:
    with without_collection():
        knot = weakref.ref(Knot())
    with collection_when_idle(1):
        qtbot.waitUntil(lambda: knot() is None)


def test_work_is_no_rest(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    clock, ticks = iter(range(1000)), iter(range(1000))

    def busy() -> float:
        next(ticks)
        return float(next(clock))

    with without_collection():
        knot = weakref.ref(Knot())
    monkeypatch.setattr("gradwire.app.base.gc_schedule.time.process_time", busy)
    with collection_when_idle(1):
        qtbot.waitUntil(lambda: next(ticks) > 40)
        assert knot() is not None


@pytest.mark.long
def test_old_objects_are_left_alone_while_the_user_works() -> None:
    with collection_when_idle(NOT_YET):
        gc.collect()
        before = gc.get_stats()[2]["collections"]
        kept = [[] for _ in range(300_000)]
        assert gc.get_stats()[2]["collections"] == before
    assert len(kept) == 300_000


def test_afterwards_all_is_as_before() -> None:
    before = gc.get_threshold()
    with collection_when_idle():
        assert gc.get_threshold() != before
    assert gc.get_threshold() == before
