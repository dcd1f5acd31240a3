"""Places of labels: the spots of a wire, and which of them is taken, against a search one by one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QLineF, QPointF, QRectF

from gradwire.app.canvas.geometry.curves import curve
from gradwire.app.canvas.geometry.routing import Ends
from gradwire.app.canvas.painting.labels.label_layout import LabelLayout, Wanted
from gradwire.app.canvas.painting.labels.label_places import Surroundings, _Spots, find_place, hits, leader_end
from gradwire.app.canvas.painting.labels.labels import Form, GradientText, Label, Placed, Pose, row_boxes
from gradwire.engine.autodiff.status import Status

pytestmark = pytest.mark.usefixtures("qapp")
NONE = np.zeros((0, 4))
BOTH = Label("2.135", GradientText("0 blocked", Status.BLOCKED, is_boxed=True, number="0"), "2.1")
ALONE = Label("2.135 7.25", None, "2.1 7.2")
TWO_ROWS = (Pose.ACROSS, Pose.ABOVE, Pose.BELOW, Pose.OVER, Pose.UNDER, Pose.RIGHT, Pose.LEFT)
ONE_ROW = (Pose.ABOVE, Pose.BELOW, Pose.RIGHT, Pose.LEFT)
Box = tuple[float, ...]


def wire(*corners: tuple[float, float]) -> np.ndarray:
    return np.array([*corners, *[corners[-1]] * (6 - len(corners))], float)


def boxes_of(placed: Placed, scale: float) -> list[Box]:
    return [tuple(box) for box in placed._replace(widths=placed.label.widths(placed.form)).rects(scale)]


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def is_free(box: Box, around: Surroundings) -> bool:
    """Whether a box covers no rectangle, and no line with 3 px around it."""
    thick = [
        (min(x, u) - 3, min(y, v) - 3, max(x, u) + 3, max(y, v) + 3) for x, y, u, v in np.array(around.lines).tolist()
    ]
    return not any(overlap(box, tuple(other)) for other in [*around.rects.tolist(), *thick])


# The spots of a wire


@pytest.mark.parametrize(
    ("length", "steps"),
    [
        # A label of 60 px reaches from end to end of its run, or stands out over them by 16 px at most.
        (300, (0, -40, 40, -80, 80, -120, 120)),
        (96, (0, -6, 6, -12, 12, -18, 18)),
        (92, (0, -8, 8, -16, 16, -16, 16)),
        (40, (0, -8, 8, -16, 16, -16, 16)),
    ],
)
@pytest.mark.parametrize("pose", [Pose.ACROSS, Pose.OVER, Pose.UNDER])
def test_a_level_run_has_its_middle_and_places_to_both_sides(length: int, steps: Box, pose: Pose) -> None:
    found = _Spots(wire((100, 7), (100 + length, 7)), 1.0).for_pose(pose, (60, 50))
    assert found[:, 0] == pytest.approx([100 + length / 2 + step for step in steps]) and set(found[:, 1]) == {7}


def test_rows_side_by_side_need_the_room_of_both() -> None:
    spots = _Spots(wire((0, 0), (600, 0)), 2.0)
    for pose, widths, room in (
        (Pose.ABOVE, (60, 40), 200),
        (Pose.BELOW, (60, 40), 200),
        (Pose.ABOVE, (60, 0), 120),
        (Pose.BELOW, (0, 40), 80),
        (Pose.ACROSS, (40, 60), 120),
    ):
        assert spots.for_pose(pose, widths)[:, 0].max() == pytest.approx(600 - room / 2), pose


@pytest.mark.parametrize(("widths", "rows"), [((60, 40), 2), ((60, 0), 1), ((0, 40), 1)])
@pytest.mark.parametrize("pose", [Pose.RIGHT, Pose.LEFT])
def test_an_upright_run_has_places_above_and_below_its_middle(
    widths: tuple[float, float], rows: int, pose: Pose
) -> None:
    found = _Spots(wire((0, 0), (4, 0), (4, 200), (8, 200)), 2.0).for_pose(pose, widths)
    slack = (200 - 2 * 15 * rows) / 2
    assert set(found[:, 0]) == {4}
    assert found[:, 1] == pytest.approx([100 + slack * step / 3 for step in (0, -1, 1, -2, 2, -3, 3)])
    short = _Spots(wire((0, 0), (4, 0), (4, 24), (8, 24)), 2.0).for_pose(pose, widths)
    assert set(short[:, 1]) == {12}


@pytest.mark.parametrize(
    ("length", "scale", "is_there"), [(10, 1, True), (9.9, 1, False), (19.9, 2, False), (20, 2, True)]
)
def test_a_run_shorter_than_10_px_is_no_place(length: float, scale: float, is_there: bool) -> None:
    level = _Spots(wire((0, 0), (length, 0)), scale).for_pose(Pose.ACROSS, (10, 10))
    upright = _Spots(wire((0, 0), (0, length)), scale).for_pose(Pose.LEFT, (10, 10))
    assert (len(level) > 0, len(upright) > 0) == (is_there, is_there)


def test_the_longest_run_comes_first() -> None:
    spots = _Spots(wire((0, 0), (40, 0), (40, 90), (140, 90)), 1.0)
    assert spots.for_pose(Pose.ACROSS, (10, 10))[[0, 7]].tolist() == [[90, 90], [20, 0]]


def test_leaders_end_at_half_and_quarters_of_the_three_longest_pieces() -> None:
    points = np.array([(0, 0), (40, 0), (40, 80), (100, 80), (100, 85), (120, 85)], float)
    shares = (0.5, 0.25, 0.75)
    expected = [(40, 80 * s) for s in shares] + [(40 + 60 * s, 80) for s in shares] + [(40 * s, 0) for s in shares]
    assert _Spots(points, 1.0).anchors().tolist() == [list(at) for at in expected]
    # At twice the size a piece counts from 12 px on.
    short = _Spots(wire((0, 0), (12, 0), (12, 11.9), (30, 11.9)), 2.0).anchors()
    assert short.tolist() == [[21, 11.9], [16.5, 11.9], [25.5, 11.9], [6, 0], [3, 0], [9, 0]]


def test_leaders_to_a_curve_end_at_its_middle_and_halfway_from_there() -> None:
    bend = curve(Ends(*np.array([[0.0], [0], [300], [120], [0], [9], [0], [9]]), np.array([False])))[0]
    assert _Spots(bend, 1.0).anchors().tolist() == bend[[14, 7, 21]].tolist()
    assert not len(_Spots(bend, 1.0).for_pose(Pose.RIGHT, (10, 10)))


# What is in the way


def test_only_what_overlaps_is_hit() -> None:
    obstacle, spots = np.array([(10.0, 20, 30, 40)]), range(0, 48)
    boxes = np.array([(x, y, x + 4.0, y + 3.0) for x, y in itertools.product(spots, spots)])
    seen = [overlap(tuple(box), (10, 20, 30, 40)) for box in boxes.tolist()]
    assert hits(obstacle, boxes).tolist() == seen
    assert not hits(obstacle, np.array([(15.0, 30, 25, 30), (15, 31, 25, 30)])).any()
    assert not hits(NONE, boxes).any()


def test_lines_are_as_wide_as_a_wire() -> None:
    around = Surroundings.of(NONE, np.array([(40.0, 10, 0, 10)]))
    tops = np.array([13.0, 12.9, -7, -6.9])
    boxes = np.column_stack([np.full(4, 5.0), tops, np.full(4, 9.0), tops + 14])
    assert around.leave_free(boxes).tolist() == [True, False, True, False]


def meets(line: QLineF, rect: QRectF) -> bool:
    corners = [rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft()]
    sides = [QLineF(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    return rect.contains(line.p1()) or any(crosses(line, side) for side in sides)


def crosses(line: QLineF, other: QLineF) -> bool:
    return line.intersects(other)[0] == QLineF.IntersectionType.BoundedIntersection  # type: ignore[index, call-overload]


def test_leaders_count_the_lines_that_they_cross_and_stop_at_blocks() -> None:
    """Against Qt's own intersections, of lines in all directions and level or upright ones."""
    dice = np.random.default_rng(5)
    starts, ends = dice.uniform(0, 100, (2, 300, 2))
    ends[:60, 0], ends[60:120, 1] = starts[:60, 0], starts[60:120, 1]
    lines, corner = dice.uniform(0, 100, (12, 4)), dice.uniform(0, 90, (3, 2))
    rects = np.concatenate([corner, corner + dice.uniform(2, 14, (3, 2))], axis=1)
    found = Surroundings.of(rects, lines).crossings(starts, ends)
    for row, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        line = QLineF(QPointF(*start), QPointF(*end))
        crossed = sum(crosses(line, QLineF(*other)) for other in lines.tolist())
        is_shut = any(meets(line, QRectF(QPointF(x, y), QPointF(u, v))) for x, y, u, v in rects.tolist())
        assert found[row] == (math.inf if is_shut else crossed), row
    assert 30 < np.isinf(found).sum() < 200 and len(set(found)) > 4


