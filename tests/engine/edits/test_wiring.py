"""Connecting and disconnecting: refusals, replacements, and the closing of gaps in numbered ports."""

from __future__ import annotations

import dataclasses
import re

import pytest

from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.edits.border import crossing
from gradwire.engine.edits.wiring import runs_in_circles
from gradwire.engine.graph.graph import Block, Graph, Port, Wire
from tests.engine.edit_sequences import page_from, port, rich_graph, source, sources_of, wire


def test_connect_makes_a_wire() -> None:
    graph = edits.add_block(rich_graph(), "main", "Add")[0]
    graph = edits.connect(graph, "main", port("x.y"), port("Add.y"))
    assert graph.page("main").wires[port("Add.y")] == wire("x.y", "Add.y")


def test_numbered_ports_are_filled_from_0_on() -> None:
    graph, added = edits.add_block(rich_graph(), "main", "AddN")
    with pytest.raises(EditError, match="values_1 would leave a gap; connect values_0 first"):
        edits.connect(graph, "main", port("x.y"), Port(added, "values_1"))
    for number in range(3):
        graph = edits.connect(graph, "main", port("x.y"), Port(added, f"values_{number}"))
    with pytest.raises(EditError, match="values_4 would leave a gap; connect values_3 first"):
        edits.connect(graph, "main", port("x.y"), Port(added, "values_4"))
    assert sources_of(graph, added, "values") == ["x.y"] * 3


def test_a_new_wire_replaces_the_one_that_ended_there() -> None:
    graph = edits.connect(rich_graph(), "main", port("w.y"), port("use.a"))
    assert graph.page("main").wires[port("use.a")] == wire("w.y", "use.a")
    assert len(graph.page("main").wires) == len(rich_graph().page("main").wires)


def test_a_new_wire_also_replaces_surplus_ones() -> None:
    graph = rich_graph()
    page = dataclasses.replace(graph.page("main"), surplus=(wire("w.y", "use.a"), wire("x.y", "loss.x")))
    connected = edits.connect(graph.with_page(page), "main", port("x.y"), port("use.a")).page("main")
    assert connected.surplus == (wire("x.y", "loss.x"),)


def test_the_same_wire_again_is_the_same_graph() -> None:
    graph = rich_graph()
    assert edits.connect(graph, "main", port("x.y"), port("use.a")) is graph


def test_a_numbered_port_is_filled_at_its_next_number() -> None:
    graph = edits.connect(rich_graph(), "main", port("w.y"), port("sum.values_3"))
    assert sources_of(graph, "sum", "values") == ["use.out", "w.y", "x.y", "w.y"]


@pytest.mark.parametrize(
    ("start", "end", "sentence"),
    [
        ("nobody.y", "use.a", 'no block "nobody"'),
        ("x.y", "nobody.x", 'no block "nobody"'),
        ("x.z", "use.a", 'Input "x" has no output z'),
        ("x.y", "use.b", 'Page "use" has no input b'),
        ("use.in", "sum.values_0", 'Page "use" has no output in'),
        ("x.y", "sum.values", 'AddN "sum" has no input values'),
        ("x.y", "sum.values_01", 'AddN "sum" has no input values_01'),
        ("x.y", "sum.values_4", 'AddN "sum": values_4 would leave a gap; connect values_3 first'),
        ("grads.g_2", "again.values_2", 'Gradients "grads" has no output g_2 yet; connect xs_2 first'),
        ("sum.z", "use.a", "would close a circle: use -> sum -> use"),
        ("again.z", "sum.values_3", "would close a circle: sum -> grads -> again -> sum"),
        ("sum.z", "sum.values_0", "would close a circle: sum -> sum"),
        ("use.out", "use.a", "would close a circle: use -> use"),
    ],
)
def test_impossible_wires_are_refused(start: str, end: str, sentence: str) -> None:
    with pytest.raises(EditError, match=re.escape(sentence)):
        edits.connect(rich_graph(), "main", port(start), port(end))


def test_a_wire_may_replace_the_one_that_would_have_closed_a_circle() -> None:
    blocks = [source("x"), Block("a", "Reroute"), Block("b", "Reroute")]
    graph = Graph((page_from("main", blocks, ("x.y", "a.x"), ("a.y", "b.x")),))
    graph = edits.connect(graph, "main", port("x.y"), port("b.x"))
    graph = edits.connect(graph, "main", port("b.y"), port("a.x"))
    assert graph.page("main").wires[port("a.x")] == wire("b.y", "a.x")


def test_ports_of_unknown_types_are_taken_on_trust() -> None:
    page = page_from("main", [source("x"), Block("new", "package.Unheard"), Block("r", "Reroute")])
    graph = edits.connect(Graph((page,)), "main", port("x.y"), port("new.anything"))
    graph = edits.connect(graph, "main", port("new.something"), port("r.x"))
    assert len(graph.page("main").wires) == 2


