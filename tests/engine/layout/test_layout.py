"""Layout of pages: no overlaps, wires to the right, contiguous frames, and a reproducible result."""

from __future__ import annotations

import dataclasses
import itertools
import sys
from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.graph.graph import Block, Frame, Note, Page, Port, Wire
from gradwire.engine.layout.bands import NUMBER_GAP
from gradwire.engine.layout.framed_layers import FRAME_BOTTOM, FRAME_SIDE, FRAME_TOP, LANE_MARGIN, up
from gradwire.engine.layout.free_space import Rect, smallest_shift
from gradwire.engine.layout.layer_order import count_crossings, order_layers
from gradwire.engine.layout.layer_rows import isotonic, median
from gradwire.engine.layout.layers import Edge, Layers, ranked
from gradwire.engine.layout.layout import CANVAS, COLUMN_GAP, GRID, PART_GAP, ROW_GAP, Outline, arrange
from tests.recorded import graph_of_recording, recorded_graphs
from tests.recorded import load as load_recording

Ends = list[tuple[int, int]]
Places = Mapping[str, tuple[int, int]]


PORTS = {"x": 44.0, "y": 64.0} | {f"values_{number}": 44.0 + 20 * number for number in range(60)}


def page_of(count: int, ends: Ends, frames: tuple[Frame, ...] = ()) -> Page:
    """Returns a page of AddN blocks b0, b1 ..., with the wires into each numbered in order."""
    made = {f"b{number}": Block(f"b{number}", "AddN") for number in range(count)}
    wires: dict[Port, Wire] = {}
    for source, target in ends:
        number = sum(port.block == f"b{target}" for port in wires) if count < 200 else len(wires)
        port = Port(f"b{target}", f"values_{number}")
        wires[port] = Wire(Port(f"b{source}", "z"), port)
    return Page("main", made, wires, frames=frames)


def outlines_of(page: Page) -> dict[str, Outline]:
    """Returns different outlines, with heights off the grid, and ports 20 px apart."""
    return {
        name: Outline(160.0 + 24 * (row % 3), 61.5 + 20 * (row % 5), PORTS, {"z": 44.0})
        for row, name in enumerate(page.blocks)
    }


def even(page: Page) -> dict[str, Outline]:
    return dict.fromkeys(page.blocks, Outline(160.0, 96.0, PORTS, {"z": 44.0}))


def placed(page: Page, places: Places) -> Page:
    moved = {name: dataclasses.replace(block, at=places.get(name, block.at)) for name, block in page.blocks.items()}
    return dataclasses.replace(page, blocks=moved)


def column(page: Page, *names: str) -> Page:
    """Returns the page with some blocks in a column."""
    return placed(page, {name: (1000, 500 + 200 * row) for row, name in enumerate(names)})


def keep_their_gaps(a: str, b: str, places: Places, outlines: Mapping[str, Outline], gap: float = COLUMN_GAP) -> bool:
    (ax, ay), (bx, by) = places[a], places[b]
    beside = ax + outlines[a].width + gap <= bx or bx + outlines[b].width + gap <= ax
    return beside or ay + outlines[a].height + ROW_GAP <= by or by + outlines[b].height + ROW_GAP <= ay


def apart(a: Rect, b: Rect) -> bool:
    return a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1]


def around(rects: list[Rect]) -> Rect:
    """Returns a frame as the canvas draws it."""
    left, top = min(rect[0] for rect in rects), min(rect[1] for rect in rects)
    right, bottom = max(rect[0] + rect[2] for rect in rects), max(rect[1] + rect[3] for rect in rects)
    return (
        left - FRAME_SIDE,
        top - FRAME_TOP,
        right - left + 2 * FRAME_SIDE,
        bottom - top + FRAME_TOP + FRAME_BOTTOM,
    )


