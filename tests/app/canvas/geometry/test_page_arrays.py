"""Questions to a page of a few rectangles and wires, made by hand, at the edges of their answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from gradwire.app.canvas.geometry.hit_tests import (
    block_at,
    frame_at,
    note_at,
    port_at,
    slider_at,
    wire_at,
    wires_crossed,
    wires_in,
)
from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.shapes import BlockShape, Body, PortShape
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.geometry.view.extent import extent, hover_area, is_used
from gradwire.app.canvas.geometry.view.readable_zoom import least_whole_zoom, readable_zoom
from gradwire.app.live.session import Selection
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Port, Wire

PORTS = (PortShape("x", True, 0.0, 40.0, None, True), PortShape("y", False, 100.0, 40.0, None, True))


def shape(width: float, height: float, sliders: int = 0) -> BlockShape:
    body = Body.SLIDERS if sliders else Body.NONE
    return BlockShape(None, "", "", "", width, height, PORTS, body, QRectF(10, 50, 80, 40), sliders)


def page(
    *rects: tuple[float, float, float, float], joins: Sequence[tuple[int, int]] = (), sliders: int = 0
) -> PageArrays:
    """A page with blocks a, b, c ... at some places, and wires straight from one to another."""
    arrays = PageArrays()
    arrays.ids = [chr(ord("a") + row) for row in range(len(rects))]
    arrays.rows = {name: row for row, name in enumerate(arrays.ids)}
    arrays.rects = np.array(rects, float).reshape(-1, 4)
    arrays.shapes = [shape(width, height, sliders) for _, _, width, height in rects]
    arrays.joins = np.array(joins, np.int64).reshape(-1, 2)
    arrays.wires = [Wire(Port(arrays.ids[one], "y"), Port(arrays.ids[other], "x")) for one, other in joins]
    arrays.wire_rows = {wire: row for row, wire in enumerate(arrays.wires)}
    points = [
        np.linspace((rects[one][0] + rects[one][2], rects[one][1] + 40), (rects[other][0], rects[other][1] + 40), 6)
        for one, other in joins
    ]
    arrays.points = np.array(points, float).reshape(-1, 6, 2)
    arrays.wire_boxes = np.concatenate([arrays.points.min(axis=1), arrays.points.max(axis=1)], axis=1).reshape(-1, 4)
    arrays.block_stamps = np.zeros(len(rects), np.int64)
    arrays.wire_stamps = np.zeros(len(joins), np.int64)
    return arrays


A, B, C = (0, 0, 100, 80), (300, 0, 100, 80), (0, 200, 50, 30)


@pytest.fixture
def three() -> PageArrays:
    return page(A, B, C, joins=[(0, 1)])


# Magnitudes


@pytest.mark.parametrize(
    ("norms", "statuses", "low"),
    [
        ([0.5, 0.2], [Status.FLOW, Status.FLOW], 0.2),
        ([0.5, 0.001], [Status.FLOW, Status.FLOW], 0.01),  # two decades below the top of 1
        ([0.5, 0.2], [Status.FLOW, Status.BLOCKED], 0.5),
        ([0.5, 0.0], [Status.FLOW, Status.FLOW], 0.5),
        ([3.0, 2.0], [Status.FLOW, Status.FLOW], 1.0),  # never above the top
        ([0.5], [Status.ZERO], 0.01),
        ([], [], 0.01),
    ],
)
def test_the_scale_ends_at_the_smallest_gradient_that_flows(
    norms: list[float], statuses: list[Status], low: float
) -> None:
    arrays = PageArrays()
    arrays.wire_norm = np.array(norms)
    arrays.wire_status = np.array([STATUS_ROW[status] for status in statuses], np.uint8)
    assert arrays.low == pytest.approx(low)


# Bounds


def test_bounds_are_around_some_blocks_or_all_that_there_is(three: PageArrays) -> None:
    assert three.bounds(frozenset("a")) == QRectF(0, 0, 100, 80)
    assert three.bounds(frozenset("bc")) == QRectF(0, 0, 400, 230)
    assert three.bounds(frozenset(["gone"])).isNull() and PageArrays().bounds().isNull()
    assert three.bounds(frozenset("abc")) == three.block_bounds() == QRectF(0, 0, 400, 230)
    three.frames["f"], three.notes["n"] = QRectF(-50, 10, 20, 20), QRectF(0, 300, 500, 10)
    assert three.bounds() == QRectF(-50, 0, 550, 310)
    three.wire_boxes = np.array([[90.0, -70.0, 600.0, 40.0]])
    assert three.bounds() == QRectF(-50, -70, 650, 380)
    assert three.block_bounds() == QRectF(0, 0, 400, 230)


def test_bounds_follow_rectangles_and_their_geometry(three: PageArrays) -> None:
    assert three.block_bounds().right() == 400
    three.rects[1, 0] = 500
    three.geometry += 1
    assert three.block_bounds().right() == 600
    three.rects = three.rects[:1]
    assert three.block_bounds() == QRectF(0, 0, 100, 80)


def test_very_many_wires_count_by_their_blocks_alone(three: PageArrays) -> None:
    three.wire_boxes = np.array([[0.0, -70.0, 1.0, 40.0]])
    for count, top in ((1999, -70), (2000, 0)):
        three.wires = three.wires[:1] * count
        assert three.bounds().top() == top


@pytest.mark.parametrize("part", ["ids", "notes", "frames"])
def test_a_page_is_empty_only_without_blocks_notes_and_frames(part: str) -> None:
    arrays = PageArrays()
    assert arrays.is_empty
    setattr(arrays, part, {"ids": ["a"]}.get(part, {"a": QRectF()}))
    assert not arrays.is_empty


def test_an_area_is_used_by_whatever_lies_in_it(three: PageArrays) -> None:
    assert is_used(three, QRectF(90, 70, 20, 20))
    assert not is_used(three, QRectF(100, 80, 20, 20))
    assert is_used(three, QRectF(200, 30, 20, 20))  # the wire
    assert not is_used(three, QRectF(200, 41, 20, 20))
    three.notes["n"], three.frames["f"] = QRectF(1000, 0, 10, 10), QRectF(1000, 100, 10, 10)
    assert is_used(three, QRectF(1005, 5, 90, 90)) and is_used(three, QRectF(1005, 95, 90, 90))
    assert not is_used(three, QRectF(1011, 5, 90, 90))


def test_the_extent_of_a_selection_is_around_its_items_that_are_there(three: PageArrays) -> None:
    wire = three.wires[0]
    three.frames["f"], three.notes["n"] = QRectF(-50, 10, 20, 20), QRectF(0, 300, 500, 10)
    gone = Wire(Port("a", "y"), Port("c", "x"))
    assert extent(three, Selection()).isNull()
    assert extent(three, Selection(frozenset("c"))) == QRectF(0, 200, 50, 30)
    assert extent(three, Selection(wires=frozenset([gone]))).isNull()
    assert extent(three, Selection(frozenset("c"), frozenset([wire, gone]))) == QRectF(0, 40, 300, 190)
    assert extent(three, Selection(frames=frozenset(["f", "gone"]))) == QRectF(-50, 10, 20, 20)
    assert extent(three, Selection(notes=frozenset(["n", "gone"]))) == QRectF(0, 300, 500, 10)


def test_a_hovered_item_changes_its_surroundings(three: PageArrays) -> None:
    """By the reach of a port's ring, and of what is joined to a block."""
    assert hover_area(three, Target()).isNull()
    assert hover_area(three, Target(port=(Port("b", "x"), True))) == QRectF(286, 26, 28, 28)
    assert hover_area(three, Target(port=(Port("b", "none"), True))).isNull()
    assert hover_area(three, Target(block="c")) == QRectF(-14, 186, 78, 58)
    assert hover_area(three, Target(block="a")) == QRectF(-14, -14, 328, 108)
    assert hover_area(three, Target(wire=three.wires[0])) == QRectF(86, 26, 228, 28)
    assert hover_area(three, Target(block="gone")).isNull()