def test_a_piece_of_no_length_is_crossed_by_nothing() -> None:
    around = Surroundings.of(NONE, np.array([(5.0, 0, 5, 0), (5, -1, 5, 1)]))
    assert around.crossings(np.array([(0.0, 0)]), np.array([(9.0, 0)])).tolist() == [1]


@pytest.mark.parametrize(
    ("way", "end"),
    [((0, 40), (0, 25)), ((0, -40), (0, -25)), ((50, 0), (20, 0)), ((-50, 9), (-20, 0)), ((50, 40), (20, 25))],
)
def test_a_leader_ends_at_the_nearest_edge(way: tuple[float, float], end: tuple[float, float]) -> None:
    assert leader_end(way, 30, 15) == end


def test_what_is_near_is_what_touches_a_rectangle_and_own_lines_can_be_left_out() -> None:
    rects, lines = np.array([(0.0, 0, 9, 9), (50, 50, 60, 60)]), np.array([(0.0, 20, 9, 20), (50, 70, 60, 70)])
    around = Surroundings.of(rects, lines)
    near = around.near(np.array([5.0, 5, 40, 40]))
    assert near.rects.tolist() == [[0, 0, 9, 9]] and near.lines.tolist() == [[0, 20, 9, 20]]
    assert near.outlines.tolist() == [[-3, 17, 12, 23]]
    rest = around.without_lines(lines[:1])
    assert rest.lines.tolist() == [[50, 70, 60, 70]] and rest.outlines.tolist() == [[47, 67, 63, 73]]
    assert len(around.with_rects(np.ones((2, 4))).rects) == 4