def test_numbers_above_a_removed_wire_move_down() -> None:
    graph = edits.disconnect(rich_graph(), "main", port("sum.values_1"))
    assert sources_of(graph, "sum", "values") == ["use.out", "x.y"]


def test_several_wires_go_in_one_edit() -> None:
    graph = edits.disconnect(rich_graph(), "main", port("sum.values_0"), wire("w.y", "sum.values_1"), port("use.a"))
    assert sources_of(graph, "sum", "values") == ["x.y"]
    assert port("use.a") not in graph.page("main").wires


def test_ten_and_more_numbers_keep_their_order() -> None:
    names = [f"s{n}" for n in range(12)]
    blocks = [*map(source, names), Block("sum", "AddN")]
    ends = [(f"{name}.y", f"sum.values_{n}") for n, name in enumerate(names)]
    graph = edits.disconnect(Graph((page_from("main", blocks, *ends),)), "main", port("sum.values_3"))
    assert sources_of(graph, "sum", "values") == [f"{name}.y" for name in names if name != "s3"]


def test_checks_follow_a_number_that_moves_down() -> None:
    graph = edits.disconnect(rich_graph(), "main", port("sum.values_0"))
    assert graph.checks[1]["wire"] == ("main/x.y", "main/sum.values_1")
    assert graph.checks[0] is edits.disconnect(graph, "main", port("use.a")).checks[0]


def test_gradients_move_down_with_what_they_belong_to() -> None:
    graph = edits.disconnect(rich_graph(), "main", port("grads.xs_0"))
    assert sources_of(graph, "grads", "xs") == ["w.y"]
    assert sources_of(graph, "again", "values") == ["grads.g_0"]


def test_stops_at_an_output_of_gradients_move_down_or_go() -> None:
    graph = edits.add_block(rich_graph(), "main", "Gradients", id="more")[0]
    graph = edits.set_parameter(graph, "main", "more", "stop_gradients", ["grads.g_0", "grads.g_1"])
    graph = edits.disconnect(graph, "main", port("grads.xs_0"))
    assert graph.block("main/more").parameters["stop_gradients"] == ("grads.g_0",)


def test_a_surplus_wire_takes_the_free_place() -> None:
    graph = rich_graph()
    page = dataclasses.replace(graph.page("main"), surplus=(wire("w.y", "sum.values_0"),))
    graph = edits.disconnect(graph.with_page(page), "main", wire("use.out", "sum.values_0"))
    assert sources_of(graph, "sum", "values") == ["w.y", "w.y", "x.y"]
    assert graph.page("main").surplus == ()


def test_a_surplus_wire_can_be_removed_alone() -> None:
    graph = rich_graph()
    page = dataclasses.replace(graph.page("main"), surplus=(wire("w.y", "sum.values_0"),))
    assert edits.disconnect(graph.with_page(page), "main", wire("w.y", "sum.values_0")) == graph


def test_disconnecting_a_port_removes_surplus_wires_too() -> None:
    graph = rich_graph()
    page = dataclasses.replace(graph.page("main"), surplus=(wire("w.y", "use.a"),))
    page = edits.disconnect(graph.with_page(page), "main", port("use.a")).page("main")
    assert port("use.a") not in page.wires
    assert page.surplus == ()


@pytest.mark.parametrize("end", [port("again.values_5"), wire("w.y", "use.a")])
def test_a_wire_that_is_not_there_cannot_be_removed(end: Port | Wire) -> None:
    with pytest.raises(EditError, match="There is no wire"):
        edits.disconnect(rich_graph(), "main", port("use.a"), end)


def test_circles_are_told_from_wires_that_meet_again() -> None:
    page = rich_graph().page("main")
    assert not runs_in_circles(page)
    closed = wire("again.z", "use.a")
    assert runs_in_circles(dataclasses.replace(page, wires={**page.wires, closed.target: closed}))


def test_wires_across_a_border_are_told_from_the_upper_reader_to_the_lower() -> None:
    blocks = [Block("low", "Abs", at=(0, 90)), Block("a", "Abs", at=(0, 10)), Block("b", "Abs", at=(0, 50))]
    readers = [
        Block("b_read", "Abs", at=(9, 5)),
        Block("a_read", "Abs", at=(9, 60)),
        Block("low_read", "Abs", at=(9, 70)),
    ]
    page = page_from("main", [*blocks, *readers], *((f"{block.id}.y", f"{block.id}_read.x") for block in blocks))
    into, out = crossing(page, {reader.id for reader in readers})
    assert [item.source.block for item in into] == ["b", "a", "low"] and out == []
