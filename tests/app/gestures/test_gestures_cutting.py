"""Removal of wires: the knife, shaking, disconnecting, dissolving. One entry in the history each."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF

from gradwire.app.live.selection import Selection
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, NONE, RIGHT, Driver, Key, Mod
from tests.app.window.graphs import chain, wired, with_block

pytestmark = pytest.mark.usefixtures("one_window")


def forked() -> Graph:
    """Returns the chain with another wire from e to t."""
    return wired(chain(), "e.y > t.x")


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(forked())
    return user


def across(user: Driver) -> tuple[QPointF, QPointF]:
    """Returns a line that crosses both wires out of e, near its output."""
    at = user.points.port("e.y") + QPointF(8, 0)
    return at + QPointF(0, -30), at + QPointF(0, 30)


def shaken(at: QPointF, turns: int) -> list[QPointF]:
    """Returns a path to and fro with this many turns."""
    return [at, *(at + QPointF(40 if step % 2 == 0 else -40, 0) for step in range(turns + 1))]


@pytest.mark.parametrize("way", ["ctrl and the right button", "the key Y"])
def test_the_knife_cuts_every_wire_that_it_crosses_in_one_entry(here: Driver, way: str) -> None:
    graph = here.graph
    if way == "the key Y":
        here.key(Key.Key_Y)
    button, keys = (LEFT, NONE) if way == "the key Y" else (RIGHT, Mod.ControlModifier)
    here.hand.drag(*across(here), button=button, keys=keys)
    assert here.wires() == {"x.y > e.x", "s.y > loss.x"}
    assert here.undo_text() == "Cut wires"
    here.undo()
    assert here.graph is graph


def test_the_knife_cuts_only_what_it_crosses_and_once(here: Driver) -> None:
    top = here.points.port("s.y") + QPointF(20, -40)
    here.hand.stroke(top, top + QPointF(0, 80), top, button=RIGHT, keys=Mod.ControlModifier)
    assert here.wires() == {"x.y > e.x", "e.y > s.x", "e.y > t.x"}


def test_escape_leaves_the_wires_and_lays_the_knife_aside(here: Driver) -> None:
    graph = here.graph
    here.key(Key.Key_Y)
    here.hand.drag(*across(here), ends_with=here.escape)
    here.key(Key.Key_Y)
    here.escape()
    here.hand.drag(*across(here))
    assert here.graph is graph


def test_the_knife_cuts_once_then_the_button_selects_again(here: Driver) -> None:
    here.key(Key.Key_Y)
    here.hand.drag(*across(here))
    graph, start = here.graph, here.points.title("e")
    here.hand.drag(start + QPointF(-20, -60), start + QPointF(20, 60))
    assert here.graph is graph
    assert "e" in here.selection.blocks


def test_a_right_drag_without_ctrl_moves_the_view(here: Driver) -> None:
    graph, camera = here.graph, here.canvas.camera
    here.hand.drag(*across(here), button=RIGHT)
    assert here.graph is graph
    assert here.canvas.camera != camera


def test_three_quick_turns_disconnect_a_block_in_one_entry(here: Driver) -> None:
    graph, at = here.graph, here.points.title("e")
    here.hand.stroke(*shaken(at, 3), at + QPointF(0, 160))
    assert here.wires() == {"s.y > loss.x"}
    assert here.block("e").at == (240, 160)
    assert here.undo_text() == "Disconnect"
    here.undo()
    assert here.graph is graph


@pytest.mark.parametrize(("turns", "every"), [(2, 50), (3, 320)])
def test_fewer_or_slower_turns_only_move_it(here: Driver, turns: int, every: int) -> None:
    wires = here.wires()
    here.hand.stroke(*shaken(here.points.title("e"), turns), every=every)
    assert here.wires() == wires
    assert here.undo_text() == "Move"


def test_blocks_shaken_together_keep_the_wires_among_them(here: Driver) -> None:
    here.hand.click(here.points.title("e"))
    here.hand.click(here.points.title("s"), keys=Mod.ShiftModifier)
    here.hand.stroke(*shaken(here.points.title("s"), 3))
    assert here.wires() == {"e.y > s.x"}


def test_escape_after_a_shake_gives_wires_and_places_back(here: Driver) -> None:
    graph = here.graph
    here.hand.stroke(*shaken(here.points.title("e"), 3), ends_with=here.escape)
    assert here.graph is graph
    assert here.undo_text() is None
    assert here.places() == {block.id: block.at for block in graph.pages[0].blocks.values()}


def test_a_block_shaken_and_put_back_is_disconnected(here: Driver) -> None:
    at = here.points.title("e")
    here.hand.stroke(*shaken(at, 3), at)
    assert here.wires() == {"s.y > loss.x"}
    assert here.block("e").at == (240, 0)


def test_alt_delete_takes_the_wires_off_and_joins_the_neighbours(here: Driver) -> None:
    graph = here.graph
    here.hand.click(here.points.title("e"))
    here.key(Key.Key_Delete, Mod.AltModifier)
    assert here.wires() == {"x.y > s.x", "x.y > t.x", "s.y > loss.x"}
    assert here.selection == Selection(frozenset(["e"]))
    here.undo()
    assert here.graph is graph


def test_ctrl_delete_removes_and_rejoins(here: Driver) -> None:
    graph, said = here.graph, here.listen()
    here.hand.click(here.points.title("e"))
    here.key(Key.Key_Delete, Mod.ControlModifier)
    assert here.wires() == {"x.y > s.x", "x.y > t.x", "s.y > loss.x"}
    assert "e" not in here.page.blocks
    assert not said
    here.undo()
    assert here.graph is graph


def test_what_cannot_be_rejoined_is_said_and_the_rest_is_done(here: Driver) -> None:
    said = here.listen()
    here.hand.click(here.points.title("x"))
    here.key(Key.Key_Delete, Mod.ControlModifier)
    assert "x" not in here.page.blocks
    assert said == ['Exp "e": x is left open. Input "x" has no input whose value it could pass on.']


def test_ctrl_delete_takes_selected_wires_and_notes_too(here: Driver) -> None:
    here.session.select(Selection(frozenset(["e"]), frozenset([here.wire("e.x"), here.wire("loss.x")])))
    here.settle()
    here.key(Key.Key_Delete, Mod.ControlModifier)
    assert here.wires() == {"x.y > s.x", "x.y > t.x"}


def test_delete_leaves_the_neighbours_apart_and_ctrl_x_keeps_a_copy(here: Driver) -> None:
    here.hand.click(here.points.title("e"))
    here.ctrl(Key.Key_X)
    assert here.wires() == {"s.y > loss.x"}
    here.canvas.gestures.let_go()
    here.ctrl(Key.Key_V)
    assert sum(block.type == "Exp" for block in here.page.blocks.values()) == 1


def test_a_dot_dissolves_into_the_wire_that_it_lay_on(here: Driver) -> None:
    wires = here.wires()
    here.hand.double_click(here.points.on_wire(here.wire("loss.x")))
    here.session.select(Selection(frozenset([here.only("Reroute")])))
    here.settle()
    here.key(Key.Key_Delete, Mod.ControlModifier)
    assert here.wires() == wires


def test_a_file_that_is_read_only_stays_as_it_is(user: Driver) -> None:
    graph = with_block(forked(), "far", "Exp", (900, 300))
    user.show(graph)
    user.session.file.read_only = "It is read-only here."
    user.hand.stroke(*shaken(user.points.title("e"), 5))
    user.hand.drag(*across(user), button=RIGHT, keys=Mod.ControlModifier)
    user.hand.click(user.points.title("e"))
    user.key(Key.Key_Delete, Mod.ControlModifier)
    assert user.graph is graph