# Which place is taken


def scene(seed: int) -> tuple[np.ndarray, Surroundings]:
    """A wire with a jog, and blocks and lines around it, not all in the way."""
    dice = np.random.default_rng(seed)
    y, x = dice.uniform(-90, 90), dice.uniform(60, 160)
    corner = dice.uniform((-40, -120), (240, 120), (14, 2))
    rects = np.concatenate([corner, corner + dice.uniform(2, 24, (14, 2))], axis=1)
    start = dice.uniform((-40, -60), (200, 60), (3, 2))
    return wire((0, 0), (x, 0), (x, y), (220, y)), Surroundings.of(
        rects, np.concatenate([start, start + np.array([50, 0])], axis=1)
    )


@pytest.mark.parametrize("scale", [1.0, 1.6])
@pytest.mark.parametrize(("label", "least"), [(BOTH, 5), (ALONE, 2)], ids=["both", "value"])
def test_beside_a_wire_the_first_free_pose_and_spot_are_taken(label: Label, least: int, scale: float) -> None:
    """Poses in their order, in each of them all spots, and only then a shorter form."""
    seen = set[tuple[Form, Pose]]()
    for seed in range(60):
        points, around = scene(seed)
        found = find_place(around, points, label, Form.WHOLE, scale)
        if found is None or found.pose is Pose.LEADER:
            continue
        form, pose, at = next(first_places(points, label, around, scale))
        assert (found.form, found.pose) == (form, pose) and (found.x, found.y) == pytest.approx(at)
        seen.add((found.form, found.pose))
    assert len(seen) >= least


