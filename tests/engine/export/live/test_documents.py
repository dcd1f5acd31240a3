"""The data of a page, entry by entry as docs/live-pages.md has them, for graphs that can be followed by hand."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.export.live.program import (
    LiveProgram,
    count_shared,
    difference,
    held_bytes,
    live_program,
    stops_of,
)
from gradwire.engine.export.live.steps import ARITHMETIC, BY_ELEMENT, EXACT, MOVES, OTHER, SUMS
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.gallery import example

# Of a document, which is JSON.
Json = Any


def loss(total: Expression) -> Expression:
    return gw.Loss(gw.ReduceSum(total, name="s"), name="L")


def document(program: LiveProgram) -> Json:
    return {**program.document, **program.numbers.entries}


def kinds(program: LiveProgram) -> dict[str, set[tuple[float, ...]]]:
    """Returns what the document says of the steps of each block: how they round, roundings, degree."""
    found: dict[str, set[tuple[float, ...]]] = {}
    data = document(program)
    for kind, _, owner, *_ in data["variants"][0]["steps"]:
        found.setdefault(data["owners"][owner], set()).add(tuple(data["stepKinds"][kind][:3]))
    return found


def pair(name: str, *numbers: float) -> Expression:
    return gw.Variable(np.array(numbers or (1.0, 2.0)), name=name)


def test_steps_say_how_they_round() -> None:
    x, k = pair("x"), gw.Input(np.array([1, 2]), name="k")
    row, column = gw.Reshape(x, shape=(1, 2), name="row"), gw.Reshape(x, shape=(2, 1), name="column")
    total = (
        gw.Exp(x, name="e") + gw.Cast(gw.Square(k, name="whole"), dtype="float64") + gw.MatMul(row, column, name="m")
    )
    graph = gw.graph(loss(gw.Add(total, x * gw.Softmax(x, name="soft"), name="a")))
    found = kinds(live_program(graph))
    # Sources and integers are exact, and a function of its own rounds each element.
    assert found["main/x"] == found["main/k"] == found["main/whole"] == {(EXACT, 0, 1)}
    assert (BY_ELEMENT, 0, 1) in found["main/e"] and (MOVES, 0, 1) in found["main/row"]
    # A sum of two products grows fourfold when both of its factors grow twofold.
    assert (SUMS, 2, 2) in found["main/m"]
    assert (ARITHMETIC, 1, 1) in found["main/a"] and (ARITHMETIC, 0, 1) in found["main/Multiply"]
    assert (SUMS, 2, 1) in found["main/s"] and (OTHER, 0, 1) in found["main/soft"]


def test_a_product_with_a_constant_grows_twofold_with_its_one_factor_of_floats() -> None:
    x = gw.Variable(np.array([[1.0, 0.0]]), name="x")
    zero = gw.Variable(np.zeros((2, 1)), name="zero")
    graph = gw.graph(loss(gw.MatMul(x, zero, name="m")))
    assert (SUMS, 2, 2) in kinds(live_program(graph))["main/m"]


def test_steps_have_the_slots_that_they_read_and_the_views_that_they_write() -> None:
    x, h = pair("x"), pair("h")
    graph = gw.graph(loss(gw.Multiply(gw.Exp(x, name="e"), h, name="m")))
    data = document(live_program(graph))
    ports, steps = data["variants"][0]["ports"], data["variants"][0]["steps"]
    # x, h, e, m, s and L: the slots 0 to 5.
    owners = [data["owners"][owner] for _, _, owner, *_ in steps]
    assert owners[:6] == ["main/x", "main/h", "main/e", "main/m", "main/s", "main/L"]
    views = [ports[f"main/{name}"][0] for name in ("x.y", "h.y", "e.y", "m.z", "s.y", "L.y")]
    read: list[list[int]] = [[], [], [0], [2, 1], [3], [4]]
    assert [step[3:] for step in steps[:6]] == [[*slots, view] for slots, view in zip(read, views, strict=True)]
    # Sources have no instruction; a sum copies zero and adds to it.
    assert [step[1] for step in steps[:6]] == [0, 0, 1, 1, 2, 2]
    for kind, _, _, *places in steps:
        assert len(places) == sum(data["stepKinds"][kind][3:])
    assert sum(step[1] for step in steps) == len(data["variants"][0]["rows"])


def test_entries_have_value_gradient_and_status_and_leave_zeros_out() -> None:
    x = pair("x")
    stopped = gw.StopGradient(gw.Exp(x, name="e"), name="stop")
    data = document(live_program(gw.graph(loss(gw.Multiply(stopped, x, name="m")))))
    first, second = data["variants"]
    names = data["statuses"]
    assert [len(first["ports"][name]) for name in ("main/x.y", "main/e.y")] == [3, 3]
    assert [names[first["ports"][f"main/{name}.y"][2]] for name in ("x", "e", "stop")] == ["flow", "blocked", "flow"]
    assert first["ports"]["main/e.y"][1] == -1
    assert first["ports"]["main/e.y"][0] == first["ports"]["main/stop.y"][0]
    # Opened, x has two gradients that are added: the first row of roundings.
    assert first["roundings"] == [] and second["ports"]["main/x.y"][2:] == [names.index("flow"), 4]
    (row,) = second["roundings"]
    slot, is_total, terms, arriving = row
    # Slots: the forward pass has 6, x, e, stop, m, s and L; behind the seed come L, s, both sides of m, and e.
    assert (slot, is_total, terms, arriving) == (13, 1, [11, 12], [~11, ~12])
    assert first["wires"]["main/x.y>main/e.x"][1] == -1 and second["wires"]["main/x.y>main/e.x"][1] != -1


def test_what_is_behind_a_rounding_names_its_row() -> None:
    x = pair("x")
    e = gw.Exp(x, name="e")
    program = live_program(gw.graph(loss(gw.Multiply(gw.Sin(e, name="sin"), gw.Cos(e, name="cos"), name="m"))))
    variant = document(program)["variants"][0]
    (total, edge, leaf) = variant["roundings"]
    values = program.run.results.values
    # The gradient of e is a sum; the one that arrives at x is behind it, and is all that x has.
    assert total[1] == 1 and len(total[2]) == 2 and [~item for item in total[3]] == total[2]
    np.testing.assert_allclose(values[total[0]], np.add(*(values[slot] for slot in total[2])))
    assert edge[1:] == [0, [], [0]] and leaf[1:] == [1, [], [1]]
    assert [variant["ports"][f"main/{name}.y"][3] for name in ("e", "x")] == [4, 12]
    assert variant["wires"]["main/x.y>main/e.x"][3] == 8
    assert len(variant["ports"]["main/sin.y"]) == 3


@pytest.mark.parametrize("name", ["softmax_stable", "attention", "lse_both", "em_Q_nostop"])
def test_a_rounding_adds_up_its_terms_and_stands_behind_what_arrives(name: str) -> None:
    for variant in live_program(example(name)).variants:
        values = variant.run.results.values
        data: Json = variant.entries
        for place, (slot, is_total, terms, arriving) in enumerate(data["roundings"]):
            assert all(row < place for row in arriving)
            assert terms or any(row >= 0 for row in arriving) or not is_total
            if is_total and terms:
                found = np.sum([values[term] for term in terms], axis=0)
                np.testing.assert_allclose(values[slot], found, rtol=1e-12, atol=1e-15)


def test_what_python_computes_and_all_behind_it_is_marked() -> None:
    x, h = pair("x"), pair("h")
    graph = gw.graph(loss(gw.Multiply(gw.Digamma(gw.Exp(x, name="e"), name="d"), h, name="m")))
    program = live_program(graph)
    data = document(program)
    flags = {name: entry[3] if len(entry) > 3 else 0 for name, entry in data["variants"][0]["ports"].items()}
    # Values from d on are old (1); so are the gradients (2) of what is multiplied with one of its numbers.
    assert flags == {
        "main/x.y": 2,
        "main/e.y": 2,
        "main/h.y": 2,
        **{f"main/{name}": 1 for name in ("d.y", "m.z", "s.y", "L.y")},
    }
    assert data["sources"] == [
        ["main/x", [[data["variants"][0]["ports"]["main/x.y"][0]]], True],
        ["main/h", [[data["variants"][0]["ports"]["main/h.y"][0]]], False],
    ]
    assert program.called == ("main/d",)
    # The memory has the numbers that the run has found for it, so that all behind it can be computed.
    offset, shape, strides, dtype = data["views"][data["variants"][0]["ports"]["main/d.y"][0]]
    held = np.ndarray(shape, dtype, program.memories[0], offset, strides)
    # Recorded: digamma(e) and digamma(e^2).
    np.testing.assert_allclose(held, [0.8060, 1.9309], atol=2e-3)


def test_an_index_that_may_leave_its_array_is_guarded() -> None:
    x, i = pair("x"), gw.Input(np.array([1, 0]), name="i")
    data = document(live_program(gw.graph(loss(gw.Square(gw.Gather(x, i, name="g"), name="q")))))
    variant = data["variants"][0]
    # Two for the lookup, the lower and the upper bound, and two for its gradient.
    assert len(variant["guards"]) == 4 == len(set(variant["guards"]))
    assert variant["ports"]["main/g.y"][3:] == [0, [0, 1], [0, 1]]
    assert variant["ports"]["main/q.y"][3:] == [0, [0, 1]]
    assert variant["ports"]["main/x.y"][4:] == [[], [0, 1, 2, 3]]
    # No flag, and no guard of the index itself.
    assert len(variant["ports"]["main/i.y"]) == 3 and variant["loss"][0][3:] == [0, [0, 1]]


def test_numbers_of_other_dtypes_are_unknown_to_a_page() -> None:
    f = gw.Input(np.array([1, 0], np.float16), name="f")
    data = document(live_program(gw.graph(gw.Exp(f, name="e"), gw.Cast(f, dtype="float64", name="c"))))
    variant = data["variants"][0]
    assert data["sources"] == [] and [item[3] for item in data["views"]] == ["float64"]
    unknown = [-1, -1, data["statuses"].index("unknown")]
    assert variant["ports"]["main/f.y"] == variant["ports"]["main/e.y"] == unknown
    assert variant["ports"]["main/c.y"] == [0, -1, data["statuses"].index("no_path"), 1]
    assert [step[-1] for step in variant["steps"]] == [-1, -1, 0]


def stops(count: int) -> LiveProgram:
    """Returns the program of a graph with so many stops, one behind the other."""
    x = pair("x")
    total = x
    for place in range(count):
        total = total + gw.StopGradient(total * 2.0, name=f"stop{place}")
    return live_program(gw.graph(loss(total)))


def test_up_to_three_stops_have_all_their_states_and_more_have_two() -> None:
    a, b, c, d = (f"main/stop{place}" for place in range(4))
    assert [item.opened for item in stops(2).variants] == [(), (a,), (b,), (a, b)]
    assert len(stops(3).variants) == 8 and stops(3).variants[-1].opened == (a, b, c)
    assert [item.opened for item in stops(4).variants] == [(), (a, b, c, d)]


def test_a_page_begins_with_the_state_that_is_asked_for() -> None:
    graph = example("softmax_stable")
    assert "start" not in live_program(graph).document and live_program(graph).opened == frozenset()
    for ignored in (None, {"main/stop"}):
        program = live_program(graph, ignored)
        assert (program.document["start"], program.opened) == (1, {"main/stop"})
        assert program.run is program.variants[1].run


def test_a_muted_stop_is_no_stop() -> None:
    graph = example("softmax_stable")
    stop = dataclasses.replace(graph.pages[0].blocks["stop"], is_muted=True)
    muted = dataclasses.replace(graph.pages[0], blocks={**graph.pages[0].blocks, "stop": stop})
    assert stops_of(live_program(graph).run) == ["main/stop"]
    assert stops_of(live_program(dataclasses.replace(graph, pages=(muted,))).run) == []


def test_a_block_of_a_page_used_twice_is_one_source_of_two_views() -> None:
    value = {"value": np.array([1.0, 2.0])}
    inner = {
        "i": Block("i", "PageInput", parameters={"name": "in"}),
        "k": Block("k", "Variable", parameters=value),
        "m": Block("m", "Multiply"),
        "o": Block("o", "PageOutput", parameters={"name": "out"}),
    }
    wires = {Port("m", "x"): Port("i", "y"), Port("m", "y"): Port("k", "y"), Port("o", "x"): Port("m", "z")}
    main = {name: Block(name, "Page", parameters={"page": "inner"}) for name in ("one", "two")}
    main |= {"x": Block("x", "Variable", parameters=value), "L": Block("L", "Loss")}
    outer = {
        Port("one", "in"): Port("x", "y"),
        Port("two", "in"): Port("one", "out"),
        Port("L", "x"): Port("two", "out"),
    }
    pages = [
        Page(name, blocks, {target: Wire(source, target) for target, source in links.items()})
        for name, blocks, links in (("main", main, outer), ("inner", inner, wires))
    ]
    found: Json = document(live_program(Graph(tuple(pages))))["sources"]
    assert {path: len(set(places)) for path, (places,), _ in found} == {"main/x": 1, "inner/k": 2}


def test_rows_and_memory_are_shared_as_far_as_they_are_equal() -> None:
    a, b, c = (1, 2), (3, 4), (5, 6)
    assert count_shared([a, b, c], [a, b]) == 2
    assert count_shared([a, c, b], [a, b, b]) == 1
    assert count_shared([], [a]) == 0
    assert difference(b"abcd", b"abxd") == (2, b"cd")
    assert difference(b"abcd", b"ab") == (2, b"cd")
    assert difference(b"ab", b"abcd") == (2, b"")
    assert difference(b"xb", b"ab") == (0, b"xb")
    assert difference(b"ab", b"") == (0, b"ab")


def test_zeros_take_no_room() -> None:
    assert held_bytes(b"\x00a\x00b\x01") == 3
    assert held_bytes(bytes(9)) == 0


def test_functions_are_named_with_and_without_their_dtypes() -> None:
    x = pair("x")
    found = live_program(gw.graph(loss(gw.Cumsum(gw.Transpose(x), name="c") + x))).functions
    assert {"add", "copy", "copy_8"} <= found
    assert not any(name.endswith(".total") for name in found)
