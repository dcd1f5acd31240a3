"""How wires run."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.canvas.geometry.routing import (
    Ends,
    boxes,
    crossed,
    distances,
    horizontal_runs,
    rounded_pieces,
    route,
    segments,
)
from gradwire.app.canvas.geometry.wire_paths import rounded
from tests.app.canvas.pages import example, mirror_of

# Rounding of sums of coordinates below 10,000.
NEAR = 1e-6
NUMBERS = st.floats(-4000, 4000).map(lambda number: round(number, 2))


@st.composite
def ends(draw: st.DrawFn) -> Ends:
    """Up to six wires between blocks of 60 to 200 px, each port on the border of its block."""
    count = draw(st.integers(1, 6))
    rows = []
    for _ in range(count):
        x1, top1, x2, top2 = (draw(NUMBERS) for _ in range(4))
        high1, high2 = draw(st.integers(28, 200)), draw(st.integers(28, 200))
        y1, y2 = top1 + draw(st.integers(0, high1)), top2 + draw(st.integers(0, high2))
        rows.append((x1, y1, x2, y2, top1, top1 + high1, top2, top2 + high2))
    forks = np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    return Ends(*np.array(rows, float).T, forks)


def one(x1: float, y1: float, x2: float, y2: float, forks: bool = False) -> np.ndarray:
    """The corners of one wire between blocks 86 high whose ports are 44 below the top."""
    numbers = (x1, y1, x2, y2, y1 - 44, y1 + 42, y2 - 44, y2 + 42)
    return route(Ends(*(np.array([item], float) for item in numbers), np.array([forks])))[0]


def pieces(points: np.ndarray) -> list[tuple[float, float, float, float]]:
    """The straight pieces of one wire that have a length."""
    found = [(*a, *b) for a, b in itertools.pairwise(points.tolist())]
    return [item for item in found if math.hypot(item[0] - item[2], item[1] - item[3]) > NEAR]


@given(ends())
def test_every_piece_is_level_or_upright(found: Ends) -> None:
    for points in route(found):
        assert all(abs(xa - xb) < NEAR or abs(ya - yb) < NEAR for xa, ya, xb, yb in pieces(points))


@given(ends())
def test_a_wire_starts_and_ends_at_its_ports(found: Ends) -> None:
    points = route(found)
    assert np.array_equal(points[:, 0], np.column_stack([found.x1, found.y1]))
    assert np.array_equal(points[:, -1], np.column_stack([found.x2, found.y2]))


@given(ends())
def test_a_wire_leaves_rightwards_and_enters_from_the_left(found: Ends) -> None:
    for points in route(found):
        first, last = pieces(points)[0], pieces(points)[-1]
        assert first[0] < first[2] and abs(first[1] - first[3]) < NEAR
        assert last[0] < last[2] and abs(last[1] - last[3]) < NEAR


@given(ends())
def test_a_forward_wire_never_runs_back(found: Ends) -> None:
    for row, points in enumerate(route(found)):
        if found.x2[row] - found.x1[row] >= 29:
            assert (np.diff(points[:, 0]) >= -NEAR).all()


@given(ends())
def test_a_wire_runs_as_if_it_were_alone(found: Ends) -> None:
    together = route(found)
    for row, points in enumerate(together):
        alone = Ends(*(np.asarray(item)[row : row + 1] for item in found))
        assert np.array_equal(route(alone)[0], points)


def test_no_wires_have_no_corners() -> None:
    assert route(Ends(*(np.zeros(0) for _ in range(8)), np.zeros(0, bool))).shape == (0, 6, 2)


def jog(points: np.ndarray) -> float:
    return next(xa for xa, ya, xb, yb in pieces(points) if abs(ya - yb) > NEAR)


def test_the_jog_stands_22_px_before_the_input() -> None:
    assert jog(one(0, 0, 300, 80)) == 300 - 22


def test_where_the_output_forks_the_jog_stands_22_px_after_it() -> None:
    assert jog(one(0, 0, 300, 80, forks=True)) == 22


@given(st.lists(st.tuples(st.integers(60, 900), st.integers(-300, 300)), min_size=2, max_size=5))
def test_forking_wires_share_their_trunk(targets: list[tuple[int, int]]) -> None:
    trunks = {tuple(one(0, 1, x, 2 * y, forks=True)[1].tolist()) for x, y in targets}
    assert trunks == {(22.0, 1.0)}


def test_a_wire_back_leaves_15_px_right_and_enters_from_14_px_left() -> None:
    points = one(400, 0, 0, 300)
    assert pieces(points)[0] == (400, 0, 415, 0)
    assert pieces(points)[-1] == (-14, 300, 0, 300)


@pytest.mark.parametrize("drop", [300, -300])
def test_a_wire_back_runs_between_the_rows(drop: int) -> None:
    upper, lower = sorted((0, drop))
    level = {ya for xa, ya, xb, yb in pieces(one(400, 0, 0, drop)) if xb < xa}
    assert all(upper + 42 < y < lower - 44 for y in level) and len(level) == 1


def test_a_wire_back_in_one_row_runs_below_both_blocks() -> None:
    level = [ya for xa, ya, xb, yb in pieces(one(400, 0, 0, 0)) if xb < xa]
    assert level and min(level) > 42


def distance(points: np.ndarray, x: float, y: float) -> float:
    """The distance from a wire, by trying many of its points."""
    share = np.linspace(0, 1, 2001)[:, None]
    found = [a + share * (b - a) for a, b in itertools.pairwise(points)]
    return float(np.hypot(*(np.concatenate(found) - (x, y)).T).min())


@given(ends(), NUMBERS, NUMBERS)
def test_distances_are_those_of_the_nearest_point(found: Ends, x: float, y: float) -> None:
    points = route(found)
    expected = [distance(item, x, y) for item in points]
    # A sample every 2000th of at most 8,000 px is off by no more than 2 px.
    assert np.allclose(distances(points, x, y), expected, atol=2.01)
    assert (distances(points, x, y) <= np.array(expected) + NEAR).all()


@given(ends(), st.integers(0, 4), st.floats(0, 1))
def test_a_point_of_a_wire_has_no_distance_from_it(found: Ends, piece: int, share: float) -> None:
    points = route(found)
    x, y = points[0, piece] + share * (points[0, piece + 1] - points[0, piece])
    assert distances(points, float(x), float(y))[0] < NEAR


@given(ends())
def test_boxes_hold_every_corner_and_no_more(found: Ends) -> None:
    points = route(found)
    for box, corners in zip(boxes(points, 8.0), points, strict=True):
        assert np.allclose(box, [*(corners.min(axis=0) - 8), *(corners.max(axis=0) + 8)])


@given(ends())
def test_segments_join_the_corners(found: Ends) -> None:
    points = route(found)
    for corners, lines in zip(points, segments(points), strict=True):
        assert [tuple(line) for line in lines.tolist()] == [(*a, *b) for a, b in itertools.pairwise(corners.tolist())]


@given(ends())
def test_level_runs_come_longest_first(found: Ends) -> None:
    for points in route(found):
        lengths = [right - left for left, right, _ in horizontal_runs(points)]
        assert lengths == sorted(lengths, reverse=True)
        assert all(length > 1 for length in lengths)


@given(ends())
def test_level_runs_lie_on_the_wire(found: Ends) -> None:
    for points in route(found):
        for left, right, y in horizontal_runs(points):
            for x in (left, (left + right) / 2, right):
                # Pieces less than half a px apart in height count as one run.
                assert distances(points[None], x, y)[0] <= 0.5 + NEAR


def test_a_straight_wire_is_one_level_run() -> None:
    assert horizontal_runs(one(0, 0, 300, 0)) == [(0, 300, 0)]


def test_a_bent_wire_has_two_level_runs() -> None:
    assert horizontal_runs(one(0, 0, 300, 80)) == [(0, 278, 0), (278, 300, 80)]


@given(ends())
def test_a_rounded_path_keeps_the_ends_and_stays_near_the_corners(found: Ends) -> None:
    for points in route(found):
        path = rounded(points)
        start, end = path.pointAtPercent(0), path.pointAtPercent(1)
        assert (start.x(), start.y()) == pytest.approx(tuple(points[0]), abs=1e-3)
        assert (end.x(), end.y()) == pytest.approx(tuple(points[-1]), abs=1e-3)
        box, corners = path.boundingRect(), boxes(points[None], 0.01)[0]
        assert corners[0] <= box.left() and corners[1] <= box.top()
        assert box.right() <= corners[2] and box.bottom() <= corners[3]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ((50, -10), (50, 10), True),
        ((50, 10), (50, -10), True),
        ((50, 1), (50, 10), False),
        ((0, 0), (0, 5), True),
        ((-10, 0), (-1, 0), False),
        ((50, 0), (60, 0), True),
        ((179, 50), (300, 50), False),
        ((177, 50), (300, 50), True),
        ((150, 90), (250, 110), True),
    ],
)
def test_a_line_crosses_a_wire_where_they_meet(
    start: tuple[float, float], end: tuple[float, float], expected: bool
) -> None:
    # To 178, 0, down to 178, 100, and on to 200, 100.
    wire = one(0, 0, 200, 100)
    assert tuple((wire[1] + wire[2]) / 2) == (178.0, 50.0)
    assert crossed(wire[None], start, end).tolist() == ([0] if expected else [])


@given(ends(), NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_a_wire_is_crossed_alike_from_both_ends(ends: Ends, x1: float, y1: float, x2: float, y2: float) -> None:
    points = route(ends)
    assert crossed(points, (x1, y1), (x2, y2)).tolist() == crossed(points, (x2, y2), (x1, y1)).tolist()


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("chords", [2, 6])
def test_rounded_pieces_run_along_the_rounded_path(chords: int) -> None:
    mirror = mirror_of(example("softmax_stable"))
    for row, pieces in enumerate(rounded_pieces(mirror.points, chords)):
        outline = rounded(mirror.points[row])
        spots = [outline.pointAtPercent(share) for share in np.linspace(0, 1, 400)]
        along = np.array([(spot.x(), spot.y()) for spot in spots])
        ends = pieces[(pieces[:, :2] != pieces[:, 2:]).any(axis=1)].reshape(-1, 2)
        assert np.hypot(*(ends[:, None] - along[None]).T).min(axis=0).max() < 2