# What is in view


@pytest.mark.parametrize(
    ("rect", "seen"),
    [
        (QRectF(108.5, 0, 10, 10), ""),
        (QRectF(107.5, 0, 10, 10), "a"),
        (QRectF(-18.5, 0, 10, 10), ""),
        (QRectF(-17.5, 0, 10, 10), "a"),
        (QRectF(10, 88.5, 10, 10), ""),
        (QRectF(10, 87.5, 10, 10), "a"),
        (QRectF(10, -18.5, 10, 10), ""),
        (QRectF(10, -17.5, 10, 10), "a"),
        (QRectF(0, 0, 300, 200), "abc"),
    ],
)
def test_blocks_in_view_reach_8_px_beyond_their_rectangle(three: PageArrays, rect: QRectF, seen: str) -> None:
    assert "".join(three.ids[row] for row in three.visible_blocks(rect)) == seen


@pytest.mark.parametrize(
    ("rect", "is_seen"),
    [
        (QRectF(324, 20, 10, 10), True),
        (QRectF(325, 20, 10, 10), False),
        (QRectF(66, 20, 10, 10), True),
        (QRectF(65, 20, 10, 10), False),
        (QRectF(200, 64, 10, 10), True),
        (QRectF(200, 65, 10, 10), False),
        (QRectF(200, 6, 10, 10), True),
        (QRectF(200, 5, 10, 10), False),
    ],
)
def test_wires_in_view_reach_24_px_beyond_their_line(three: PageArrays, rect: QRectF, is_seen: bool) -> None:
    assert list(three.visible_wires(rect)) == [0] * is_seen


