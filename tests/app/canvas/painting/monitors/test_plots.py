"""Where plots put their axes, points, lines and bars, and how images fill a block."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.monitors.axes import NUMBER, Axes, axes_in, draw_axes
from gradwire.app.canvas.painting.monitors.contours import zero_lines
from gradwire.app.canvas.painting.monitors.markers import TOKENS, draw_marks, token_of
from gradwire.app.canvas.painting.monitors.picture_painter import draw_picture, legend_of
from gradwire.app.canvas.painting.monitors.pictures import (
    Boundary,
    Curves,
    Heat,
    Histogram,
    Images,
    Picture,
    Points,
    Rounds,
    Said,
)
from gradwire.app.canvas.painting.monitors.pixels import draw_images
from gradwire.app.look.chart_scale import Scale
from gradwire.app.look.numbers import fmt_short
from gradwire.app.look.theme import theme
from tests.app.drawn_shapes import recorded
from tests.app.strokes import Stroke, placed, strokes, texts

pytestmark = pytest.mark.usefixtures("qapp")
LOOK = Look(theme("dark"))
BOX = QRectF(0, 0, 300, 150)
# Without numbers 4 px are free at each side.
BARE = QRectF(0, 0, 108, 58)


def drawn(picture: Picture | None, box: QRectF = BARE, look: Look = LOOK) -> list[Stroke]:
    return strokes(lambda painter: draw_picture(painter, look, box, picture))


# Axes


def test_axes_without_numbers_leave_a_margin() -> None:
    axes = axes_in(LOOK, BARE, Scale(0, 10), Scale(0, 1), False)
    assert axes.room == QRectF(4, 4, 100, 50)
    assert (axes.x_ticks, axes.y_ticks) == ((), ())
    points = [point.toTuple() for point in axes.points(np.array([0.0, 5, 10]), np.array([0.0, 0.5, 1]))]
    assert points == [(4, 54), (54, 29), (104, 4)]
    assert axes.box((2, 0.2), (4, 0.6)) == axes.box((4, 0.6), (2, 0.2)) == QRectF(24, 24, 20, 20)


def test_places_far_beyond_the_axis_stay_near_it() -> None:
    """Up to its own height below and above."""
    axes = axes_in(LOOK, BARE, Scale(0, 10), Scale(0, 1), False)
    _, heights = axes.places(np.zeros(4), np.array([-0.5, -9.0, 1.5, 9.0]))
    assert heights.tolist() == [79, 104, -21, -46]


def test_axes_with_numbers_leave_room_beside_and_below() -> None:
    axes = axes_in(LOOK, BOX, Scale(0, 10), Scale(0, 1), True)
    assert axes.y_ticks[0] == 0 and axes.y_ticks[-1] == 1
    widest = max(NUMBER.width(text, LOOK) for text in map(fmt_short, axes.y_ticks))
    assert axes.room.getRect() == pytest.approx((widest + 10, 4, 300 - widest - 10 - 8, 150 - 4 - 15))
    inside = axes_in(LOOK, BOX, Scale(0.3, 9.7), Scale(0, 1), True)
    assert all(0.3 <= tick <= 9.7 for tick in inside.x_ticks)
    # Where texts grow there is room for fewer of them.
    far = axes_in(dataclasses.replace(LOOK, scale=0.5), BOX, Scale(0, 10), Scale(0, 1), True)
    assert len(far.x_ticks) < len(axes.x_ticks) and len(far.y_ticks) <= len(axes.y_ticks)
    assert far.room.height() == pytest.approx(150 - 4 - 15 * 9.5 / 5)


def test_numbers_stand_beside_their_lines_and_below_their_places() -> None:
    axes = Axes(QRectF(30, 4, 200, 100), Scale(0, 10), Scale(0, 1), (0.0, 5.0, 10.0), (0.0, 0.5))
    found = strokes(lambda painter: draw_axes(painter, LOOK, axes))
    assert placed(found, "line") == [(30, 104, 230, 104), (30, 54, 230, 54)]
    boxes = [(item.text, item.at) for item in found if item.kind == "text"]
    assert [text for text, _ in boxes] == ["0", ".5", "0", "5", "10"]
    for (_, (left, top, width, height)), y in zip(boxes[:2], (104, 54), strict=True):
        # A text may have a px more than its box, so that rounding cuts nothing.
        assert (left + width, top + height / 2) == pytest.approx((26, y))
    for (text, (left, top, width, _)), x in zip(boxes[2:], (30, 130, 230), strict=True):
        assert top == 105
        wide = NUMBER.width(text, LOOK) + 2
        middle = min(x, 230 + 8 - wide / 2)
        assert (left, width) == pytest.approx((middle - wide / 2, wide + 1), abs=0.02)


def test_axes_without_ticks_draw_nothing() -> None:
    assert strokes(lambda painter: draw_axes(painter, LOOK, Axes(BARE, Scale(0, 1), Scale(0, 1)))) == []


# Pictures


def test_curves_have_gaps_patterns_and_dots_in_front() -> None:
    x, y = np.arange(5.0), np.array([[0, 1], [1, 1], [math.nan, 1], [0, 1], [1, 0.0]])
    found = drawn(Curves(x, y, np.array([[0.0, 0.5], [math.nan, 1]])))
    # A tenth and a bit more of the range of the numbers is free above and below.
    low, high = 29 + 25 / 1.12, 29 - 25 / 1.12
    lines = placed(found, "polyline")
    assert lines == [
        pytest.approx((4, low, 29, high), abs=0.01),
        pytest.approx((79, low, 104, high), abs=0.01),
        pytest.approx((4, high, 29, high, 54, high, 79, high, 104, low), abs=0.01),
    ]
    (dots,) = placed(found, "path")
    assert dots == pytest.approx((4 - 2.2, 29 - 2.2, 4.4, 4.4), abs=0.01)
    assert [item.kind for item in found][-1] == "path"


def test_a_curve_of_one_place_or_none_has_an_axis_all_the_same() -> None:
    assert placed(drawn(Curves(np.array([3.0]), np.array([[2.0]]))), "polyline") == [(54, 29)]
    assert placed(drawn(Curves(np.array([math.nan]), np.array([[math.nan]]))), "polyline") == []


def test_a_histogram_stands_on_its_axis_with_the_other_set_as_steps() -> None:
    """6 % are free above the highest of both."""
    edges = np.array([0.0, 1, 2])
    found = drawn(Histogram(edges, np.array([0.25, 0.5]), np.array([0.5, 0.0])))
    full = 50 / 1.06
    grounds, *bars = placed(found, "fill")
    assert grounds == BARE.getRect()
    assert bars == [
        pytest.approx((4, 54 - full / 2, 50, full / 2), abs=0.01),
        pytest.approx((54, 54 - full, 50, full), abs=0.01),
    ]
    (steps,) = placed(found, "polyline")
    assert steps == pytest.approx((4, 54, 4, 54 - full, 54, 54 - full, 54, 54, 104, 54, 104, 54), abs=0.01)
    alone = drawn(Histogram(edges, np.array([0.25, 0.5])))
    assert placed(alone, "polyline") == [] and placed(alone, "fill")[1:] == bars
    assert placed(drawn(Histogram(edges, np.zeros(2))), "fill")[1:] == [(4, 54, 50, 0), (54, 54, 50, 0)]


@pytest.mark.parametrize(
    ("count", "radius"),
    [(1, 2.8), (30, 2.8), (100, 0.22 * math.sqrt(50)), (1000, 1.2)],
)
def test_marks_are_smaller_where_they_are_many(count: int, radius: float) -> None:
    """A mark has 0.22 of the side of its share of the room, within bounds."""
    at = np.column_stack([np.linspace(0, 1, count), np.full(count, 0.5)])
    (marks,) = placed(drawn(Points(at)), "path")
    assert marks[3] == pytest.approx(2 * radius, abs=0.02)


def test_points_of_each_class_have_their_own_mark_and_what_is_not_finite_none() -> None:
    at = np.array([[0.0, 0], [1, 1], [math.nan, 0], [1, 0]])
    found = drawn(Points(at, np.array([0, 1, 1, 3])))
    marks = [item for item in found if item.kind == "path"]
    assert [item.brush for item in marks] == [LOOK.theme.css(token_of(number)) for number in (0, 1, 3)]
    assert [item.brush for item in drawn(Points(at)) if item.kind == "path"] == [LOOK.theme.css("text.secondary")]


def test_marks_differ_in_their_shapes() -> None:
    def box(number: int | None) -> tuple[float, ...]:
        found = strokes(lambda painter: draw_marks(painter, LOOK.theme, [QPointF(50, 50)], 10, number))
        (only,) = placed(found, "path")
        return only

    assert box(None) == box(0) == box(5) == (40, 40, 20, 20)
    assert box(1) == (41.5, 41.5, 17, 17)
    assert box(2) == (39, 38, 22, 20)
    assert box(3) == (37.5, 37.5, 25, 25)
    assert box(4) == (39, 42, 22, 20)
    assert token_of(len(TOKENS) + 1) == TOKENS[1]


def test_a_boundary_is_an_image_of_its_plane_with_lines_and_points() -> None:
    contour, points = np.array([[0.0, 0, 10, 10]]), Points(np.array([[5.0, 5]]), np.array([1]))
    shown = Boundary((0, 0), (10, 10), np.array([[0, 1], [1, 1]]), np.zeros((2, 2)), contour, points)
    found = drawn(shown)
    assert placed(found, "image") == [(4, 4, 100, 50)]
    assert placed(found, "line") == [(4, 54, 104, 4)]
    (mark,) = (item for item in found if item.kind == "path")
    assert (mark.at[0] + mark.at[2] / 2, mark.brush) == (54, LOOK.theme.css(token_of(1)))


def test_rounds_are_a_line_with_its_newest_number_above() -> None:
    shown = Rounds(np.array([0, 1, 2]), np.array([3.0, 2, 1]), is_log=False)
    (line,) = placed(drawn(shown), "polyline")
    assert line[::2] == (4, 54, 104) and line[1] < line[3] < line[5]
    large = drawn(shown, BOX)
    assert texts(large)[:2] == ["1", "round 2"]
    assert placed(large, "fill") == [(0, 16, 300, 134)]
    assert placed(large, "text")[0][:2] == (2, 0)
    assert texts(drawn(Rounds(np.array([7]), np.array([-1.0])), BOX))[1] == "round 7 · linear"
    assert texts(drawn(Rounds(np.array([7]), np.array([0.0]), is_log=False), BOX))[1] == "round 7"
    assert texts(drawn(Rounds(np.array([7]), np.array([1.0])), BOX))[1] == "round 7"
    assert texts(drawn(shown)) == []


def test_before_the_first_round_and_in_place_of_a_picture_a_sentence_stands() -> None:
    empty = Rounds(np.zeros(0, int), np.zeros(0))
    assert texts(drawn(empty, BOX)) == ["Train, and its curve over the rounds appears here."]
    found = drawn(Said("It has no elements."), BOX)
    assert texts(found) == ["It has no elements."] and placed(found, "text") == [(10, 4, 280, 142)]
    for picture in (empty, Said("It has no elements."), None):
        assert texts(drawn(picture)) == [] and placed(drawn(picture), "fill") == [BARE.getRect()]


def test_only_wide_pictures_at_a_near_zoom_have_numbers_and_a_legend() -> None:
    shown = Histogram(np.array([0.0, 1]), np.ones(1), np.ones(1))

    def has_words(width: float, scale: float = 1.0) -> bool:
        return bool(texts(drawn(shown, QRectF(0, 0, width, 150), dataclasses.replace(LOOK, scale=scale))))

    assert [has_words(180), has_words(179.9), has_words(180, 0.69), has_words(180, 0.7)] == [True, False, False, True]


DATA = Points(np.zeros((2, 2)), np.array([2, 0]))


@pytest.mark.parametrize(
    ("picture", "entries"),
    [
        (Curves(np.zeros(1), np.zeros((1, 1)), np.zeros((1, 2))), [(None, "", "data"), (None, "value", "network")]),
        (Curves(np.zeros(1), np.zeros((1, 1))), []),
        (Histogram(np.zeros(2), np.zeros(1), np.zeros(1)), [(None, "value", "y"), (None, "text.primary", "target")]),
        (Histogram(np.zeros(2), np.zeros(1)), []),
        (DATA, [(0, "", "0"), (2, "", "2")]),
        (Points(np.zeros((2, 2))), []),
        (Boundary((0, 0), (1, 1), np.zeros((1, 1), int), np.zeros((1, 1)), np.zeros((0, 4)), DATA),
         [(0, "", "0"), (2, "", "2")]),
        (None, []),
    ],
)  # fmt: skip
def test_a_legend_names_what_is_beside_each_other(picture: Picture | None, entries: list[Any]) -> None:
    assert list(legend_of(picture, "value")) == entries


def test_a_legend_stands_at_the_right_as_much_of_it_as_fits() -> None:
    found = drawn(Histogram(np.array([0.0, 1]), np.ones(1), np.ones(1)), BOX)
    words = [(item.text, item.at) for item in found if item.text in ("y", "target")]
    (target, (left, top, wide, _)), (y, (other, *_)) = words
    assert (target, y, top) == ("target", "y", 0)
    # The word ends 2 px from the edge, 4 px behind a line of 14 px; 10 px are between entries.
    assert left + wide - 1 == pytest.approx(298, abs=0.02)
    lines = [item.at for item in found if item.kind == "line"][:2]
    assert lines[0] == pytest.approx((left - 18, 7, left - 4, 7), abs=0.02)
    assert lines[1][0] == pytest.approx(other - 18, abs=0.02)
    assert lines[1][2] + 4 == pytest.approx(other, abs=0.02)
    assert placed(found, "fill")[0] == (0, 16, 300, 134)
    many = Points(np.zeros((60, 2)), np.arange(60))
    said = texts(drawn(many, QRectF(0, 0, 180, 150)))
    assert said[0] == "59" and 2 <= len([text for text in said if text.isdigit() and int(text) > 40]) < 8


# Images and matrices


def test_a_small_matrix_is_drawn_cell_by_cell_and_a_large_one_as_an_image() -> None:
    for columns in (160, 161):
        found = drawn(Heat(np.ones((1, columns)), 1, columns))
        (image,) = placed(found, "image")
        assert image == (4, 4, 100, 50)


def images(count: int, box: QRectF, labels: tuple[str, ...] = (), height: int = 8) -> list[Stroke]:
    shown = Images(np.zeros((count, height, 8, 1)), labels)
    return strokes(lambda painter: draw_images(painter, LOOK, box, shown, True))


def test_images_are_as_large_as_all_of_them_can_be() -> None:
    """3 px lie around them and between them."""
    assert placed(images(1, QRectF(0, 0, 106, 56)), "image") == [(3, 3, 50, 50)]
    assert placed(images(2, QRectF(0, 0, 106, 56)), "image") == [(3, 3, 48.5, 48.5), (54.5, 3, 48.5, 48.5)]
    four = placed(images(4, QRectF(0, 0, 109, 109)), "image")
    assert four == [(3, 3, 50, 50), (56, 3, 50, 50), (3, 56, 50, 50), (56, 56, 50, 50)]
    assert placed(images(1, QRectF(0, 0, 106, 56), height=4), "image") == [(3, 3, 100, 50)]


def test_what_is_written_below_an_image_takes_a_row() -> None:
    found = images(2, QRectF(0, 0, 106, 56), ("a", "b"))
    assert placed(found, "image") == [(3, 3, 37, 37), (43, 3, 37, 37)]
    assert [(item.text, *item.at[:2]) for item in found if item.kind == "text"] == [("a", 1.5, 40), ("b", 41.5, 40)]


def test_images_too_small_to_be_recognized_are_left_out() -> None:
    """None is smaller than 26 px: three columns of 29, and two rows."""
    found = placed(images(100, QRectF(0, 0, 93, 64)), "image")
    assert len(found) == 6
    assert found[0] == (3, 3, 27, 27) and found[4] == (33, 33, 27, 27)


# Contours


@pytest.mark.parametrize("turn", range(4))
def test_zero_lines_lie_on_the_plane_that_is_zero_there(turn: int) -> None:
    """Values that grow evenly across are 0 on a straight line, which linear interpolation finds."""
    way = np.array([(1, 2), (-2, 1), (-1, -2), (2, -1)][turn])
    x, y = np.array([0.0, 1, 3, 4]), np.array([0.0, 2, 3])
    values = way[0] * (x - 1.7) + way[1] * (y[:, None] - 1.3)
    found = zero_lines(x, y, values)
    assert len(found)
    for across, down in found.reshape(-1, 2):
        assert way[0] * (across - 1.7) + way[1] * (down - 1.3) == pytest.approx(0, abs=1e-9)
    length = np.hypot(found[:, 2] - found[:, 0], found[:, 3] - found[:, 1]).sum()
    ends = {True: [(4.0, 0.15), (0.0, 2.15)], False: [(1.05, 0.0), (2.55, 3.0)]}[turn % 2 == 0]
    assert length == pytest.approx(math.dist(*ends))


def test_lines_around_a_peak_are_closed_and_two_peaks_have_two() -> None:
    x = y = np.arange(3.0)
    peak = np.full((3, 3), -1.0)
    peak[1, 1] = 1
    found = zero_lines(x, y, peak)
    ends = found.reshape(-1, 2).tolist()
    assert len(found) == 4 and all(ends.count(end) == 2 for end in ends)
    assert sorted(map(tuple, ends))[::2] == [(0.5, 1), (1, 0.5), (1, 1.5), (1.5, 1)]
    for saddle in (np.array([[1.0, -1], [-1, 1]]), np.array([[-1.0, 1], [1, -1]])):
        assert len(zero_lines(x[:2], y[:2], saddle)) == 2
    assert zero_lines(x, y, np.ones((3, 3))).shape == (0, 4)


def test_words_stand_in_the_middle_of_a_large_picture_in_11_px() -> None:
    with recorded() as lines:
        strokes(lambda painter: draw_picture(painter, LOOK, BOX, Said("There is nothing.")))
    assert lines[1:] == ["text 10 4 280 142 middle 11px text.secondary “There is nothing.”"]
    assert texts(drawn(Said("There is nothing."), QRectF(0, 0, 20, 10))) == []
