"""A block dropped on a wire is inserted into it, with room; Alt prevents that."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF

from gradwire.app.live.selection import Selection
from gradwire.engine.graph.graph import Wire
from tests.app.window.driver import Driver, Key, Mod
from tests.app.window.graphs import annotated, chain, wired, with_block
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("one_window")


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(with_block(chain(), "far", "Constant", (0, 600), value=[1.0]))
    return user


def onto(user: Driver, block: str, wire: Wire) -> tuple[QPointF, QPointF]:
    """Returns the drag that moves the middle of a block onto a wire."""
    start = user.points.title(block)
    return start, start + (user.points.on_wire(wire) - user.canvas.mirror.rect(block).center())


def apart(user: Driver) -> bool:
    """Returns whether no block overlaps another."""
    rects = [user.canvas.mirror.rect(name) for name in user.page.blocks]
    return not any(a.intersects(b) for row, a in enumerate(rects) for b in rects[row + 1 :])


def test_a_block_dropped_on_a_wire_is_put_into_it_in_one_entry(here: Driver) -> None:
    graph = here.graph
    here.hand.drag(*onto(here, "t", here.wire("s.x")))
    assert here.wires() == {"x.y > e.x", "e.y > t.x", "t.y > s.x", "s.y > loss.x"}
    assert here.undo_text() == "Insert Tanh"
    here.undo()
    assert here.graph is graph


def put_into(user: Driver, name: str, end: str) -> None:
    """Puts a block into a wire by the search: a click on the wire, Tab, its name, Enter."""
    user.hand.click(user.points.on_wire(user.wire(end)))
    user.key(Key.Key_Tab)
    user.popups.search(name)


def test_what_comes_after_makes_room(here: Driver) -> None:
    here.hand.drag(*onto(here, "t", here.wire("s.x")))
    assert apart(here)
    assert here.block("t").at[0] < here.block("s").at[0] < here.block("loss").at[0]
    assert here.block("x").at == (0, 0) and here.block("e").at == (240, 0)
    assert all(at is not None and at[0] % 16 == 0 for at in here.places().values())


def test_the_wires_of_an_inserted_block_are_straight(here: Driver) -> None:
    put_into(here, "StopGradient", "s.x")
    made = here.only("StopGradient")
    assert len({here.points.port(name).y() for name in ("e.y", f"{made}.x", f"{made}.y", "s.x")}) == 1


def test_where_there_is_room_nothing_else_moves(user: Driver) -> None:
    graph = wired(with_block(chain(), "end", "Tanh", (1200, 400)), "s.y > end.x")
    user.show(graph, 0.6)
    here = user.places()
    user.hand.drag(*onto(user, "t", user.wire("end.x")))
    assert {"s.y > t.x", "t.y > end.x"} <= user.wires()
    assert {name: at for name, at in user.places().items() if name != "t"} == {
        name: at for name, at in here.items() if name != "t"
    }


def test_alt_only_moves_the_block(here: Driver) -> None:
    wires = here.wires()
    here.hand.drag(*onto(here, "t", here.wire("s.x")), keys=Mod.AltModifier)
    assert here.wires() == wires
    assert here.undo_text() == "Move"


def test_a_block_that_does_not_fit_there_is_only_moved(here: Driver) -> None:
    wires = here.wires()
    here.hand.drag(*onto(here, "far", here.wire("s.x")))
    assert here.wires() == wires


def test_a_block_with_wires_is_only_moved(here: Driver) -> None:
    wires = here.wires()
    here.hand.drag(*onto(here, "e", here.wire("loss.x")))
    assert here.wires() == wires


def test_the_wire_is_marked_while_the_block_is_over_it(here: Driver) -> None:
    wire = here.wire("s.x")
    here.canvas.viewport.centre_at(here.points.on_wire(wire))
    start, end = onto(here, "t", wire)
    plain = marked(here, wire)
    pictures: list[bool] = []
    here.hand.drag(start, end, ends_with=lambda: (pictures.append(marked(here, wire)), here.escape()))
    assert (plain, pictures, marked(here, wire)) == (False, [True], False)


def marked(user: Driver, wire: Wire) -> bool:
    """Returns whether the wire has the accent colour near its source block."""
    image = user.canvas.grab().toImage()
    row = user.canvas.mirror.wire_rows[wire]
    at = user.points.view(QPointF(*user.canvas.mirror.points[row, 0]) + QPointF(12, 0)).toPoint()
    return bool(image.pixelColor(at) == user.canvas.page_look.now().theme.color("accent"))


@pytest.mark.parametrize("name", a_third_of(["StopGradient", "Exp", "Add"]))
def test_a_block_from_the_search_is_put_into_the_selected_wire(here: Driver, name: str) -> None:
    graph = here.graph
    before = set(here.page.blocks)
    put_into(here, name, "s.x")
    (made,) = set(here.page.blocks) - before
    output = "z" if name == "Add" else "y"
    assert {f"e.y > {made}.x", f"{made}.{output} > s.x"} <= here.wires()
    assert apart(here)
    assert here.selection == Selection(frozenset([made]))
    here.undo()
    assert here.graph is graph


@pytest.mark.parametrize("key", [Key.Key_Tab, Key.Key_S])
def test_keys_put_a_block_into_the_selected_wire_with_room(here: Driver, key: Key) -> None:
    graph = here.graph
    here.hand.click(here.points.on_wire(here.wire("s.x")))
    here.key(key)
    if key == Key.Key_Tab:
        assert "Input" not in here.popups.found()
        here.popups.search("stopgradient")
    made = here.only("StopGradient")
    assert {f"e.y > {made}.x", f"{made}.y > s.x"} <= here.wires()
    assert apart(here)
    here.undo()
    assert here.graph is graph


def test_ctrl_at_either_end_of_a_wire_draws_a_second_one(here: Driver) -> None:
    here.hand.connect(here.points.port("e.y"), here.points.port("t.x"), Mod.ControlModifier)
    assert {"e.y > t.x", "e.y > s.x"} <= here.wires()
    here.undo()
    here.hand.connect(here.points.port("s.x"), here.points.port("t.x"), Mod.ControlModifier)
    assert {"e.y > t.x", "e.y > s.x"} <= here.wires()
    here.undo()
    here.hand.connect(here.points.port("s.x"), here.points.port("t.x"))
    assert "e.y > t.x" in here.wires()
    assert "e.y > s.x" not in here.wires()


def test_a_block_placed_in_a_frame_lies_in_it(user: Driver) -> None:
    user.show(annotated())
    user.hand.put_block("Exp", user.canvas.mirror.frames["hollow"].center())
    (made,) = next(frame.blocks for frame in user.page.frames if frame.id == "hollow")
    assert user.block(made).type == "Exp"
    user.undo()
    assert user.graph == annotated()