@st.composite
def dags(draw: st.DrawFn, with_frames: bool = True) -> Page:
    count = draw(st.integers(0, 24))
    numbers = draw(st.permutations(range(count)))
    pairs = st.tuples(st.integers(0, max(count - 1, 0)), st.integers(0, max(count - 1, 0)))
    ends = draw(st.lists(pairs, max_size=40)) if count > 1 else []
    frame_of = draw(st.lists(st.integers(-4, 3), min_size=count, max_size=count)) if with_frames else []
    held = {frame: tuple(f"b{row}" for row, at in enumerate(frame_of) if at == frame) for frame in range(4)}
    # The first frame lies in the second one, and that in the third.
    frames = tuple(Frame(f"f{at}", blocks=held[at], frames=(f"f{at - 1}",) if 0 < at < 3 else ()) for at in range(4))
    wires = [(numbers[min(pair)], numbers[max(pair)]) for pair in ends if pair[0] != pair[1]]
    return page_of(count, wires, frames if any(held.values()) else ())


rooms = st.sampled_from([CANVAS, (640.0, 400.0), (400.0, 900.0)])
corners = st.tuples(st.integers(-800, 800), st.integers(-800, 800))


@given(dags())
def test_no_two_blocks_are_nearer_than_their_gaps(page: Page) -> None:
    outlines = outlines_of(page)
    places = arrange(page, outlines)
    assert places.keys() == page.blocks.keys()
    # Parts that no wire joins need no room for labels between them.
    assert all(keep_their_gaps(a, b, places, outlines, PART_GAP) for a, b in combinations(places, 2))


def highest_stripe(places: Places, outlines: Mapping[str, Outline]) -> float:
    """Returns the height of the highest stripe between blocks that no block reaches into."""
    spans = sorted((y, y + outlines[name].height) for name, (_, y) in places.items())
    bottoms = itertools.accumulate((end for _, end in spans), max)
    return max((top - bottom for bottom, (top, _) in zip(bottoms, spans[1:], strict=False)), default=0.0)


@given(dags(with_frames=False))
def test_no_stripe_across_a_page_is_empty_and_high(page: Page) -> None:
    outlines = outlines_of(page)
    # Parts may stand below each other, and wires on their way side by side.
    room = max(PART_GAP, ROW_GAP + 2 * LANE_MARGIN * len(page.wires)) + GRID
    assert highest_stripe(arrange(page, outlines), outlines) <= room


@pytest.mark.long
def test_no_stripe_across_a_recorded_graph_is_empty_and_high() -> None:
    for name in recorded_graphs():
        page = graph_of_recording(load_recording("graphs", name)).pages[0]
        if len(page.blocks) <= 40:
            assert highest_stripe(arrange(page, outlines_of(page)), outlines_of(page)) <= 6 * ROW_GAP, name


@given(dags())
def test_every_wire_goes_right(page: Page) -> None:
    outlines = outlines_of(page)
    places = arrange(page, outlines)
    for wire in page.wires.values():
        source, target = wire.source.block, wire.target.block
        assert places[source][0] + outlines[source].width + COLUMN_GAP <= places[target][0]


@given(dags(), rooms)
def test_bands_keep_blocks_apart(page: Page, room: tuple[float, float]) -> None:
    outlines = outlines_of(page)
    places = arrange(page, outlines, room=room)
    assert places.keys() == page.blocks.keys()
    # Parts that no wire joins may stand closer than the columns of one.
    gap = min(NUMBER_GAP, PART_GAP)
    assert all(keep_their_gaps(a, b, places, outlines, gap) for a, b in combinations(places, 2))


@given(dags(), rooms)
def test_a_wire_goes_right_or_to_a_band_below(page: Page, room: tuple[float, float]) -> None:
    outlines = outlines_of(page)
    places = arrange(page, outlines, room=room)
    for wire in page.wires.values():
        (left, top), (x, y) = places[wire.source.block], places[wire.target.block]
        width, height, *_ = outlines[wire.source.block]
        assert left + width + NUMBER_GAP <= x or top + height + ROW_GAP <= y


@given(st.integers(1, 25))
def test_a_chain_of_25_blocks_is_read_whole_on_a_laptop(count: int) -> None:
    page = page_of(count, [(row, row + 1) for row in range(count - 1)])
    places = arrange(page, even(page), room=CANVAS)
    right, bottom = max(x for x, _ in places.values()) + 160, max(y for _, y in places.values()) + 96
    assert min(CANVAS[0] / right, CANVAS[1] / bottom) >= 0.58


