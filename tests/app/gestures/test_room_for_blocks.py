"""Room for what is added: neighbours give way in the same entry, and what keys add stands beside, joined."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QAbstractButton

from gradwire.app.canvas.overlays.glide import Glide
from gradwire.app.live.selection import Selection
from gradwire.app.look.motion import set_moves
from gradwire.app.shell.window import clipboard
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.layout.framed_layers import COLUMN_GAP, GRID, SCALAR_GAP
from tests.app.window.driver import Driver, Key
from tests.app.window.graphs import chain, with_block
from tests.recorded import make_graph

pytestmark = pytest.mark.usefixtures("one_window")


@pytest.fixture
def here(user: Driver) -> Driver:
    user.show(chain(), 0.6)
    return user


def overlaps(user: Driver) -> list[tuple[str, str]]:
    names = sorted(user.page.blocks)
    rects = {name: user.canvas.mirror.rect(name) for name in names}
    return [(a, b) for a in names for b in names if a < b and rects[a].intersects(rects[b])]


def add_by_keys(user: Driver, name: str) -> str:
    """Adds a block with Tab and the search; returns its id."""
    before = set(user.page.blocks)
    user.key(Key.Key_Tab)
    user.popups.search(name)
    (made,) = set(user.page.blocks) - before
    return made


def test_neighbours_give_way_to_a_placed_block_in_one_entry(here: Driver) -> None:
    graph = here.graph
    middle = here.canvas.mirror.rect("e").center()
    here.canvas.page_actions.add_block("Tanh", middle)
    here.settle()
    assert overlaps(here) == []
    assert here.block("e").at != graph.pages[0].blocks["e"].at
    here.undo()
    assert here.graph is graph


def test_a_block_placed_in_free_space_moves_nothing(here: Driver) -> None:
    places = here.places()
    here.hand.put_block("Tanh", here.canvas.mirror.rect("e").center() + QPointF(0, 400))
    assert {name: at for name, at in here.places().items() if name in places} == places


def test_many_pasted_blocks_go_below_all_others_and_into_view(here: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "MANY", 3)
    places, old = here.places(), set(here.page.blocks)
    here.ctrl(Key.Key_A)
    here.ctrl(Key.Key_C)
    here.ctrl(Key.Key_V)
    mirror, made = here.canvas.mirror, here.page.blocks.keys() - old
    assert len(made) == len(old) and {name: here.places()[name] for name in places} == places
    lowest = max(mirror.rect(name).bottom() for name in old)
    assert min(mirror.rect(name).top() for name in made) > lowest
    assert here.canvas.viewport.seen.intersects(mirror.rect(min(made)))
    assert overlaps(here) == []


@pytest.mark.parametrize("names", ["e", "xe", "xects"])
@pytest.mark.parametrize("over", ["x", "e", "loss"])
def test_what_is_pasted_over_a_block_goes_where_there_is_room(here: Driver, names: str, over: str) -> None:
    graph, places = here.graph, here.places()
    here.session.select(Selection(frozenset(names)))
    here.ctrl(Key.Key_C)
    here.hand.enter(here.points.body(over))
    here.ctrl(Key.Key_V)
    made = here.page.blocks.keys() - places.keys()
    assert made and overlaps(here) == [] and {name: here.places()[name] for name in places} == places
    assert all(number % GRID == 0 for name in made for number in here.places()[name] or (1,))
    assert here.selection.blocks == made and here.canvas.viewport.seen.intersects(here.canvas.mirror.rect(min(made)))
    here.undo()
    assert here.graph is graph


def test_copies_stand_in_free_space(here: Driver) -> None:
    graph = here.graph
    here.session.select(Selection(frozenset(graph.pages[0].blocks)))
    here.settle()
    here.ctrl(Key.Key_D)
    assert len(here.page.blocks) == 2 * len(graph.pages[0].blocks)
    assert overlaps(here) == []
    here.undo()
    assert here.graph is graph


def test_blocks_that_the_field_of_the_bar_adds_one_after_the_other_do_not_pile_up(here: Driver) -> None:
    for _ in range(4):
        here.session.select(Selection())
        here.qtbot.mouseClick(here.child(QAbstractButton, "search_button"), Qt.MouseButton.LeftButton)
        here.popups.search("Tanh")
    assert overlaps(here) == []


def test_a_block_added_beside_another_reads_it_with_room_for_labels(here: Driver) -> None:
    graph = here.graph
    here.session.select(Selection(frozenset(["e"])))
    made = add_by_keys(here, "Tanh")
    rects = here.canvas.mirror.rect("e"), here.canvas.mirror.rect(made)
    assert f"e.y > {made}.x" in here.wires()
    assert rects[1].left() - rects[0].right() >= COLUMN_GAP
    assert overlaps(here) == [] and here.session.only_block == made
    here.undo()
    assert here.graph is graph


def test_a_block_that_reads_nothing_feeds_the_one_beside_it(here: Driver) -> None:
    here.session.select(Selection(frozenset(["loss"])))
    made = add_by_keys(here, "Constant")
    assert f"{made}.y > loss.weights" in here.wires()
    assert here.canvas.mirror.rect(made).right() <= here.canvas.mirror.rect("loss").left() - COLUMN_GAP


@pytest.mark.long
def test_what_is_added_one_after_the_other_is_a_chain(user: Driver) -> None:
    user.show(chain(), 0.6)
    user.session.select(Selection(frozenset(["x"])))
    made = [add_by_keys(user, name) for name in ("Exp", "ReduceSum", "Log")]
    assert {f"x.y > {made[0]}.x", f"{made[0]}.y > {made[1]}.x", f"{made[1]}.y > {made[2]}.x"} <= user.wires()
    assert overlaps(user) == []


def row(pitch: int) -> Graph:
    """Three blocks in a row that no wire joins, 144 px wide each."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array(2.0))
    return with_block(with_block(graph, "a", "Tanh", (pitch, 0)), "b", "Tanh", (2 * pitch, 0))


