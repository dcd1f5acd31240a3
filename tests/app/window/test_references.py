"""Painting and gestures leave nothing behind: no reference to None is lost, no object stays."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QPoint, QPointF

from tests.app.window.driver import MIDDLE, RIGHT, Driver, Key
from tests.app.window.graphs import annotated

# What each round keeps grows with the rounds: one object a round is twice the bound, whatever few objects come and go.
ROUNDS = 24


def objects(user: Driver) -> Counter[str]:
    """Returns the Qt objects of the window, by class and name."""
    return Counter(f"{type(item).__name__} {item.objectName()}" for item in user.window.findChildren(QObject))


def repaint(user: Driver) -> None:
    user.canvas.painted.repaint()
    user.canvas.repaint()


def drag_and_cancel(user: Driver) -> None:
    start = user.points.title("e")
    user.hand.drag(start, start + QPointF(64, 32), steps=3, ends_with=user.escape)


def cancelled_wire(user: Driver) -> None:
    user.hand.drag(user.points.port("c.y"), user.points.port("t.x"), steps=3, ends_with=user.escape)


def move_and_undo(user: Driver) -> None:
    start = user.points.title("e")
    user.hand.drag(start, start + QPointF(64, 32), steps=3)
    user.session.undo()


def scrub_and_undo(user: Driver) -> None:
    start = user.points.number("x", 0)
    user.hand.drag(start, start + QPointF(16, 0), steps=4)
    user.session.undo()


def pan_and_zoom(user: Driver) -> None:
    at = user.points.title("e")
    user.hand.drag(at, at + QPointF(20, 10), MIDDLE, steps=2)
    user.hand.wheel(at, QPoint(0, 120))
    user.hand.wheel(at, QPoint(0, -120))
    user.canvas.viewport.fit_page()


def field_and_escape(user: Driver) -> None:
    user.hand.double_click(user.points.title("e"))
    user.popups.type_inline("other", Key.Key_Escape)


def menu_and_escape(user: Driver) -> None:
    user.hand.click(user.points.title("e"), RIGHT)
    user.popups.menu().close()
    user.settle()


def select_one_and_another(user: Driver) -> None:
    user.hand.click(user.points.title("e"))
    user.hand.click(user.points.on_wire(user.wire("s.x")))
    user.hand.click(user.points.empty())


CYCLES: list[Callable[[Driver], None]] = [
    repaint,
    drag_and_cancel,
    cancelled_wire,
    move_and_undo,
    scrub_and_undo,
    pan_and_zoom,
    field_and_escape,
    menu_and_escape,
    select_one_and_another,
]


def kept_by_rounds(user: Driver, cycle: Callable[[Driver], None]) -> int:
    """Returns how many more objects there are after many rounds."""
    before = len(gc.get_objects())
    for _ in range(ROUNDS):
        cycle(user)
    user.settle()
    gc.collect()
    return len(gc.get_objects()) - before


# pytest-qt's record of Qt's warnings would count as kept objects.
@pytest.mark.long
@pytest.mark.no_qt_log
@pytest.mark.parametrize("cycle", CYCLES, ids=lambda cycle: cycle.__name__)
def test_nothing_is_left_after_many_rounds(user: Driver, cycle: Callable[[Driver], None]) -> None:
    user.show(annotated())
    # Caches fill in the first rounds.
    for _ in range(5):
        cycle(user)
    user.settle()
    gc.collect()
    # On a busy machine some things are made by the clock, once, and later; what is left behind is left in all rounds.
    for _ in range(2):
        before, nones = objects(user), sys.getrefcount(None)
        kept = kept_by_rounds(user, cycle)
        if kept < ROUNDS // 2 and objects(user) == before:
            break
    assert objects(user) == before
    assert kept < ROUNDS // 2
    # PySide 6.12 loses a reference with every stroke, until the process ends; 6.11 gains some, which does no harm. From
    # Python 3.12 on None is immortal, so that lost references do not matter.
    assert sys.getrefcount(None) - nones > -ROUNDS // 2 or sys.version_info >= (3, 12)


@pytest.mark.long
def test_documents_that_were_shown_are_gone(user: Driver) -> None:
    user.show(annotated())
    gc.collect()
    before = objects(user)
    for _ in range(20):
        user.show(annotated())
    gc.collect()
    assert objects(user) == before
