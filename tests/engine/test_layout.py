"""Places for blocks: nothing overlaps, wires go right, rows are straight, and the same page comes out the same."""

from __future__ import annotations

import dataclasses
import random
import sys
import time
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import blocks  # noqa: F401  # fills the library
from engine.graph import Block, Graph, Page, Port, Wire
from engine.layers import Edge, count_crossings, ordered
from engine.layout import COLUMN_GAP, GRID, ROW_GAP, arrange, arranged

Ends = list[tuple[int, int]]


def page_of(count: int, ends: Ends) -> Page:
    """A page of AddN blocks b0, b1 ..., the wires into each numbered as they come."""
    made = {f"b{number}": Block(f"b{number}", "AddN") for number in range(count)}
    wires: dict[Port, Wire] = {}
    for source, target in ends:
        number = sum(port.block == f"b{target}" for port in wires) if count < 200 else len(wires)
        port = Port(f"b{target}", f"values_{number}")
        wires[port] = Wire(Port(f"b{source}", "z"), port)
    return Page("main", made, wires)


def sizes_of(page: Page) -> dict[str, tuple[float, float]]:
    """Sizes that differ, with heights that are no multiples of the grid."""
    return {name: (160.0 + 24 * (row % 3), 61.5 + 20 * (row % 5)) for row, name in enumerate(page.blocks)}


def placed(page: Page, *names: str) -> Page:
    """The page with some blocks placed in a column."""
    at = {name: (1000, 500 + 200 * row) for row, name in enumerate(names)}
    moved = {name: dataclasses.replace(block, at=at.get(name)) for name, block in page.blocks.items()}
    return dataclasses.replace(page, blocks=moved)


def keep_their_gaps(a: str, b: str, places: dict[str, tuple[int, int]], sizes: dict[str, tuple[float, float]]) -> bool:
    (ax, ay), (bx, by) = places[a], places[b]
    beside = ax + sizes[a][0] + COLUMN_GAP <= bx or bx + sizes[b][0] + COLUMN_GAP <= ax
    return beside or ay + sizes[a][1] + ROW_GAP <= by or by + sizes[b][1] + ROW_GAP <= ay


@st.composite
def dags(draw: st.DrawFn) -> Page:
    count = draw(st.integers(0, 24))
    numbers = draw(st.permutations(range(count)))
    pairs = st.tuples(st.integers(0, max(count - 1, 0)), st.integers(0, max(count - 1, 0)))
    ends = draw(st.lists(pairs, max_size=40)) if count > 1 else []
    return page_of(count, [(numbers[min(pair)], numbers[max(pair)]) for pair in ends if pair[0] != pair[1]])


@given(dags())
def test_no_two_blocks_are_nearer_than_their_gaps(page: Page) -> None:
    sizes = sizes_of(page)
    places = arrange(page, sizes)
    assert places.keys() == page.blocks.keys()
    assert all(keep_their_gaps(a, b, places, sizes) for a, b in combinations(places, 2))


@given(dags())
def test_every_wire_goes_right(page: Page) -> None:
    sizes = sizes_of(page)
    places = arrange(page, sizes)
    for wire in page.wires.values():
        source, target = wire.source.block, wire.target.block
        assert places[source][0] + sizes[source][0] + COLUMN_GAP <= places[target][0]


@given(dags())
def test_corners_are_on_the_grid_from_0_0(page: Page) -> None:
    places = arrange(page, sizes_of(page)).values()
    assert all(x % GRID == 0 and y % GRID == 0 for x, y in places)
    assert not places or (min(x for x, _ in places), min(y for _, y in places)) == (0, 0)


@given(dags())
def test_the_same_page_comes_out_the_same(page: Page) -> None:
    assert arrange(page, sizes_of(page)) == arrange(page, sizes_of(page))


@given(dags(), st.sets(st.integers(0, 23)))
def test_only_the_chosen_blocks_get_places(page: Page, numbers: set[int]) -> None:
    chosen = {f"b{number}" for number in numbers}
    assert arrange(page, sizes_of(page), chosen).keys() == chosen & page.blocks.keys()


@given(dags(), st.sets(st.integers(0, 23)))
def test_blocks_that_had_no_place_overlap_nothing(page: Page, numbers: set[int]) -> None:
    page = placed(page, *(name for number in sorted(numbers) if (name := f"b{number}") in page.blocks))
    sizes = sizes_of(page)
    done = arranged(Graph((page,)), lambda _, __, block: sizes[block.id]).pages[0]
    places = {name: block.at for name, block in done.blocks.items() if block.at is not None}
    assert places.keys() == page.blocks.keys()
    for a, b in combinations(places, 2):
        (ax, ay), (bx, by) = places[a], places[b]
        assert ax + sizes[a][0] <= bx or bx + sizes[b][0] <= ax or ay + sizes[a][1] <= by or by + sizes[b][1] <= ay


def test_the_chosen_blocks_stay_around_their_centre() -> None:
    page = placed(page_of(4, [(0, 1), (1, 2)]), "b0", "b1", "b2", "b3")
    sizes = dict.fromkeys(page.blocks, (160.0, 96.0))
    places = arrange(page, sizes, ["b0", "b1"])
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    assert abs((min(xs) + max(xs) + 160) / 2 - 1080) <= GRID / 2
    assert abs((min(ys) + max(ys) + 96) / 2 - 648) <= GRID / 2


def test_a_planar_graph_is_drawn_without_crossings() -> None:
    # Two ladders whose rungs are given in the worst order, joined at both ends.
    ends = [(0, 8), (0, 1), (1, 3), (8, 6), (6, 5), (3, 4), (5, 7), (4, 7), (1, 2), (2, 4), (8, 9), (9, 5)]
    part = ordered(10, [Edge(*pair) for pair in ends])
    assert count_crossings(part) == 0