def first_places(
    points: np.ndarray, label: Label, around: Surroundings, scale: float
) -> Iterator[tuple[Form, Pose, Box]]:
    spots = _Spots(points, scale)
    for form in label.forms(Form.WHOLE):
        widths = label.widths(form)
        for pose in TWO_ROWS if all(widths) else ONE_ROW:
            for x, y in spots.for_pose(pose, widths).tolist():
                rows = [tuple(scale * n for n in box) for box in row_boxes(pose, widths) if box]
                if all(is_free((x + a, y + b, x + c, y + d), around) for a, b, c, d in rows):
                    yield form, pose, (x, y)


def test_while_something_moves_only_the_nearest_pose_of_the_ends_of_the_forms_is_looked_at() -> None:
    points, under = wire((0, 0), (400, 0)), Surroundings.of(np.array([(-99.0, 2, 499, 60)]), NONE)
    moving = find_place(under, points, BOTH, Form.WHOLE, 1.0, is_moving=True)
    resting = find_place(under, points, BOTH, Form.WHOLE, 1.0)
    assert moving is not None and resting is not None
    # Below there is no room: the gradient alone stands in its nearest pose, which is above.
    assert (resting.form, resting.pose) == (Form.WHOLE, Pose.ABOVE)
    assert (moving.form, moving.pose, moving.x) == (Form.NUMBER, Pose.ABOVE, 200)
    free = find_place(Surroundings.of(NONE, NONE), points, BOTH, Form.WHOLE, 1.0, is_moving=True)
    assert free is not None and (free.form, free.pose, free.x) == (Form.WHOLE, Pose.ACROSS, 200)
    over = Surroundings.of(np.array([(-99.0, -60, 499, -2)]), NONE)
    assert find_place(over, points, BOTH, Form.WHOLE, 1.0, is_moving=True) is None


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_leader_goes_the_shortest_way_that_is_free_and_crosses_least(scale: float) -> None:
    """Along lengths, then directions, then anchors, all in their order; against Qt's own intersections."""
    seen = set[tuple[float, float]]()
    for seed in range(25):
        dice = np.random.default_rng(seed)
        points = wire((0, 0), (17 * scale, 0))
        shut = scale * np.array([(-99.0, -20, -2, 20), (19, -20, 130, 20)])
        start = scale * dice.uniform((-60, -70), (40, 70), (4, 2))
        fences = np.concatenate([start, start + scale * dice.uniform(-40, 40, (4, 2))], axis=1)
        far = scale * dice.uniform((-60, -80), (60, 80), (5, 2))
        around = Surroundings.of(
            np.concatenate([shut, np.concatenate([far, far + 12 * scale], axis=1)]),
            np.concatenate([fences, [(0, 0, 17 * scale, 0)]]),
        )
        found, ways = find_place(around, points, ALONE, Form.NUMBER, scale), leaders(points, around, scale)
        if found is not None and found.pose is not Pose.LEADER:
            continue
        if not ways:
            assert found is None
            continue
        _, at, way = min(ways, key=lambda item: item[0])
        assert found is not None and (found.x, found.y, *found.apart) == pytest.approx((*at, *way)), seed
        seen.add(found.apart)
    assert len(seen) > 5


