"""A key pressed in the middle of a drag never makes the canvas differ from the graph."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.page_arrays import GRID
from gradwire.app.live.selection import Selection
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import MAIN, annotated, chain

pytestmark = pytest.mark.usefixtures("one_window")

Way = tuple[QPointF, QPointF]
DRAGS: dict[str, Callable[[Driver], Way]] = {
    "move": lambda user: (user.points.title("e"), user.points.title("e") + QPointF(100, 100)),
    "resize": lambda user: (user.points.edge("e"), user.points.edge("e") + QPointF(100, 0)),
    "slider": lambda user: (user.points.knob("x", 0, 0.2), user.points.knob("x", 0, 0.8)),
    "scrub": lambda user: (user.points.number("x", 0), user.points.number("x", 0) + QPointF(80, 0)),
    "wire": lambda user: (user.points.port("c.y"), user.points.port("t.x")),
    "re-plug": lambda user: (user.points.port("e.x"), user.points.port("t.x")),
    "disconnect": lambda user: (user.points.port("e.x"), user.points.port("t.x") + QPointF(-60, 200)),
    "box": lambda user: (user.points.empty(), user.points.empty() + QPointF(500, 500)),
    "frame": lambda user: (user.canvas.mirror.frames["spare"].topLeft() + QPointF(30, 10), user.points.body("t")),
    "note": lambda user: (user.canvas.mirror.notes["note"].center(), user.points.body("t")),
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
    lambda user: user.window.parts.document.show(chain()),
    lambda user: user.window.parts.layout.show_welcome(),
    lambda user: user.session.undo(),
]


@cache
def still() -> Graph:
    """A page of blocks that have not been moved."""
    return annotated()


@cache
def moved() -> Graph:
    """The page with two blocks moved."""
    return edits.move_blocks(still(), MAIN, {"t": (240 + GRID, 240), "e": (240 + GRID, 0)})


def show_moved_blocks(user: Driver) -> None:
    """Shows a page on which two blocks have been moved, so that there is something to undo, the last one selected."""
    user.canvas.setUpdatesEnabled(False)
    if not go_back_to_moved_blocks(user):
        user.window.parts.document.show(still())
        user.session.apply("Move", lambda _: moved())
    user.session.select(Selection(frozenset(["e"])))
    user.canvas.viewport.zoom_to(1.0)
    user.canvas.setUpdatesEnabled(True)
    user.settle()


def go_back_to_moved_blocks(user: Driver) -> bool:
    """Undoes what was done after the move, or does it again, and returns whether it is the last edit now."""
    if user.window.parts.layout.shows_welcome:
        return False
    while user.graph is not moved() and user.undo_text() is not None:
        user.session.undo()
    if user.graph is still():
        user.session.redo()
    return user.graph is moved()


def assert_in_step(user: Driver) -> None:
    """Checks that the canvas shows the same as a newly made canvas."""
    shown = user.canvas.mirror
    fresh = Mirror(user.session, shown.is_curved)
    fresh.rebuild()
    assert shown.ids == fresh.ids
    np.testing.assert_array_equal(shown.rects, fresh.rects)
    np.testing.assert_array_equal(shown.points, fresh.points)
    assert user.selection.blocks <= user.page.blocks.keys()
    assert user.selection.wires <= set(user.page.wires.values())


@pytest.mark.long
@pytest.mark.parametrize(("drag", "keys"), [*((drag, Mod.NoModifier) for drag in DRAGS), ("move", Mod.ControlModifier)])
def test_the_canvas_stays_in_step_with_the_graph(user: Driver, drag: str, keys: Mod) -> None:
    for interrupt in INTERRUPTIONS:
        show_moved_blocks(user)
        start, end = DRAGS[drag](user)
        user.hand.drag(start, end, keys=keys, steps=3, ends_with=lambda act=interrupt: act(user))
        user.window.parts.editor.placer.popup.close()
        user.settle()
        assert not user.canvas.gestures.is_dragging
        assert_in_step(user)
        user.canvas.grab()


def test_a_second_press_during_a_drag_changes_nothing(user: Driver) -> None:
    user.show(annotated())
    graph, start = user.graph, user.points.title("e")
    user.hand.drag(start, start + QPointF(64, 64), ends_with=lambda: user.hand.press(user.points.title("s")))
    assert user.block("e").at == (304, 64)
    assert user.block("s").at == graph.pages[0].blocks["s"].at
    assert_in_step(user)


def test_losing_the_keyboard_ends_the_pan_by_space(user: Driver) -> None:
    user.show(annotated())
    user.key(Key.Key_Space)
    user.trigger("next_panel")
    user.hand.click(user.points.title("e"))
    assert user.selection.blocks == {"e"}