def test_crossings_of_a_complete_bipartite_graph_are_counted() -> None:
    """K(3,3) in two layers has 9 crossings, whatever the order: 3 pairs above times 3 pairs below."""
    part = ordered(6, [Edge(a, 3 + b) for a in range(3) for b in range(3)])
    assert count_crossings(part) == 9


def test_sources_stand_in_the_order_of_the_ports() -> None:
    made = {name: Block(name, "Input") for name in ("last", "first")} | {"z": Block("z", "Subtract")}
    ends = [("last", "y"), ("first", "x")]
    wires = {Port("z", port): Wire(Port(name, "y"), Port("z", port)) for name, port in ends}
    places = arrange(Page("main", made, wires), dict.fromkeys(made, (160.0, 96.0)))
    assert places["first"][1] < places["last"][1]


def test_a_trunk_with_variables_is_straight() -> None:
    page = page_of(7, [(0, 1), (4, 1), (1, 2), (5, 2), (2, 3), (6, 3)])
    places = arrange(page, dict.fromkeys(page.blocks, (160.0, 96.0)))
    assert len({places[name][1] for name in ("b1", "b2", "b3")}) == 1
    assert [places[f"b{n}"][0] for n in (4, 5, 6)] == [places[f"b{n}"][0] for n in (0, 1, 2)]


def test_separate_parts_stand_below_each_other() -> None:
    page = page_of(7, [(0, 1), (2, 3), (3, 4)])
    sizes = sizes_of(page)
    places = arrange(page, sizes)
    bottom = max(places[name][1] + sizes[name][1] for name in ("b0", "b1"))
    assert min(places[name][1] for name in ("b2", "b3", "b4")) >= bottom + ROW_GAP
    assert min(places[name][1] for name in ("b5", "b6")) > max(places[name][1] for name in ("b2", "b3", "b4"))


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_page_without_wires_is_arranged(count: int) -> None:
    assert len(set(arrange(page_of(count, []), dict.fromkeys(page_of(count, []).blocks, (160, 96))).values())) == count


def test_wires_in_a_circle_leave_one_that_goes_left() -> None:
    ends = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 3)]
    page = page_of(4, ends)
    places = arrange(page, dict.fromkeys(page.blocks, (160.0, 96.0)))
    assert sum(places[f"b{a}"][0] >= places[f"b{b}"][0] for a, b in ends if a != b) == 1


def test_surplus_wires_count_too() -> None:
    page = page_of(2, [])
    page = dataclasses.replace(page, surplus=(Wire(Port("b0", "z"), Port("b1", "values_0")),))
    assert arrange(page, sizes_of(page))["b1"][0] > 0


def test_wires_to_blocks_that_are_not_there_are_left_alone() -> None:
    page = page_of(1, [])
    page = dataclasses.replace(page, surplus=(Wire(Port("nobody", "z"), Port("b0", "values_0")),))
    assert arrange(page, sizes_of(page)) == {"b0": (0, 0)}


@pytest.fixture
def shallow_stack() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth + 60)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.usefixtures("shallow_stack")
def test_a_chain_of_100000_blocks_needs_no_recursion() -> None:
    count = 100_000
    page = page_of(count, [(row, row + 1) for row in range(count - 1)])
    places = arrange(page, dict.fromkeys(page.blocks, (160.0, 96.0)))
    assert {y for _, y in places.values()} == {0}
    assert places["b99999"][0] == 99_999 * (160 + COLUMN_GAP)


def test_a_wire_past_a_thousand_layers_costs_little() -> None:
    page = page_of(1000, [(row, row + 1) for row in range(999)] + [(0, row) for row in range(2, 1000)])
    start = time.perf_counter()
    assert len(arrange(page, sizes_of(page))) == 1000
    assert time.perf_counter() - start < 5


def test_a_thousand_blocks_take_less_than_a_second() -> None:
    numbers = random.Random(7)
    page = page_of(1000, [(numbers.randrange(max(0, row - 12), row), row) for row in range(1, 1000) for _ in range(2)])
    times = []
    for _ in range(3):
        start = time.perf_counter()
        arrange(page, sizes_of(page))
        times.append(time.perf_counter() - start)
    assert min(times) < 1


def test_a_graph_with_all_places_is_the_same_object() -> None:
    graph = Graph((placed(page_of(2, [(0, 1)]), "b0", "b1"), Page("empty")))
    assert arranged(graph, lambda *_: (160, 96)) is graph


def test_a_page_without_places_is_arranged_whole() -> None:
    page = page_of(3, [(0, 1), (1, 2)])
    done = arranged(Graph((page,)), lambda *_: (160, 96)).pages[0]
    assert {name: block.at for name, block in done.blocks.items()} == arrange(
        page, dict.fromkeys(page.blocks, (160, 96))
    )


def test_a_block_without_a_place_goes_right_of_its_producers() -> None:
    page = placed(page_of(4, [(0, 2), (1, 2), (2, 3)]), "b0", "b1")
    done = arranged(Graph((page,)), lambda *_: (160, 96)).pages[0]
    assert done.blocks["b2"].at == (1280, 512)
    assert done.blocks["b3"].at == (1552, 512)
    assert done.blocks["b0"] is page.blocks["b0"]


def test_a_block_without_a_place_and_producers_goes_below_everything() -> None:
    page = placed(page_of(3, []), "b0", "b1")
    assert arranged(Graph((page,)), lambda *_: (160, 96)).pages[0].blocks["b2"].at == (1008, 848)
