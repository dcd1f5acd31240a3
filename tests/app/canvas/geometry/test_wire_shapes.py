"""Points of curves, bends and level runs, worked out by hand from the formulas of their parts. Units: px at 100 %."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF

from gradwire.app.canvas.geometry.annotation_places import note_height, note_rect
from gradwire.app.canvas.geometry.curves import apart, curve, flat_spots, from_afar, softened
from gradwire.app.canvas.geometry.routing import Ends, horizontal_runs, rounded_pieces, route
from gradwire.app.canvas.geometry.view.camera import Camera, fitted, started_at, way_into_view
from gradwire.app.canvas.geometry.wire_paths import rounded
from gradwire.app.look.theme import font
from gradwire.engine.graph.graph import Note

pytestmark = pytest.mark.usefixtures("qapp")
At = tuple[float, float]


def ends(x1: float, y1: float, x2: float, y2: float, forks: bool = False, rows: tuple[float, ...] = ()) -> Ends:
    """One wire; `rows` are the tops and bottoms of both blocks, by default 20 px above and below its ends."""
    numbers = (x1, y1, x2, y2, *(rows or (y1 - 20, y1 + 20, y2 - 20, y2 + 20)))
    return Ends._make([*(np.array([float(item)]) for item in numbers), np.array([forks])])


def cubic(share: float, *controls: float) -> float:
    """The polynomial of Bernstein of degree 3."""
    return sum(math.comb(3, n) * share**n * (1 - share) ** (3 - n) * control for n, control in enumerate(controls))


def quadratic(share: float, *controls: float) -> float:
    return sum(math.comb(2, n) * share**n * (1 - share) ** (2 - n) * control for n, control in enumerate(controls))


@pytest.mark.parametrize(
    ("x2", "y2", "forks", "start", "width", "handle"),
    [
        (300, 100, False, 200, 100, 50),  # as wide as high, just before the input
        (300, 100, True, 0, 100, 50),  # just after an output that forks
        (300, 10, False, 236, 64, 32),  # never narrower than 64 px
        (300, -200, False, 100, 200, 100),
        (10, 100, False, 0, 10, 24),  # handles of 24 px where there is no room
        (10, 30, False, 0, 10, 15),  # or of half of its height
        (0, 100, False, 0, 0, 24),
    ],
)
def test_a_curve_to_the_right_is_level_and_has_one_bend(
    x2: float, y2: float, forks: bool, start: float, width: float, handle: float
) -> None:
    """Three pieces to the bend, 21 for it, and three behind it."""
    (found,) = curve(ends(0, 0, x2, y2, forks))
    stop = start + width
    for place in range(4):
        assert found[place].tolist() == pytest.approx([start * place / 3, 0])
        assert found[24 + place].tolist() == pytest.approx([stop + (x2 - stop) * place / 3, y2])
    for place in range(22):
        x = cubic(place / 21, start, start + handle, stop - handle, stop)
        assert found[3 + place].tolist() == pytest.approx([x, cubic(place / 21, 0, 0, y2, y2)])


@pytest.mark.parametrize(
    ("y2", "rows", "middle", "out", "home"),
    [
        (200, (-20, 20, 180, 220), 100, 44, 44),  # between the rows; a turn is 24 to 44 px wide
        (60, (-20, 20, 45, 80), 32.5, 24, 24),
        (-200, (-20, 20, -220, -180), -100, 44, 44),
        (10, (-20, 20, -10, 30), 54, 27, 24),  # below both, 24 px from the lower one
        (40, (-20, 20, 44, 60), 84, 42, 24),  # a gap of 24 px is too small
    ],
)
def test_a_curve_to_the_left_turns_runs_back_and_turns_again(
    y2: float, rows: tuple[float, ...], middle: float, out: float, home: float
) -> None:
    (found,) = curve(ends(100, 0, 0, y2, rows=rows))
    for place in range(10):
        share = place / 9
        x = cubic(share, 100, 100 + out, 100 + out, 100)
        assert found[place].tolist() == pytest.approx([x, cubic(share, 0, 0, middle, middle)])
        assert found[9 + place].tolist() == pytest.approx([100 - 100 * share, middle])
        x = cubic(share, 0, -home, -home, 0)
        assert found[18 + place].tolist() == pytest.approx([x, cubic(share, middle, middle, y2, y2)])


def test_a_way_with_corners_bends_over_half_of_its_pieces_and_40_px_at_most() -> None:
    """Pieces of 100, 60 and 100: 40 px of the first, half of the second for each bend, and 40 of the third."""
    way = np.array([[(0, 0), (100, 0), (100, 60), (200, 60), (200, 60), (200, 60)]], float)
    (found,) = softened(way)
    for place in range(4):
        share = place / 3
        assert found[place].tolist() == pytest.approx([60 * share, 0])
        assert found[3 + place].tolist() == pytest.approx([quadratic(share, 60, 100, 100), quadratic(share, 0, 0, 30)])
        assert found[6 + place].tolist() == pytest.approx([100, 30])
        assert found[9 + place].tolist() == pytest.approx(
            [quadratic(share, 100, 100, 140), quadratic(share, 30, 60, 60)]
        )
        assert found[12 + place].tolist() == pytest.approx([140 + 60 * share, 60])
    assert np.allclose(found[15:], (200, 60))
    short = np.array([[(0, 0), (30, 0), (30, 200), (230, 200), (230, 200), (230, 200)]], float)
    (bent,) = softened(short)
    assert bent[3].tolist() == [0, 0] and bent[6].tolist() == [30, 40] and bent[9].tolist() == [30, 160]


def test_from_afar_a_curve_has_13_points_and_a_way_all_of_them() -> None:
    found = curve(ends(0, 0, 300, 100))
    assert from_afar(found).shape == (1, 13, 2)
    assert np.array_equal(from_afar(found)[0, [0, 1, -1]], found[0, [0, 2, 27]])
    corners = route(ends(0, 0, 300, 100))
    assert from_afar(corners) is corners


def level(*heights: float) -> np.ndarray:
    """28 points, 10 px apart, of these heights; the last one goes on."""
    ys = [*heights, *[heights[-1]] * (28 - len(heights))]
    return np.column_stack([np.arange(28) * 10.0, ys])


@pytest.mark.parametrize(
    ("points", "width", "first"),
    [
        (level(0), 40, (135, 0)),
        # Flat up to 100, then steep: something 60 px wide fits up to 75, and what is 100 px wide up to 55.
        (level(*[0] * 11, *range(100, 1800, 100)), 60, (40, 0)),
        (level(*[0] * 11, *range(100, 1800, 100)), 100, (30, 0)),
        # Less than 4 px count as level.
        (level(*[0, 3.9] * 14), 40, (135, 1.95)),
    ],
)
def test_the_middle_of_what_is_flattest_comes_first(points: np.ndarray, width: float, first: At) -> None:
    found = flat_spots(points)(width)
    assert found.shape == (55, 2)
    assert found[0].tolist() == pytest.approx(first)


def test_own_lines_are_told_from_others() -> None:
    lines = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 1, 1]], float)
    assert apart(lines, lines[[1]]).tolist() == [True, False, True]


# Wires with corners


@pytest.mark.parametrize(
    ("given", "corners"),
    [
        (ends(0, 0, 300, 80), [(0, 0), (278, 0), (278, 80), (300, 80), (300, 80), (300, 80)]),
        (ends(0, 0, 300, 80, True), [(0, 0), (22, 0), (22, 80), (300, 80), (300, 80), (300, 80)]),
        (ends(0, 0, 30, 80), [(0, 0), (15, 0), (15, 80), (30, 80), (30, 80), (30, 80)]),
        (ends(0, 0, 29, 80), [(0, 0), (14.5, 0), (14.5, 80), (29, 80), (29, 80), (29, 80)]),
        (ends(0, 0, 28, 80), [(0, 0), (15, 0), (15, 40), (14, 40), (14, 80), (28, 80)]),
        (ends(0, 0, 300, 0.4), [(0, 0), (150, 0), (150, 0.4), (300, 0.4), (300, 0.4), (300, 0.4)]),
        (ends(0, 0, 300, 0.5), [(0, 0), (278, 0), (278, 0.5), (300, 0.5), (300, 0.5), (300, 0.5)]),
        (ends(0, 0, -100, 10), [(0, 0), (15, 0), (15, 54), (-114, 54), (-114, 10), (-100, 10)]),
        (ends(0, 0, -100, -100), [(0, 0), (15, 0), (15, -50), (-114, -50), (-114, -100), (-100, -100)]),
    ],
)
def test_a_wire_has_its_corners_near_its_ports(given: Ends, corners: list[At]) -> None:
    assert [tuple(corner) for corner in route(given)[0].tolist()] == corners


@pytest.mark.parametrize(
    ("corners", "elements"),
    [
        # 12 px where there is room, else half of the shorter piece.
        ([(0, 0), (10, 0), (10, 40), (60, 40)], [(0, 0), (5, 0), (10, 5), (10, 28), (22, 40), (60, 40)]),
        ([(0, 0), (50, 0), (50, -16), (90, -16)], [(0, 0), (42, 0), (50, -8), (50, -8), (58, -16), (90, -16)]),
        ([(0, 0), (40, 0), (40, 0), (40, 60)], [(0, 0), (28, 0), (40, 12), (40, 60)]),
        ([(0, 0), (40, 0)], [(0, 0), (40, 0)]),
    ],
)
def test_a_path_is_round_at_its_corners(corners: list[At], elements: list[At]) -> None:
    points = np.array([*corners, *[corners[-1]] * (6 - len(corners))], float)
    path = rounded(points)
    found = [path.elementAt(place) for place in range(path.elementCount())]
    # The control points of a bend are left out: they are the first two of three.
    kinds = [item.type.name for item in found]
    ends_of = [
        (item.x, item.y)
        for place, item in enumerate(found)
        if kinds[place] in ("MoveToElement", "LineToElement")
        or (place and kinds[place - 2 : place - 1] == ["CurveToElement"])
    ]
    assert list(dict.fromkeys(ends_of)) == [pytest.approx(item) for item in dict.fromkeys(elements)]


def test_bends_are_chords_of_a_parabola_that_overlap_a_little() -> None:
    """Of each wire five straight pieces with four bends between them; a chord is 0.6 px longer at both ends."""
    points = np.array([[(0, 0), (100, 0), (100, 60), (200, 60), (200, 60), (200, 60)]], float)
    (found,) = rounded_pieces(points, 2)
    assert found.shape == (13, 4)
    assert found[0].tolist() == [0, 0, 88, 0] and found[3].tolist() == [100, 12, 100, 48]
    assert found[6].tolist() == [112, 60, 200, 60]
    middle = (quadratic(0.5, 88, 100, 100), quadratic(0.5, 0, 0, 12))
    length = math.hypot(middle[0] - 88, middle[1])
    step = np.array([middle[0] - 88, middle[1]]) * 0.6 / length
    assert found[1].tolist() == pytest.approx([*(np.array([88, 0]) - step), *(np.array(middle) + step)])
    assert (found[7:, :2] == found[7:, 2:]).all()


@pytest.mark.parametrize(
    ("corners", "runs"),
    [
        ([(0, 0), (100, 0), (100, 50), (180, 50)], [(0, 100, 0), (100, 180, 50)]),
        ([(0, 0), (100, 0), (100, 50), (280, 50)], [(100, 280, 50), (0, 100, 0)]),
        ([(0, 0), (100, 0.4), (200, 0.3)], [(0, 200, 0.4)]),
        ([(0, 0), (100, 0.5), (200, 0.5)], [(100, 200, 0.5)]),
        ([(0, 0), (1, 0), (1, 50), (3, 50)], [(1, 3, 50)]),
        ([(100, 0), (0, 0), (0, 9)], [(0, 100, 0)]),
        ([(0, 0), (50, 0), (20, 0), (20, 9)], [(0, 50, 0)]),
    ],
)
def test_level_runs_are_joined_and_sorted(corners: list[At], runs: list[tuple[float, ...]]) -> None:
    assert horizontal_runs(np.array(corners, float)) == runs


# Notes


def test_a_note_wraps_its_words_between_margins_of_10_px() -> None:
    text = "nn nn nn nn nn"
    bold, usual = QFontMetricsF(font("ui", 12, 600)), QFontMetricsF(font("ui", 11))
    wide = bold.horizontalAdvance(text)
    assert note_height(text, wide + 21) == pytest.approx(bold.height() + 20, abs=1)
    assert note_height(text, wide + 19) == pytest.approx(2 * bold.height() + 20, abs=1)
    assert note_height("", 352) == note_height("a", 352)
    more = note_height(f"{text}\nrest", wide + 21) - note_height(text, wide + 21)
    assert more == pytest.approx(4 + usual.height(), abs=1)
    assert note_height(text, 352, 20) > note_height(text, 352, 12) == note_height(text, 352)


def test_a_note_without_a_place_or_a_size_has_the_usual_ones() -> None:
    assert note_rect(Note("n", "text")).getRect() == (0, 0, 352, note_height("text", 352))
    assert note_rect(Note("n", "text", (5, 6), (70, 80))).getRect() == (5, 6, 70, 80)


# Cameras


@pytest.mark.parametrize(
    ("rect", "view", "limits", "camera"),
    [
        ((0, 0, 400, 200), (448, 448), (1.0, 0.1), Camera(1.0, 24, 124)),
        ((0, 0, 800, 200), (448, 448), (1.0, 0.1), Camera(0.5, 24, 174)),
        ((100, 50, 200, 800), (448, 448), (1.0, 0.1), Camera(0.5, 124, -1)),
        ((0, 0, 4000, 200), (448, 448), (1.0, 0.25), Camera(0.25, -276, 199)),
        ((0, 0, 100, 100), (448, 448), (2.0, 0.1), Camera(2.0, 124, 124)),
        # In a small view the margin is an eighth of it.
        ((0, 0, 60, 60), (80, 80), (3.0, 0.1), Camera(1.0, 10, 10)),
        ((0, 0, 0, 100), (400, 300), (1.0, 0.1), Camera(1.0, 200, 100)),
    ],
)
def test_a_page_is_fitted_with_a_margin_of_24_px(rect: tuple[float, ...], view: At, limits: At, camera: Camera) -> None:
    assert fitted(QRectF(*rect), QSizeF(*view), *limits) == camera


@pytest.mark.parametrize(
    ("start", "camera"),
    [
        # 600 by 300 px of room; beside the page 24 px may be empty.
        ((500, 500), Camera(1.0, -200, -350)),
        ((0, 0), Camera(1.0, 24, 24)),
        ((1000, 1000), Camera(1.0, -424, -724)),
    ],
)
def test_a_page_is_begun_at_a_point_without_more_room_beside_it(start: At, camera: Camera) -> None:
    assert started_at(QRectF(0, 0, 1000, 1000), QPointF(*start), QRectF(0, 0, 600, 300), 1.0) == camera
    small = started_at(QRectF(0, 0, 200, 1000), QPointF(*start), QRectF(100, 50, 600, 300), 1.0)
    assert (small.x, small.y) == (300, camera.y + 50)


@pytest.mark.parametrize(
    ("low", "high", "way"),
    [
        (24, 100, 0), (23, 100, 1), (0, 50, 24), (300, 376, 0), (300, 377, -1), (360, 420, -44),
        (10, 390, 14), (30, 500, 0), (375, 900, 0), (377, 900, -353),
    ],
)  # fmt: skip
def test_a_thing_comes_into_view_by_the_shortest_way(low: float, high: float, way: float) -> None:
    """24 px from the edges of 400; of what has no room its start is seen."""
    found = way_into_view(QRectF(low, 100, high - low, 10), QSizeF(400, 300))
    assert (found.x(), found.y()) == (way, 0)
    found = way_into_view(QRectF(100, low, 10, high - low), QSizeF(300, 400))
    assert (found.x(), found.y()) == (0, way)
    assert way_into_view(QRectF(9, 10, 5, 5), QSizeF(80, 80)).x() == 1