def test_a_chain_that_fits_in_one_line_stays_in_it() -> None:
    page = page_of(4, [(0, 1), (1, 2), (2, 3)])
    assert {y for _, y in arrange(page, even(page), room=CANVAS).values()} == {0}


def test_a_long_chain_goes_on_below_its_beginning() -> None:
    page = page_of(8, [(row, row + 1) for row in range(7)])
    places = arrange(page, even(page), room=CANVAS)
    columns = [places[f"b{row}"][0] for row in range(8)]
    assert columns[:4] == columns[4:] == sorted(columns[:4])
    assert [places[f"b{row}"][1] for row in range(8)] == [0] * 4 + [places["b4"][1]] * 4


@given(dags(), st.none() | rooms)
def test_frames_lie_apart_and_hold_only_their_own(page: Page, room: tuple[float, float] | None) -> None:
    outlines = outlines_of(page)
    rects: dict[str, Rect] = {
        name: (*at, outlines[name].width, outlines[name].height)
        for name, at in arrange(page, outlines, room=room).items()
    }
    held: dict[str, set[str]] = {}
    drawn: dict[str, Rect] = {}
    for frame in page.frames:  # inner frames come first
        held[frame.id] = set(frame.blocks).union(*(held[inner] for inner in frame.frames))
        inside = [drawn[inner] for inner in frame.frames if inner in drawn]
        if inside or frame.blocks:
            drawn[frame.id] = around(inside + [rects[name] for name in frame.blocks])
    for frame_id, box in drawn.items():
        assert all(apart(box, rect) for name, rect in rects.items() if name not in held[frame_id])
    for one, other in combinations(drawn, 2):
        assert held[one] & held[other] or apart(drawn[one], drawn[other])


@given(dags(with_frames=False))
def test_a_page_without_places_begins_at_0_0_with_columns_on_the_grid(page: Page) -> None:
    places = arrange(page, outlines_of(page)).values()
    assert all(x % GRID == 0 for x, _ in places)
    assert not places or (min(x for x, _ in places), min(y for _, y in places)) == (0, 0)


@given(dags())
def test_the_same_page_comes_out_the_same(page: Page) -> None:
    assert arrange(page, outlines_of(page)) == arrange(page, outlines_of(page))


@given(dags(), st.lists(corners, min_size=24, max_size=24), st.booleans(), st.none() | rooms)
def test_arranging_twice_moves_nothing(
    page: Page, at: list[tuple[int, int]], with_note: bool, room: tuple[float, float] | None
) -> None:
    page = placed(page, dict(zip(page.blocks, at, strict=False)))
    if with_note:
        page = dataclasses.replace(page, notes=(Note("n", "read me", (0, 0), (200, 100)),))
    outlines = outlines_of(page)
    once = arrange(page, outlines, room=room)
    assert arrange(placed(page, once), outlines, room=room) == once


@given(dags(), st.lists(corners, min_size=24, max_size=24), st.sets(st.integers(0, 23)))
def test_arranging_a_selection_twice_moves_nothing(page: Page, at: list[tuple[int, int]], numbers: set[int]) -> None:
    page = placed(page, dict(zip(page.blocks, at, strict=False)))
    chosen = {f"b{number}" for number in numbers}
    once = arrange(page, outlines_of(page), chosen)
    assert once.keys() == chosen & page.blocks.keys()
    assert arrange(placed(page, once), outlines_of(page), chosen) == once


@pytest.mark.long
@given(dags(), st.lists(corners, min_size=24, max_size=24), st.integers(-40, 40), st.integers(-40, 40))
def test_a_page_elsewhere_comes_out_the_same_there(page: Page, at: list[tuple[int, int]], x: int, y: int) -> None:
    page = placed(page, dict(zip(page.blocks, at, strict=False)))
    way = (x * 2 * GRID, y * 2 * GRID)
    elsewhere = placed(page, {name: (a + way[0], b + way[1]) for name, (a, b) in zip(page.blocks, at, strict=False)})
    moved = {name: (a + way[0], b + way[1]) for name, (a, b) in arrange(page, outlines_of(page)).items()}
    assert arrange(elsewhere, outlines_of(page)) == moved


