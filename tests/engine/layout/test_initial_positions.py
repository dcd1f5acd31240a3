"""Positions for blocks without any: on a whole page, or beside placed blocks."""

from __future__ import annotations

import dataclasses
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.graph.graph import Graph, Page, Port, Wire
from gradwire.engine.layout.framed_layers import COLUMN_GAP, up
from gradwire.engine.layout.initial_positions import with_missing_places
from gradwire.engine.layout.layout import CANVAS, PART_GAP, ROW_GAP, Outline, arrange
from tests.engine.layout.test_layout import apart, column, dags, outlines_of, page_of, placed

BOX = Outline(160.0, 96.0)
GAP = up(COLUMN_GAP)


def completed(page: Page) -> dict[str, tuple[int, int] | None]:
    done = with_missing_places(Graph((page,)), lambda *_: BOX).pages[0]
    return {name: block.at for name, block in done.blocks.items()}


@given(dags(), st.sets(st.integers(0, 23)))
def test_blocks_that_had_no_place_overlap_nothing(page: Page, numbers: set[int]) -> None:
    page = column(page, *(name for number in sorted(numbers) if (name := f"b{number}") in page.blocks))
    outlines = outlines_of(page)
    done = with_missing_places(Graph((page,)), lambda _, __, block: outlines[block.id]).pages[0]
    places = {name: block.at for name, block in done.blocks.items() if block.at is not None}
    assert places.keys() == page.blocks.keys()
    for a, b in combinations(places, 2):
        assert apart((*places[a], *outlines[a][:2]), (*places[b], *outlines[b][:2]))


def test_a_graph_with_all_places_is_the_same_object() -> None:
    graph = Graph((column(page_of(2, [(0, 1)]), "b0", "b1"), Page("empty")))
    assert with_missing_places(graph, lambda *_: BOX) is graph


def test_a_page_without_places_is_arranged_whole() -> None:
    page = page_of(3, [(0, 1), (1, 2)])
    assert completed(page) == arrange(page, dict.fromkeys(page.blocks, BOX), room=CANVAS)


def test_a_block_goes_right_of_its_producers() -> None:
    page = column(page_of(4, [(0, 2), (1, 2), (2, 3)]), "b0", "b1")
    places = completed(page)
    assert places["b2"] == (1312, 512)
    assert places["b3"] == (1632, 512)
    assert places["b0"] == page.blocks["b0"].at


def test_a_block_with_users_alone_goes_left_of_them() -> None:
    page = column(page_of(3, [(2, 1), (1, 0)]), "b0")
    places = completed(page)
    assert places["b1"] == (688, 512)
    assert places["b2"] == (368, 512)


def test_blocks_that_have_nothing_to_do_with_the_others_are_arranged_below_them() -> None:
    page = column(page_of(4, [(2, 3)]), "b0", "b1")
    places = completed(page)
    assert places["b2"] is not None and places["b3"] is not None
    assert places["b2"][1] == places["b3"][1] >= 700 + 96 + PART_GAP
    assert places["b3"][0] == places["b2"][0] + BOX.width + GAP


def test_a_last_block_goes_past_its_row_where_that_is_nearer_than_below_its_column() -> None:
    page = column(page_of(4, [(0, 3)]), "b0", "b1", "b2")
    places = {"b0": (0, 0), "b1": (272, 0), "b2": (272, 128)}
    blocks = {name: dataclasses.replace(block, at=places.get(name)) for name, block in page.blocks.items()}
    assert completed(dataclasses.replace(page, blocks=blocks))["b3"] == (272 + 160 + ROW_GAP, 0)


@pytest.mark.parametrize(("first", "step"), [("b0", 1), ("b2", -1)])
def test_blocks_are_placed_in_the_order_of_the_wires(first: str, step: int) -> None:
    page = column(page_of(3, [(0, 1), (1, 2), (0, 2)]), first)
    places = completed(page)
    middle, last = ("b1", "b2") if step > 0 else ("b1", "b0")
    lefts = [at[0] for name in (first, middle, last) if (at := places[name]) is not None]
    assert len(lefts) == 3 and lefts == sorted(lefts, key=lambda left: step * left)
    assert min(abs(a - b) for a, b in pairwise(lefts)) >= BOX.width + COLUMN_GAP


def test_a_wire_to_a_block_that_is_missing_gives_no_place() -> None:
    page = column(page_of(2, [(0, 1)]), "b0")
    lost = (Wire(Port("b0", "z"), Port("gone", "x")), Wire(Port("gone", "z"), Port("b1", "values_9")))
    assert completed(dataclasses.replace(page, surplus=lost)) == completed(page)


@pytest.mark.parametrize(
    ("other", "is_free"),
    [
        # A block of 160 x 96 px beside the place of the new one, at its least distance and one nearer.
        ((160 + GAP + 160 + ROW_GAP, 0), True),
        ((160 + GAP + 159 + ROW_GAP, 0), False),
        ((160 + GAP, 96 + ROW_GAP), True),
        ((160 + GAP, 95 + ROW_GAP), False),
        ((160 + GAP, -96 - ROW_GAP), True),
        ((160 + GAP, -95 - ROW_GAP), False),
    ],
)
def test_a_place_is_free_that_leaves_the_least_distance(other: tuple[int, int], is_free: bool) -> None:
    page = placed(page_of(3, [(0, 1)]), {"b0": (0, 0), "b2": other})
    assert (completed(page)["b1"] == (160 + GAP, 0)) is is_free