def leaders(points: np.ndarray, around: Surroundings, scale: float) -> list[tuple[int, Box, Box]]:
    """How many lines each leader to a free place crosses, where it starts, and its way."""
    half, found, looked = (max(ALONE.widths(Form.NUMBER)) / 2, 7.5), list[tuple[int, Box, Box]](), 0
    (x, y), (u, v) = points[0].tolist(), points[1].tolist()
    anchors = [(x + share * (u - x), y + share * (v - y)) for share in (0.5, 0.25, 0.75)]
    angles = [math.radians(30 * step) for step in range(12)]
    for reach, angle, at in itertools.product((16, 26, 38, 50), angles, anchors):
        sides = [max(-1, min(1, 2 * turn(angle))) for turn in (math.sin, math.cos)]
        way = tuple(reach * turn(angle) + half[n] * sides[n] for n, turn in enumerate((math.sin, math.cos)))
        low = [at[n] + scale * (way[n] - half[n]) for n in (0, 1)]
        if not is_free((*low, low[0] + 2 * scale * half[0], low[1] + 2 * scale * half[1]), around) or looked == 40:
            continue
        looked += 1
        end = leader_end((way[0], way[1]), *half)
        length = math.hypot(*end)
        if not 1 <= length <= 60:
            continue
        # It starts 4 px from its own wire, which it would cross at once.
        first = min(4 / (length * scale), 0.9)
        line = QLineF(*(at[n] + scale * share * end[n] for share in (first, 1) for n in (0, 1)))
        if any(meets(line, QRectF(QPointF(a, b), QPointF(c, d))) for a, b, c, d in around.rects.tolist()):
            continue
        found.append((sum(crosses(line, QLineF(*other)) for other in around.lines.tolist()), at, way))
    return found


def test_a_leader_that_crosses_no_wire_is_better_than_the_number_alone() -> None:
    """A value and its gradient stand apart, with few digits, before the value is given up."""
    shut = Surroundings.of(np.array([(-99.0, -30, 0, 30), (18, -30, 118, 30)]), NONE)
    found = find_place(shut, wire((0, 0), (18, 0)), BOTH, Form.WHOLE, 1.0)
    assert found is not None and (found.form, found.pose) == (Form.BARE, Pose.LEADER)
    fenced = Surroundings.of(shut.rects, np.array([(-99.0, y, 118, y) for y in (-34.0, 34)]))
    crossing = find_place(fenced, wire((0, 0), (18, 0)), BOTH, Form.WHOLE, 1.0)
    assert crossing is not None and (crossing.form, crossing.pose) == (Form.NUMBER, Pose.LEADER)
    walled = Surroundings.of(np.array([(-99.0, -99, 118, -2), (-99, 2, 118, 99)]), NONE)
    assert find_place(walled, wire((0, 0), (18, 0)), BOTH, Form.WHOLE, 1.0) is None


def test_the_label_under_a_point_or_in_an_area_is_found_by_either_of_its_rows() -> None:
    layout, points = LabelLayout(), wire((0, 0), (400, 0))[None]
    (placed,) = layout.place(
        "a", Wanted(np.array([0]), points, lambda _: BOTH, Surroundings.of(NONE, NONE)), 1.0
    ).values()
    value, gradient = boxes_of(placed, 1.0)
    for left, top, right, bottom in (value, gradient):
        middle = ((left + right) / 2, (top + bottom) / 2)
        assert layout.at(*middle) == 0 and layout.touching(QRectF(*middle, 1, 1)) == [0]
        assert layout.at(right + 1, middle[1]) is None and layout.at(left - 1, middle[1]) is None
        assert layout.at(middle[0], top + 0.01) == 0 == layout.at(middle[0], bottom - 0.01)
    between = (value[3] + gradient[1]) / 2
    assert layout.at(200, between) is None and layout.touching(QRectF(200, between, 1, 1)) == []
    assert layout.touching(QRectF(-99, -99, 800, 300)) == [0] == layout.rows


def test_the_area_of_a_leader_is_found_too() -> None:
    layout, points = LabelLayout(), wire((0, 0), (18, 0))[None]
    shut = Surroundings.of(np.array([(-99.0, -30, 0, 30), (18, -30, 118, 30)]), NONE)
    (placed,) = layout.place("a", Wanted(np.array([0]), points, lambda _: BOTH, shut), 1.0).values()
    assert placed.pose is Pose.LEADER
    halfway = QRectF(placed.x + placed.apart[0] / 3, placed.y + placed.apart[1] / 3, 0.5, 0.5)
    assert layout.touching(halfway) == [0] and layout.at(halfway.x(), halfway.y()) is None
    assert layout.touching(QRectF(300, 300, 9, 9)) == []