@given(dags(), st.lists(corners, min_size=24, max_size=24), st.sets(st.integers(0, 23), min_size=2))
def test_a_selection_overlaps_nothing_else(page: Page, at: list[tuple[int, int]], numbers: set[int]) -> None:
    page = placed(page, dict(zip(page.blocks, at, strict=False)))
    outlines = outlines_of(page)
    chosen = arrange(page, outlines, {f"b{number}" for number in numbers})
    rest = {block.id: block.at for block in page.blocks.values() if block.id not in chosen and block.at is not None}
    for a, place in chosen.items():
        for b, other in rest.items():
            assert apart((*place, *outlines[a][:2]), (*other, *outlines[b][:2]))


def test_the_chosen_blocks_stay_around_their_centre() -> None:
    page = column(page_of(4, [(0, 1), (1, 2)]), "b0", "b1")
    places = arrange(page, even(page), ["b0", "b1"])
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    assert abs((min(xs) + max(xs) + 160) / 2 - 1080) <= GRID / 2
    assert abs((min(ys) + max(ys) + 96) / 2 - 648) <= GRID / 2


def layers_of(count: int, ends: Ends) -> Layers:
    layers = Layers()
    for rank in ranked(count, ends):
        layers.add(rank, 60.0, 24.0)
    layers.edges += [Edge(*pair, 30.0, 30.0) for pair in ends]
    return layers


def test_a_planar_graph_is_drawn_without_crossings() -> None:
    # Two ladders with their rungs in the worst order, joined at both ends.
    ends = [(0, 8), (0, 1), (1, 3), (8, 6), (6, 5), (3, 4), (5, 7), (4, 7)]
    part = layers_of(9, ends)
    assert order_layers(part) == 0


@pytest.mark.parametrize(
    ("count", "ends"),
    [
        (8, [(0, 1), (0, 4), (0, 7), (1, 5), (2, 7), (3, 4)]),
        (8, [(0, 1), (0, 7), (1, 3), (2, 4), (2, 7), (6, 7)]),
        (9, [(0, 3), (0, 5), (0, 6), (2, 3), (4, 6), (6, 8)]),
    ],
)
def test_a_tree_that_the_first_search_draws_with_crossings_is_drawn_without(count: int, ends: Ends) -> None:
    assert order_layers(layers_of(count, ends)) == 0


def test_crossings_of_a_complete_bipartite_graph_are_counted() -> None:
    """K(3,3) in two layers has 9 crossings, whatever the order: 3 pairs above times 3 pairs below."""
    part = layers_of(6, [(a, 3 + b) for a in range(3) for b in range(3)])
    assert order_layers(part) == count_crossings(part) == 9


def test_sources_stand_in_the_order_of_the_ports() -> None:
    made = {name: Block(name, "Input") for name in ("last", "first")} | {"z": Block("z", "Subtract")}
    ends = [("last", "y"), ("first", "x")]
    wires = {Port("z", port): Wire(Port(name, "y"), Port("z", port)) for name, port in ends}
    page = Page("main", made, wires)
    places = arrange(page, even(page))
    assert places["first"][1] < places["last"][1]


def test_a_trunk_with_variables_is_straight() -> None:
    page = page_of(7, [(0, 1), (4, 1), (1, 2), (5, 2), (2, 3), (6, 3)])
    places = arrange(page, even(page))
    assert len({places[name][1] for name in ("b1", "b2", "b3")}) == 1
    assert [places[f"b{n}"][0] for n in (4, 5, 6)] == [places[f"b{n}"][0] for n in (0, 1, 2)]


