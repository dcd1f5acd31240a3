"""Graph as a value: differences between two graphs, and equality."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.base.errors import EditError, NameUnknownError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page, PageChanges, Wire, changes, same_value
from gradwire.engine.graph.lookup import FreeNames, check_page_use, free_name
from gradwire.engine.graph.ports import gradient_page, page_ports
from tests.engine.edit_sequences import SEQUENCES, Step, page_from, rich_graph, source, wire


def wires_of(page: Page) -> set[Wire]:
    return {*page.wires.values(), *page.surplus}


def compared_one_by_one(old: Page, new: Page) -> PageChanges:
    added, removed, changed = set(), set(), set()
    for name in {*old.blocks, *new.blocks}:
        if name not in old.blocks:
            added.add(name)
        elif name not in new.blocks:
            removed.add(name)
        elif old.blocks[name] != new.blocks[name]:
            changed.add(name)
    gained = frozenset(item for item in wires_of(new) if item not in wires_of(old))
    lost = frozenset(item for item in wires_of(old) if item not in wires_of(new))
    return PageChanges(frozenset(added), frozenset(removed), frozenset(changed), gained, lost)


@given(SEQUENCES)
def test_changes_are_those_that_a_comparison_one_by_one_finds(steps: list[Step]) -> None:
    old = new = rich_graph()
    for step in steps:
        new = step(new)
    found = changes(old, new)
    before, after = {page.name: page for page in old.pages}, {page.name: page for page in new.pages}
    for name in {*before, *after}:
        expected = compared_one_by_one(before.get(name, Page(name)), after.get(name, Page(name)))
        actual = found.get(name, PageChanges(*[frozenset()] * 5))
        assert actual._replace(changed=expected.changed) == expected
        # A block that was changed back is another object; it may be reported, but a change never missed.
        assert expected.changed <= actual.changed


def test_one_edit_reports_only_the_block_that_it_changed() -> None:
    old = rich_graph()
    new = edits.set_parameter(old, "main", "w", "value", 5.0)
    nothing = frozenset[str]()
    assert changes(old, new) == {"main": PageChanges(nothing, nothing, frozenset({"w"}), frozenset(), frozenset())}


def test_a_graph_has_no_changes_against_itself() -> None:
    graph = rich_graph()
    assert changes(graph, graph) == {}


def test_a_new_page_counts_as_all_added() -> None:
    old = Graph()
    new = Graph((*old.pages, page_from("other", [source("x")])))
    assert list(changes(old, new)) == ["other"]
    assert changes(old, new)["other"].added == {"x"}
    assert changes(new, old)["other"].removed == {"x"}


def test_graphs_with_equal_contents_are_equal() -> None:
    assert rich_graph() == rich_graph()
    assert rich_graph() is not rich_graph()


def test_the_order_of_blocks_and_wires_makes_no_difference() -> None:
    page = rich_graph().page("main")
    turned = dataclasses.replace(
        page, blocks=dict(reversed(page.blocks.items())), wires=dict(reversed(page.wires.items()))
    )
    assert page == turned


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (math.nan, math.nan),
        (np.array([math.nan, -0.0]), np.array([math.nan, -0.0])),
        (np.full(100_000, math.nan), np.full(100_000, math.nan)),
        (np.arange(100_000.0).reshape(100, -1).T, np.arange(100_000.0).reshape(100, -1).T.copy()),
        (np.full(70_000, b"abc"), np.full(70_000, b"abc")),
        (np.zeros(9_000, np.longdouble), np.zeros(9_000, np.longdouble)),
        (np.arange(200_000.0)[::2], np.arange(0.0, 200_000.0, 2)),
        ((1, [2.0]), [1, (2.0,)]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ],
)
def test_same_values(a: object, b: object) -> None:
    assert same_value(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (0.0, -0.0),
        (1, 1.0),
        (1, True),
        (np.zeros(1), -np.zeros(1)),
        (np.zeros(100_000), np.append(np.zeros(99_999), -0.0)),
        (np.zeros(100_001, bool), np.arange(100_001) == 100_000),
        (np.zeros(1), np.zeros((1, 1))),
        (np.zeros(1), np.zeros(1, np.float32)),
        ((1, 2), (1,)),
        ((1,), 1),
        ((), ""),
        ({}, ()),
        (np.zeros(3 * 2**16), np.append(np.zeros(3 * 2**16 - 1), 1)),
        (np.zeros(2**18), np.arange(2**18) == 2**16),
        ({"a": 1}, {"b": 1}),
        ("1", 1),
    ],
)
def test_different_values(a: object, b: object) -> None:
    assert not same_value(a, b)


def test_a_port_knows_the_wires_that_leave_it() -> None:
    page = rich_graph().page("main")
    expected = {wire("x.y", "use.a"), wire("x.y", "sum.values_2"), wire("x.y", "grads.xs_0")}
    assert set(page.wires_from(wire("x.y", "use.a").source)) == expected


def test_unknown_names_are_reported_with_the_known_ones() -> None:
    with pytest.raises(NameUnknownError, match=r'no page "side"; the pages are: main, half'):
        rich_graph().page("side")
    with pytest.raises(NameUnknownError, match=r'no block "main/nobody"'):
        rich_graph().block("main/nobody")
    with pytest.raises(NameUnknownError, match=r'no block "side/x"'):
        rich_graph().block("side/x")


@given(st.lists(st.sampled_from(["a", "a_1", "a_2", "a_9", "b", "b_1", "a_1_1", "c" * 64]), max_size=12))
def test_names_taken_in_a_row_are_each_the_next_free_one(wanted: list[str]) -> None:
    names, taken = FreeNames({"b"}), {"b"}
    for name in wanted:
        found = names.take(name)
        assert found == free_name(name, taken) and found in names
        taken.add(found)
        number = re.fullmatch(re.sub(r"_\d+$", "", name)[:57] + r"_(\d+)", found)
        if found != name:
            assert number is not None
            stem = found.removesuffix(number[1])
            assert {name, *(f"{stem}{lower}" for lower in range(1, int(number[1])))} <= taken


@pytest.mark.parametrize(
    ("training", "version"),
    [(None, (1, 0)), ({"steps": 3}, (1, 1)), ({"steps": ["accumulate"]}, (1, 1)), ({"steps": [{"rule": {}}]}, (1, 1)),
     ({"steps": [{}, {"accumulate": 2}]}, (1, 2))],
)  # fmt: skip
def test_a_plan_that_accumulates_needs_a_newer_version(training: dict[str, object] | None, version: object) -> None:
    assert Graph((page_from("main", [source("x")]),), training=training).saved_version == version


@pytest.mark.parametrize("name", ["half", "nowhere", None])
def test_a_page_gives_the_gradient_of_another(name: str | None) -> None:
    graph = rich_graph()
    found = gradient_page(graph, dataclasses.replace(graph.page("main"), gradient=name))
    assert found is (graph.page("half") if name == "half" else None)


def test_ports_of_a_page_are_ordered_from_top_to_bottom() -> None:
    places = {"d": (0, 5), "c": None, "b": (9, -5), "a": (0, 5), "second": (0, 7), "e": (0, -9), "f": (0, 1)}
    names = {name: "a" if name == "second" else name for name in places}
    ports = [Block(name, "PageInput", at=at, parameters={"name": names[name]}) for name, at in places.items()]
    page = page_from("p", [*ports, Block("none", "PageInput", parameters={"name": 3})])
    found = page_ports(page, Role.PAGE_INPUT)
    assert [(port.name, port.block.id) for port in found] == [(name, name) for name in "ebcfad"]


def test_a_page_is_not_used_where_it_would_contain_itself() -> None:
    def page(name: str, *uses: str) -> Page:
        return page_from(name, [Block(f"use_{used}", "Page", parameters={"page": used}) for used in uses])

    graph = Graph((page("main", "a"), page("a", "b"), page("b", "c", "gone"), page("c", "b"), page("free", "c")))
    for name, used in (("a", "main"), ("b", "main"), ("c", "a"), ("b", "b"), ("c", "free")):
        with pytest.raises(EditError, match="would contain itself"):
            check_page_use(graph, graph.page(name), used)
    for name, used in (("main", "b"), ("main", "gone"), ("free", "main"), ("a", "free")):
        check_page_use(graph, graph.page(name), used)