def test_in_the_empty_corner_of_a_wires_box_it_is_not_seen() -> None:
    arrays = page(A, (600, 400, 100, 80), joins=[(0, 1)])
    arrays.points[0] = [(100, 40), (500, 40), (500, 40), (500, 440), (500, 440), (600, 440)]
    assert list(arrays.visible_wires(QRectF(150, 300, 50, 50))) == []
    assert list(arrays.visible_wires(QRectF(150, 30, 50, 50))) == [0]
    assert list(arrays.visible_wires(QRectF(0, 0, 900, 900))) == [0]


def test_areas_of_blocks_have_room_for_badges_rings_and_tags(three: PageArrays) -> None:
    everything = QRectF(-1000, -1000, 3000, 3000)
    area = [-34, -34, 134, 114]
    assert three.areas([0], [0], everything).tolist() == [area, [100, 40, 300, 40]]
    assert three.areas([0], [0], QRectF(134, 50, 1, 1)).tolist() == [area]
    assert three.areas([0], [0], QRectF(135, 50, 1, 1)).tolist() == []
    assert three.areas([0], [0], QRectF(50, -36, 1, 1)).tolist() == []
    assert three.areas([0], [0], QRectF(50, -35, 1, 1)).tolist() == [area]


def test_only_rows_with_a_later_stamp_have_changed(three: PageArrays) -> None:
    three.stamp(1)
    three.stamp(2)
    three.wire_stamps[0] = 2
    everything = QRectF(-1000, -1000, 3000, 3000)
    assert three.tick == 2
    for tick, blocks, wires in ((0, [1, 2], [0]), (1, [2], [0]), (2, [], [])):
        assert [rows.tolist() for rows in three.changed_since(tick, everything)] == [blocks, wires]
    assert [rows.tolist() for rows in three.changed_since(0, QRectF(0, 263, 10, 10))] == [[2], []]
    assert [rows.tolist() for rows in three.changed_since(0, QRectF(0, 265, 10, 10))] == [[], []]


def test_wires_of_blocks_are_those_at_either_end() -> None:
    arrays = page(A, B, C, joins=[(0, 1), (1, 2), (0, 2)])
    arrays.joins = np.vstack([arrays.joins, [(-1, 0)]])
    assert arrays.wires_of(frozenset("a")) == [0, 2, 3]
    assert arrays.wires_of(frozenset("b")) == [0, 1]
    assert arrays.wires_of(frozenset("bc")) == [0, 1, 2]
    assert arrays.wires_of(frozenset(["gone"])) == []


# What is at a point


def test_a_port_is_found_within_its_reach_the_nearest_first(three: PageArrays) -> None:
    assert port_at(three, QPointF(112, 40)) == (Port("a", "y"), False)
    assert port_at(three, QPointF(113, 40)) is None
    assert port_at(three, QPointF(113, 40), 24) == (Port("a", "y"), False)
    assert port_at(three, QPointF(50, 40), 60) in ((Port("a", "x"), True), (Port("a", "y"), False))
    assert port_at(three, QPointF(49, 40), 60) == (Port("a", "x"), True)
    assert port_at(three, QPointF(51, 40), 60) == (Port("a", "y"), False)
    assert port_at(three, QPointF(51, 40), 60, is_input=True) == (Port("a", "x"), True)
    assert port_at(three, QPointF(49, 40), 60, is_input=False) == (Port("a", "y"), False)
    assert port_at(three, QPointF(300, 45), is_input=False) is None


@pytest.mark.parametrize(
    ("point", "found"),
    [((0, 0), "a"), ((100, 80), "a"), ((100.5, 80), None), ((0, 80.5), None), ((-0.5, 0), None), ((0, -0.5), None)],
)
def test_a_block_is_at_every_point_of_its_rectangle(
    three: PageArrays, point: tuple[float, float], found: str | None
) -> None:
    assert block_at(three, QPointF(*point)) == found


def test_of_blocks_above_each_other_the_topmost_is_at_a_point() -> None:
    assert block_at(page(A, A, B), QPointF(50, 50)) == "b"


def test_a_wire_is_found_within_7_px_of_its_line(three: PageArrays) -> None:
    (wire,) = three.wires
    for point, found in (((200, 47), wire), ((200, 48), None), ((307, 40), wire), ((308, 40), None), ((93, 40), wire)):
        assert wire_at(three, QPointF(*point)) == found
    assert wire_at(three, QPointF(200, 48), 8) == wire
    assert wire_at(three, QPointF(200, 40), apart=frozenset("b")) is None
    assert wire_at(three, QPointF(200, 40), apart=frozenset("c")) == wire