@pytest.mark.parametrize(("start", "end"), [("x.y", "a.x"), ("a.x", "x.y")])
def test_a_wire_between_close_blocks_makes_room_for_its_label_in_one_entry(user: Driver, start: str, end: str) -> None:
    user.show(row(pitch=184))
    graph = user.graph
    user.hand.connect(user.points.port(start), user.points.port(end))
    rects = {name: user.canvas.mirror.rect(name) for name in "xab"}
    assert user.wires() == {"x.y > a.x"}
    assert user.block("x").at == (0, 0)
    assert rects["a"].left() - rects["x"].right() >= SCALAR_GAP
    assert rects["b"].left() > rects["a"].right()
    user.undo()
    assert user.graph is graph


def test_a_wire_with_room_for_its_label_moves_nothing(user: Driver) -> None:
    user.show(row(pitch=288))
    places = user.places()
    user.hand.connect(user.points.port("x.y"), user.points.port("a.x"))
    assert user.wires() == {"x.y > a.x"}
    assert user.places() == places


def test_neighbours_glide(here: Driver) -> None:
    set_moves(True)
    try:
        before = here.canvas.mirror.rect("e").topLeft()
        here.canvas.page_actions.add_block("Tanh", here.canvas.mirror.rect("e").center())
        (glide,) = here.canvas.findChildren(Glide)
        assert glide._ids and here.canvas.mirror.rect("e").topLeft() == before
        glide.finish()
        assert overlaps(here) == []
    finally:
        set_moves(None)


def test_copies_of_a_constant_stand_beside_its_readers_in_one_entry(here: Driver) -> None:
    blocks = [
        Block("c", "Constant", at=(0, 400), parameters={"value": np.array(2.0)}),
        Block("l", "Loss", at=(2100, 0)),
    ]
    blocks += [Block(f"m{number}", "Multiply", at=(300 * number, 0)) for number in range(1, 7)]
    blocks.append(Block("x", "Input", at=(0, 0), parameters={"value": np.array(3.0)}))
    wires = [("x.y", "m1.x"), *((f"m{number}.z", f"m{number + 1}.x") for number in range(1, 6)), ("m6.z", "l.x")]
    here.show(make_graph(blocks, [*wires, *(("c.y", f"m{number}.y") for number in range(1, 7))]), 0.4)
    graph = here.graph
    here.session.select(Selection(frozenset("c")))
    here.settle()
    here.trigger("copy_to_readers")
    readers = {wire.source.block: wire.target.block for wire in here.page.wires.values() if wire.target.name == "y"}
    assert len(readers) == 6 and overlaps(here) == []
    rects = here.canvas.mirror.rect
    assert all(0 <= rects(reader).left() - rects(name).right() < 400 for name, reader in readers.items())
    here.undo()
    assert here.graph is graph
