"""Laws of walking: every block and wire of every example is reached by arrows, and a way right leads back left."""

from __future__ import annotations

from collections import deque

import pytest

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.input.arrow_navigation import (
    Place,
    Socket,
    Thing,
    Way,
    ends,
    ends_for,
    first_socket,
    in_order,
    place_of,
    sockets,
    step,
    step_socket,
    things,
)
from gradwire.app.live.session import Selection
from gradwire.engine.graph.graph import Port
from tests.app.canvas.pages import EXAMPLE_NAMES, chain, example, mirror_of
from tests.app.window.graphs import annotated

pytestmark = pytest.mark.usefixtures("qapp")
EVERY = pytest.mark.parametrize("name", EXAMPLE_NAMES)


def reached(mirror: Mirror) -> set[Place]:
    """Every place that arrows lead to from the first block."""
    found = ends(mirror)
    assert found is not None
    seen, waiting = {found[0]}, deque([found[0]])
    while waiting:
        place = waiting.popleft()
        for way in Way:
            following = step(mirror, place, way)
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return seen


@EVERY
def test_every_block_and_wire_is_reached_by_arrows(name: str) -> None:
    mirror = mirror_of(example(name))
    places = reached(mirror)
    assert {place.thing.name for place in places if place.thing.kind == "block"} == set(mirror.ids)
    assert {place.wire for place in places if place.is_on_wire} == set(mirror.wires)


def test_notes_and_frames_are_reached_by_arrows() -> None:
    found = {place.thing for place in reached(mirror_of(annotated()))}
    assert {Thing("note", "note"), Thing("frame", "spare"), Thing("frame", "hollow")} <= found


@EVERY
def test_right_then_left_returns(name: str) -> None:
    mirror = mirror_of(example(name))
    for place in reached(mirror):
        there = step(mirror, place, Way.RIGHT)
        if there != place:
            assert step(mirror, there, Way.LEFT).target == place.target


@EVERY
def test_left_then_right_returns(name: str) -> None:
    mirror = mirror_of(example(name))
    for place in reached(mirror):
        there = step(mirror, place, Way.LEFT)
        if there != place:
            assert step(mirror, there, Way.RIGHT).target == place.target


@EVERY
def test_down_then_up_returns(name: str) -> None:
    mirror = mirror_of(example(name))
    for place in reached(mirror):
        there = step(mirror, place, Way.DOWN)
        if there != place:
            assert step(mirror, there, Way.UP).target == place.target


@EVERY
def test_the_order_is_topological(name: str) -> None:
    mirror = mirror_of(example(name))
    order = in_order(mirror)
    assert sorted(order) == sorted(mirror.ids)
    assert all(order.index(wire.source.block) < order.index(wire.target.block) for wire in mirror.wires)


def test_right_leads_over_the_wire_to_the_next_block() -> None:
    mirror = mirror_of(chain())
    on_wire = step(mirror, Place(Thing("block", "x")), Way.RIGHT)
    assert on_wire.target.wire == mirror.session.page.wires[Port("e", "x")]
    assert step(mirror, on_wire, Way.RIGHT).target.block == "e"


def test_at_the_ends_a_step_stays() -> None:
    mirror = mirror_of(chain())
    assert step(mirror, Place(Thing("block", "x")), Way.LEFT) == Place(Thing("block", "x"))
    assert step(mirror, Place(Thing("block", "loss")), Way.RIGHT) == Place(Thing("block", "loss"))


def test_down_on_a_wire_leads_to_its_sister_from_the_same_block() -> None:
    mirror = mirror_of(example("softmax_stable"))
    wires = [place for place in reached(mirror) if place.is_on_wire]
    changed = [(place, step(mirror, place, Way.DOWN)) for place in wires]
    moved = [(one, other) for one, other in changed if one != other]
    assert moved
    for one, other in moved:
        assert one.wire is not None and other.wire is not None
        assert one.thing.name in (other.wire.source.block, other.wire.target.block)


def test_things_stand_in_columns_from_the_left() -> None:
    names = [thing.name for thing in things(mirror_of(annotated())) if thing.kind == "block"]
    assert names == ["x", "c", "e", "t", "s", "loss"]


def test_one_selected_thing_is_a_place_and_several_are_none() -> None:
    mirror = mirror_of(chain())
    wire = mirror.wires[0]
    assert place_of(Selection(frozenset(["e"]))) == Place(Thing("block", "e"))
    found = place_of(Selection(wires=frozenset([wire])))
    assert found is not None and found.target.wire == wire
    assert place_of(Selection(frozenset(["e", "x"]))) is None
    assert place_of(Selection()) is None


@EVERY
def test_every_port_of_a_block_is_reached_from_its_first(name: str) -> None:
    mirror = mirror_of(example(name))
    for block in mirror.ids:
        first = first_socket(mirror, block)
        if first is None:
            continue
        seen, waiting = {first}, deque([first])
        while waiting:
            socket = waiting.popleft()
            new = {step_socket(mirror, socket, way) for way in Way} - seen
            seen |= new
            waiting.extend(new)
        assert seen == set(sockets(mirror, block))


def test_the_ends_of_a_wire_are_all_ports_of_the_other_side_nearest_first() -> None:
    mirror = mirror_of(chain())
    found = ends_for(mirror, Socket(Port("x", "y"), False))
    assert found[:3] == [Port("e", "x"), Port("s", "x"), Port("loss", "x")]
    assert all(port.block != "x" for port in found)