def test_a_wire_into_a_lower_port_is_straight_where_there_is_room() -> None:
    page = Page(
        "main",
        {"a": Block("a", "Input"), "b": Block("b", "Subtract")},
        {Port("b", "y"): Wire(Port("a", "z"), Port("b", "y"))},
    )
    places = arrange(page, even(page))
    assert places["a"][1] + 44 == places["b"][1] + 64


def test_a_chain_of_variables_stands_next_to_its_user() -> None:
    # The wire from b5 -> b6 enters the end of a long chain, so both stand right before that.
    page = page_of(7, [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6), (6, 4)])
    places = arrange(page, even(page))
    assert (places["b5"][0], places["b6"][0]) == (places["b2"][0], places["b3"][0])


def test_separate_parts_do_not_mix() -> None:
    page = page_of(7, [(0, 1), (2, 3), (3, 4)])
    outlines = outlines_of(page)
    places = arrange(page, outlines)

    def box(*names: str) -> Rect:
        left, top = min(places[name][0] for name in names), min(places[name][1] for name in names)
        right = max(places[name][0] + outlines[name].width for name in names) + PART_GAP - GRID
        bottom = max(places[name][1] + outlines[name].height for name in names) + PART_GAP - GRID
        return left, top, right - left, bottom - top

    parts = [box("b0", "b1"), box("b2", "b3", "b4"), box("b5", "b6")]
    assert all(apart(a, b) for a, b in combinations(parts, 2))


def test_a_frame_of_which_a_part_is_chosen_does_not_count() -> None:
    page = page_of(3, [(0, 1), (1, 2)], (Frame("f", blocks=("b0", "b2")),))
    page = placed(page, {"b0": (0, 0), "b1": (0, 200), "b2": (4000, 4000)})
    assert arrange(page, even(page), ["b0", "b1"]).keys() == {"b0", "b1"}


def test_frames_that_hold_each_other_are_arranged_all_the_same() -> None:
    frames = (Frame("f", blocks=("b0",), frames=("g",)), Frame("g", blocks=("b1",), frames=("f", "g")))
    page = page_of(3, [(0, 1), (1, 2)], frames)
    assert len(set(arrange(page, even(page)).values())) == 3


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_page_without_wires_is_arranged(count: int) -> None:
    page = page_of(count, [])
    assert len(set(arrange(page, even(page)).values())) == count


def test_wires_in_a_circle_leave_one_that_goes_left() -> None:
    ends = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 3)]
    page = page_of(4, ends)
    places = arrange(page, even(page))
    assert sum(places[f"b{a}"][0] >= places[f"b{b}"][0] for a, b in ends if a != b) == 1


def test_surplus_wires_count_too() -> None:
    page = dataclasses.replace(page_of(2, []), surplus=(Wire(Port("b0", "z"), Port("b1", "values_0")),))
    assert arrange(page, outlines_of(page))["b1"][0] > 0


def test_wires_to_blocks_that_are_not_there_are_left_alone() -> None:
    page = dataclasses.replace(page_of(1, []), surplus=(Wire(Port("nobody", "z"), Port("b0", "values_0")),))
    assert arrange(page, outlines_of(page)) == {"b0": (0, 0)}


@pytest.fixture
def shallow_stack() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth + 60)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.long
@pytest.mark.usefixtures("shallow_stack")
def test_a_long_chain_needs_no_recursion() -> None:
    count = 5_000
    page = page_of(count, [(row, row + 1) for row in range(count - 1)])
    outline = Outline(160.0, 96.0)
    places = arrange(page, dict.fromkeys(page.blocks, outline))
    assert {y for _, y in places.values()} == {0}
    assert places["b4999"][0] == 4_999 * up(160 + COLUMN_GAP)


def test_wires_past_a_thousand_layers_are_arranged() -> None:
    page = page_of(1000, [(row, row + 1) for row in range(999)] + [(0, row) for row in range(2, 1000)])
    assert len(arrange(page, outlines_of(page))) == 1000


