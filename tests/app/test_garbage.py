"""Garbage among old objects is looked for while nobody works, and never in between."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.garbage import collection_when_idle, without_collection

NOT_YET = 1_000_000


class Knot:
    """Refers to itself: only a collection finds it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_what_was_made_meanwhile_is_old_and_still_found() -> None:
    with without_collection():
        assert not gc.isenabled()
        knot = weakref.ref(Knot())
    assert gc.isenabled()
    gc.collect(1)
    assert knot() is not None
    gc.collect()
    assert knot() is None


def test_a_collection_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with without_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_garbage_is_looked_for_when_the_user_rests(qapp: QApplication, qtbot: QtBot) -> None:
    with without_collection():
        knot = weakref.ref(Knot())
    with collection_when_idle(qapp, 1):
        qtbot.waitUntil(lambda: knot() is None)


def test_old_objects_are_left_alone_while_the_user_works(qapp: QApplication) -> None:
    with collection_when_idle(qapp, NOT_YET):
        gc.collect()
        before = gc.get_stats()[2]["collections"]
        kept = [[] for _ in range(300_000)]
        assert gc.get_stats()[2]["collections"] == before
    assert len(kept) == 300_000


def test_afterwards_all_is_as_before(qapp: QApplication) -> None:
    before = gc.get_threshold()
    with collection_when_idle(qapp):
        assert gc.get_threshold() != before
    assert gc.get_threshold() == before
