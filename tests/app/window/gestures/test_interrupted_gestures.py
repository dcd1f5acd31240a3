"""A key pressed in the middle of a drag never leaves the canvas at odds with the graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from app.canvas.mirror import Mirror
from app.live.session import Selection
from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import annotated, chain

pytestmark = pytest.mark.usefixtures("one_window")

Way = tuple[QPointF, QPointF]
DRAGS: dict[str, Callable[[Driver], Way]] = {
    "move": lambda user: (user.title("e"), user.title("e") + QPointF(100, 100)),
    "resize": lambda user: (user.edge("e"), user.edge("e") + QPointF(100, 0)),
    "slider": lambda user: (user.knob("x", 0, 0.2), user.knob("x", 0, 0.8)),
    "scrub": lambda user: (user.number("x", 0), user.number("x", 0) + QPointF(80, 0)),
    "wire": lambda user: (user.port("c.y"), user.port("t.x")),
    "re-plug": lambda user: (user.port("e.x"), user.port("t.x")),
    "disconnect": lambda user: (user.port("e.x"), user.port("t.x") + QPointF(-60, 200)),
    "box": lambda user: (user.empty(), user.empty() + QPointF(500, 500)),
    "frame": lambda user: (user.canvas.mirror.frames["spare"].topLeft() + QPointF(30, 10), user.body("t")),
    "note": lambda user: (user.canvas.mirror.notes["note"].center(), user.body("t")),
}
COMMANDS = ("delete", "undo", "cut", "duplicate", "nudge_up", "collapse", "rename", "search", "add_page", "arrange")


def select_all_and_delete(user: Driver) -> None:
    user.trigger("select_all")
    user.trigger("delete")


def undo_and_escape(user: Driver) -> None:
    user.trigger("undo")
    user.escape()


INTERRUPTIONS: list[Callable[[Driver], object]] = [
    *(lambda user, name=name: user.trigger(name) for name in COMMANDS),
    select_all_and_delete,
    undo_and_escape,
    lambda user: user.window.show_graph(chain()),
    lambda user: user.window.show_welcome(),
    lambda user: user.session.undo(),
]


def assert_in_step(user: Driver) -> None:
    """The canvas shows what a canvas made now would show."""
    shown = user.canvas.mirror
    fresh = Mirror(user.session, shown.is_curved)
    fresh.rebuild()
    assert shown.ids == fresh.ids
    np.testing.assert_array_equal(shown.rects, fresh.rects)
    np.testing.assert_array_equal(shown.points, fresh.points)
    assert user.selection.blocks <= user.page.blocks.keys()
    assert user.selection.wires <= set(user.page.wires.values())


@pytest.mark.parametrize(("drag", "keys"), [*((drag, Mod.NoModifier) for drag in DRAGS), ("move", Mod.ControlModifier)])
def test_the_canvas_stays_in_step_with_the_graph(user: Driver, drag: str, keys: Mod) -> None:
    for interrupt in INTERRUPTIONS:
        user.show(annotated())
        for name in ("t", "e"):
            user.session.select(Selection(frozenset([name])))
            user.trigger("nudge_right")
        start, end = DRAGS[drag](user)
        user.drag(start, end, keys=keys, steps=3, ends_with=lambda act=interrupt: act(user))
        user.window.search.close()
        user.settle()
        assert not user.canvas.is_dragging
        assert_in_step(user)
        user.canvas.grab()


def test_a_second_press_during_a_drag_changes_nothing(user: Driver) -> None:
    user.show(annotated())
    graph, start = user.graph, user.title("e")
    user.drag(start, start + QPointF(64, 64), ends_with=lambda: user.press(user.title("s")))
    assert user.block("e").at == (304, 64)
    assert user.block("s").at == graph.pages[0].blocks["s"].at
    assert_in_step(user)


def test_losing_the_keyboard_ends_the_pan_by_space(user: Driver) -> None:
    user.show(annotated())
    user.key(Key.Key_Space)
    user.trigger("next_panel")
    user.click(user.title("e"))
    assert user.selection.blocks == {"e"}