def test_wires_in_a_rectangle_lie_there_wholly(three: PageArrays) -> None:
    for rect, count in (
        (QRectF(100, 40, 200, 0.5), 1),
        (QRectF(100.5, 40, 200, 0.5), 0),
        (QRectF(100, 40, 199.5, 0.5), 0),
        (QRectF(100, 40.5, 200, 9), 0),
        (QRectF(100, 30, 200, 9.5), 0),
    ):
        assert wires_in(three, rect) == three.wires[:count]


def test_a_line_crosses_wires_on_its_way(three: PageArrays) -> None:
    assert wires_crossed(three, QPointF(200, 30), QPointF(200, 50)) == three.wires
    assert wires_crossed(three, QPointF(200, 30), QPointF(200, 39)) == []
    assert wires_crossed(three, QPointF(50, 30), QPointF(60, 50)) == []


def test_a_frame_is_held_by_its_title_the_innermost_first(three: PageArrays) -> None:
    three.frames = {"outer": QRectF(0, 0, 500, 300), "inner": QRectF(10, 5, 100, 50), "alike": QRectF(0, 100, 500, 300)}
    assert frame_at(three, QPointF(20, 10)) == "inner"
    assert frame_at(three, QPointF(5, 10)) == "outer"
    assert frame_at(three, QPointF(300, 26)) == "outer"
    assert frame_at(three, QPointF(300, 27)) is None
    assert frame_at(three, QPointF(20, 31)) == "inner"
    assert frame_at(three, QPointF(501, 10)) is None


def test_a_note_is_at_every_point_of_it(three: PageArrays) -> None:
    three.notes["n"] = QRectF(0, 0, 10, 10)
    assert (note_at(three, QPointF(10, 10)), note_at(three, QPointF(11, 10))) == ("n", None)


def test_a_slider_is_its_share_of_the_body() -> None:
    arrays = page((0, 0, 100, 100), (200, 0, 100, 100), sliders=4)
    assert [slider_at(arrays, QPointF(200 + x, 60)) for x in (9, 11, 29, 31, 89, 91)] == [
        None, ("b", 0), ("b", 0), ("b", 1), ("b", 3), None,
    ]  # fmt: skip
    assert slider_at(arrays, QPointF(230, 45)) is None
    assert slider_at(arrays, QPointF(150, 60)) is None


# Zoom


def columns(count: int, gap: float, height: float = 80.0) -> PageArrays:
    """A row of blocks, each joined to the next, `gap` px apart."""
    rects = [(place * (100 + gap), 0.0, 100.0, height) for place in range(count)]
    arrays = page(*rects)
    arrays.joins = np.array([(row, row + 1) for row in range(count - 1)], np.int64).reshape(-1, 2)
    return arrays


@pytest.mark.parametrize(
    ("arrays", "zoom"),
    [
        (columns(1, 0), 0.4),
        (columns(5, 84), 0.5),  # half the size leaves 42 px for a number
        (columns(5, 105), 0.4),
        (page((1000, 30, 60, 40), (1144, 200, 60, 40), joins=[(0, 1)]), 0.5),
        (columns(5, 60), 0.6),
        # Half the size leaves 62 px for a name between the middles of blocks beside each other.
        (page((124, 0, 100, 80), (0, 39, 100, 80), joins=[(0, 1)]), 0.5),
        (page((124, 0, 100, 80), (0, 40, 100, 80), joins=[(0, 1)]), 0.4),
        (page((124, 39, 100, 80), (0, 0, 100, 80), joins=[(0, 1), (-1, 0)]), 0.5),
        (page((0, 0, 100, 80), (0, 116, 100, 80)), 0.5),  # half the size leaves 18 px for a line of text
        (page((0, 0, 100, 80), (31, 116, 100, 80)), 0.5),
        (page((0, 0, 100, 80), (32, 116, 100, 80)), 0.4),
        (page((0, 0, 100, 80), (200, 116, 100, 80)), 0.4),
        (page((0, 0, 100, 80), (200, 50, 100, 80), (0, 116, 100, 80), (200, 166, 100, 80)), 0.5),
    ],
)
def test_a_zoom_is_readable_where_half_of_the_gaps_have_room(arrays: PageArrays, zoom: float) -> None:
    assert readable_zoom(arrays) == pytest.approx(zoom)


def test_a_page_of_few_blocks_is_shown_whole_from_a_lower_zoom_on() -> None:
    assert least_whole_zoom(columns(40, 60)) == 0.27
    assert least_whole_zoom(columns(41, 60)) == 0.6
