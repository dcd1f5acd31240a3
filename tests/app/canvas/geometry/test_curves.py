"""How wires run as curves, and that what is hit, cut and drawn of them is the curve."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSize

from gradwire.app.canvas.geometry.curves import cubics, curve, flat_spots, from_afar, is_curve, routed, softened
from gradwire.app.canvas.geometry.hit_tests import wire_at, wires_crossed
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import Ends, distances, route
from gradwire.app.canvas.geometry.wire_paths import curve_path, path_of
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.miniature import draw_miniature
from gradwire.app.look.theme import theme
from tests.app.canvas.geometry.test_routing import NEAR, ends
from tests.app.canvas.pages import drawn_page, example, mirror_of, painted, pixels

pytestmark = pytest.mark.usefixtures("qapp")

SHARES = np.linspace(0, 1, 41)


def one(x1: float, y1: float, x2: float, y2: float, forks: bool = False) -> np.ndarray:
    """One curve between blocks 86 high whose ports are 44 below the top."""
    numbers = (x1, y1, x2, y2, y1 - 44, y1 + 42, y2 - 44, y2 + 42)
    return curve(Ends(*(np.array([item], float) for item in numbers), np.array([forks])))[0]


@pytest.fixture
def curved() -> Mirror:
    mirror = mirror_of(example("softmax_stable"))
    mirror.set_curved(True)
    return mirror


@given(ends())
def test_a_curve_starts_and_ends_at_its_ports(found: Ends) -> None:
    points = curve(found)
    assert np.allclose(points[:, 0], np.column_stack([found.x1, found.y1]), atol=NEAR)
    assert np.allclose(points[:, -1], np.column_stack([found.x2, found.y2]), atol=NEAR)


@given(ends())
def test_a_curve_has_no_corner(found: Ends) -> None:
    for points in curve(found):
        pieces = cubics(points)
        leaving, entering = pieces[:-1, 3] - pieces[:-1, 2], pieces[1:, 1] - pieces[1:, 0]
        lengths = np.hypot(*leaving.T) * np.hypot(*entering.T)
        turn = leaving[:, 0] * entering[:, 1] - leaving[:, 1] * entering[:, 0]
        assert (np.abs(turn)[lengths > 1e-3] < 1e-6 * lengths[lengths > 1e-3] + 1e-6).all()


@given(ends())
def test_a_curve_leaves_to_the_right_and_enters_from_the_left_level(found: Ends) -> None:
    for points in curve(found):
        pieces = cubics(points)
        if not len(pieces):
            continue
        for way in (pieces[0, 1] - pieces[0, 0], pieces[-1, 3] - pieces[-1, 2]):
            # Where both ports are one above the other within a px there is no room to leave sideways.
            assert way[0] >= -NEAR
            assert abs(way[1]) <= NEAR + 0.01 * abs(way[0])


@given(ends())
def test_the_path_goes_through_all_points(found: Ends) -> None:
    for points in curve(found):
        path = curve_path(points)
        ends_of_path = path.pointAtPercent(0), path.currentPosition()
        assert math.dist(points[0], ends_of_path[0].toTuple()) < 1e-3
        assert math.dist(points[-1], ends_of_path[1].toTuple()) < 1e-3


@pytest.mark.parametrize(
    ("x2", "y2"), [(120, 0), (120, 90), (300, -200), (60, 200), (900, 500), (-400, 300), (-400, 0), (-2, 140)]
)
def test_the_straight_pieces_lie_within_a_px_and_a_half_of_the_path(x2: float, y2: float) -> None:
    points = one(0, 0, x2, y2)
    path = path_of(points)
    for share in SHARES:
        at = path.pointAtPercent(share)
        assert distances(points[None], at.x(), at.y())[0] < 1.5


def test_a_wire_between_ports_at_one_height_is_straight_to_the_last_digit() -> None:
    assert set(one(0.1, 33.3, 217.7, 33.3)[:, 1].tolist()) == {33.3}


@pytest.mark.parametrize("rise", [-300, -40, 8, 90, 400])
def test_a_curve_to_the_right_never_runs_back(rise: float) -> None:
    assert (np.diff(one(0, 0, 200, rise)[:, 0]) >= -NEAR).all()


def test_a_curve_bends_before_its_input_and_where_the_output_forks_after_it() -> None:
    late, early = one(0, 0, 400, 100), one(0, 0, 400, 100, forks=True)
    assert distances(late[None], 200, 0)[0] == pytest.approx(0, abs=NEAR)
    assert distances(early[None], 200, 100)[0] == pytest.approx(0, abs=NEAR)


def test_a_curve_back_runs_level_between_the_rows() -> None:
    points = one(500, 0, 0, 300)
    middle = (42 + 300 - 44) / 2
    assert distances(points[None], 250, middle)[0] == pytest.approx(0, abs=NEAR)
    assert points[:, 0].max() <= 540 and points[:, 0].min() >= -40


@given(ends())
def test_a_way_with_corners_becomes_a_curve_with_the_same_ends(found: Ends) -> None:
    for way, points in zip(route(found), softened(route(found)), strict=True):
        assert np.array_equal(points[[0, -1]], way[[0, -1]])
        assert is_curve(points)
        # A bend of 40 px leaves its corner by a quarter of that to both sides at most.
        assert max(distances(way[None], x, y)[0] for x, y in points.tolist()) <= 10 + NEAR


@given(ends())
def test_a_curve_runs_as_if_it_were_alone(found: Ends) -> None:
    together = curve(found)
    for row, points in enumerate(together):
        alone = curve(Ends(*(item[row : row + 1] for item in found)))
        assert np.array_equal(alone[0], points)


@given(ends(), st.booleans())
def test_points_tell_whether_they_are_a_curve(found: Ends, is_curved: bool) -> None:
    points = routed(found, is_curved)
    assert is_curve(points) is is_curved
    assert np.array_equal(from_afar(points)[:, [0, -1]], points[:, [0, -1]])


@pytest.mark.parametrize("width", [0, 40, 120])
def test_labels_find_their_places_on_the_curve_the_flattest_first(width: float) -> None:
    points = one(0, 0, 300, 120)
    spots = flat_spots(points)(width)
    assert max(distances(points[None], x, y)[0] for x, y in spots.tolist()) < NEAR
    x, y = spots[0].tolist()
    beside = points[np.abs(points[:, 0] - x) <= width / 2]
    assert np.abs(beside[:, 1] - y).max(initial=0) < 4


# A page


def test_the_pointer_hits_the_curve_and_not_where_the_corner_was() -> None:
    mirror = mirror_of(example("softmax_stable"))
    wire = next(wire for wire in mirror.wires if wire.source.block == "w")
    row = mirror.wire_rows[wire]
    corner = QPointF(*mirror.points[row][1])
    assert wire_at(mirror, corner, 7) == wire
    mirror.set_curved(True)
    on_curve = mirror.path(row).pointAtPercent(0.5)
    assert wire_at(mirror, on_curve, 2) == wire
    assert wire_at(mirror, corner, 7) is None
    assert wire_at(mirror, on_curve + QPointF(0, 30), 7) is None


def test_every_point_of_every_curve_is_hit(curved: Mirror) -> None:
    for row in range(len(curved.wires)):
        for share in SHARES:
            at = curved.path(row).pointAtPercent(share)
            assert distances(curved.points[[row]], at.x(), at.y())[0] < 1.5


def test_a_line_cuts_the_curve_and_not_what_the_corner_was() -> None:
    mirror = mirror_of(example("softmax_stable"))
    wire = next(wire for wire in mirror.wires if wire.source.block == "w")
    row = mirror.wire_rows[wire]
    corner = QPointF(*mirror.points[row][1])
    mirror.set_curved(True)
    middle, across = mirror.path(row).pointAtPercent(0.5), QPointF(12, 4)
    assert wire in wires_crossed(mirror, middle - across, middle + across)
    assert wire not in wires_crossed(mirror, corner - QPointF(6, 6), corner + QPointF(6, 6))


def test_boxes_hold_the_curves(curved: Mirror) -> None:
    for row in range(len(curved.wires)):
        box, (left, top, right, bottom) = curved.path(row).boundingRect(), curved.wire_boxes[row].tolist()
        assert left <= box.left() and top <= box.top() and right >= box.right() and bottom >= box.bottom()


def test_what_is_moved_takes_its_curves_along(curved: Mirror) -> None:
    before = curved.points.copy()
    curved.moved(frozenset(["w"]), 30, 70)
    row = next(row for row, wire in enumerate(curved.wires) if wire.source.block == "w")
    assert np.allclose(curved.points[row, 0] - before[row, 0], (30, 70))
    assert np.allclose(curved.points[row, -1], before[row, -1])
    curved.set_curved(False)
    curved.set_curved(True)
    assert np.allclose(curved.points[row, 0] - before[row, 0], (30, 70))


def test_turning_curves_off_gives_the_corners_back() -> None:
    mirror = mirror_of(example("softmax_stable"))
    points, geometry = mirror.points.copy(), mirror.geometry
    mirror.set_curved(True)
    assert mirror.geometry > geometry
    mirror.set_curved(False)
    assert np.array_equal(mirror.points, points)


@pytest.mark.parametrize("zoom", [0.15, 0.35, 0.6, 1.0])
def test_at_every_zoom_ink_lies_where_the_curves_are(zoom: float) -> None:
    mirror, look = mirror_of(example("softmax_stable")), Look(theme("dark"), zoom)
    row = next(row for row, wire in enumerate(mirror.wires) if wire.source.block == "z")
    cornered = pixels(drawn_page(mirror, look)[0])
    mirror.set_curved(True)
    area = mirror.bounds().adjusted(-40, -40, 40, 40)
    image, _ = drawn_page(mirror, look)
    ground = theme("dark").color("bg.canvas").rgb()
    for share in (0.05, 0.12, 0.88, 0.95):
        at = (mirror.path(row).pointAtPercent(share) - area.topLeft()) * zoom
        x, y = round(at.x()), round(at.y())
        near = [image.pixelColor(x + dx, y + dy).rgb() for dx in range(-3, 4) for dy in range(-3, 4)]
        assert any(color != ground for color in near), share
    assert cornered.shape != pixels(image).shape or not np.array_equal(cornered, pixels(image))


def test_a_miniature_shows_curves_too(curved: Mirror) -> None:
    box = QRectF(0, 0, 280, 160)

    def picture() -> np.ndarray:
        return pixels(painted(QSize(280, 160), lambda on: draw_miniature(on, curved, Look(theme("dark")), box)))

    bent = picture()
    curved.set_curved(False)
    assert not np.array_equal(bent, picture())


def test_a_page_without_wires_can_be_curved() -> None:
    mirror = mirror_of(example("softmax_stable"))
    empty = np.zeros(0)
    assert curve(Ends(*[empty] * 8, empty.astype(bool))).shape[0] == 0
    mirror.set_curved(True)
    assert drawn_page(mirror, Look(theme("light"), 0.1))[0].width() > 0