@given(st.lists(st.tuples(*[st.integers(0, 300)] * 2, *[st.integers(1, 90)] * 2), min_size=2, max_size=8))
def test_the_smallest_shift_leaves_room(rects: list[Rect]) -> None:
    moving, fixed = rects[: len(rects) // 2], rects[len(rects) // 2 :]
    dx, dy = smallest_shift(moving, fixed, GRID, gap=0.0)
    assert dx % GRID == dy % GRID == 0
    assert all(apart((a[0] + dx, a[1] + dy, a[2], a[3]), b) for a in moving for b in fixed)


@given(st.lists(st.tuples(*[st.integers(0, 90)] * 2, *[st.integers(1, 60)] * 2), min_size=2, max_size=5))
def test_no_shorter_shift_leaves_room(rects: list[Rect]) -> None:
    moving, fixed = rects[:1], rects[1:]
    length = sum(map(abs, smallest_shift(moving, fixed, GRID, gap=0.0)))
    (x, y, width, height) = moving[0]
    for way in range(0, length, GRID):
        for dx, dy in ((way, 0), (-way, 0), (0, way), (0, -way)):
            assert not all(apart((x + dx, y + dy, width, height), other) for other in fixed)


numbers = st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 5)), min_size=1, max_size=6)


@given(numbers)
def test_rows_in_order_are_as_near_as_can_be_to_the_wanted_ones(pairs: list[tuple[int, int]]) -> None:
    """Linear programming: x and the distances d, with x in order and d at least x - w and w - x."""
    count, wanted, weights = len(pairs), [value for value, _ in pairs], [weight for _, weight in pairs]
    eye, zeros = np.eye(count), np.zeros((count - 1, count))
    below = np.block([[eye, -eye], [-eye, -eye], [eye[:-1] - eye[1:], zeros]])
    limits = [*wanted, *(-value for value in wanted), *[0] * (count - 1)]
    best = linprog([0] * count + weights, below, limits, bounds=(None, None))
    found = isotonic(wanted, weights)
    assert found == sorted(found) and set(found) <= set(wanted)
    distance = sum(weight * abs(x - value) for x, (value, weight) in zip(found, pairs, strict=True))
    assert distance == pytest.approx(best.fun)


@given(numbers)
def test_a_weighted_median_is_the_lowest_of_the_nearest_numbers(pairs: list[tuple[int, int]]) -> None:
    def distance(number: int) -> int:
        return sum(weight * abs(number - value) for value, weight in pairs)

    assert median(sorted(pairs)) == min((value for value, _ in pairs), key=lambda value: (distance(value), value))


@given(dags(), st.none() | rooms)
def test_a_page_begins_at_0(page: Page, room: tuple[float, float] | None) -> None:
    places = arrange(page, outlines_of(page), room=room)
    if places and not page.frames:
        assert (min(x for x, _ in places.values()), min(y for _, y in places.values())) == (0, 0)


@given(dags())
def test_frames_of_separate_parts_lie_apart(page: Page) -> None:
    """A second page beside the first one on the same canvas: none of its frames touches a block of the other."""
    outlines = outlines_of(page)
    places = arrange(page, outlines)
    part = dict(zip(page.blocks, itertools.count(), strict=False))
    while (joined := {**part, **{name: min(part[a], part[b]) for a, b in joints(page) for name in (a, b)}}) != part:
        part = joined
    for frame in page.frames:
        members = held_by(page, frame)
        if members:
            rect = around([(*places[name], *outlines[name][:2]) for name in members])
            strangers = [name for name in places if part[name] not in {part[member] for member in members}]
            assert all(apart(rect, (*places[name], *outlines[name][:2])) for name in strangers)


def joints(page: Page) -> list[tuple[str, str]]:
    """Returns blocks that a wire joins, and those that a frame holds together."""
    wired = [(wire.source.block, wire.target.block) for wire in page.wires.values()]
    return wired + [pair for frame in page.frames for pair in itertools.pairwise(held_by(page, frame))]


def held_by(page: Page, frame: Frame) -> list[str]:
    """Returns the blocks in a frame and in those that it holds."""
    inner = [item for item in page.frames if item.id in frame.frames]
    return [*frame.blocks, *(name for item in inner for name in held_by(page, item))]
