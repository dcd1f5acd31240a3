"""Where the bars, curves and sliders of a block stand: in proportion to their numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.shapes import BlockShape, Body
from gradwire.app.canvas.painting.blocks.thumbnails import (
    draw_bars,
    draw_curve,
    draw_hatched_wall,
    draw_reading,
    draw_sliders,
)
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.readings.readings import reading_of
from gradwire.app.look.theme import theme
from tests.app.strokes import Stroke, placed, strokes, texts

pytestmark = pytest.mark.usefixtures("qapp")
LOOK = Look(theme("dark"))
# 50 px are left for bars: 2 above them and 2 below.
BOX = QRectF(10, 20, 80, 54)


def bars(numbers: Sequence[float], has_numbers: bool = False) -> list[Stroke]:
    return strokes(lambda painter: draw_bars(painter, LOOK, BOX, numbers, has_numbers))


@pytest.mark.parametrize(
    ("numbers", "boxes", "zero"),
    [
        # Four columns of 20 px, 2 px free at both sides; 3 units are 50 px high, 2 of them above the zero line.
        (
            [1, -1, 2, 0],
            [(12, 38.67, 16, 16.67), (32, 55.33, 16, 16.67), (52, 22, 16, 33.33), (72, 54.83, 16, 1)],
            55.33,
        ),
        ([4, 2], [(12, 22, 36, 50), (52, 47, 36, 25)], 72),
        ([-4, -2], [(12, 22, 36, 50), (52, 22, 36, 25)], 22),
        ([0], [(12, 21.5, 76, 1)], 22),
        # Half a px is drawn as one, so that it is seen.
        ([100, 1.5], [(12, 22, 36, 50), (52, 71.5, 36, 1)], 72),
        ([100, 2], [(12, 22, 36, 50), (52, 71, 36, 1)], 72),
        # In narrow columns a sixth is free at both sides.
        ([1] * 16, [(10.83 + 5 * place, 22, 3.33, 50) for place in range(16)], 72),
    ],
)
def test_bars_are_as_high_as_their_numbers(numbers: list[float], boxes: list[tuple[float, ...]], zero: float) -> None:
    found = bars(numbers)
    assert [pytest.approx(box, abs=0.011) for box in boxes] == placed(found, "rect")
    assert placed(found, "line") == [(10, zero, 90, zero)]
    assert {item.brush for item in found if item.kind == "rect"} == {LOOK.theme.css("value")}


def test_numbers_stand_below_their_bars_where_all_of_them_fit() -> None:
    found = bars([1, 2], has_numbers=True)
    # Ten px less for the bars; a number may stand out a px at both sides.
    assert placed(found, "rect") == [(12, 42, 36, 20), (52, 22, 36, 40)]
    assert [(item.text, *item.at[:2]) for item in found if item.kind == "text"] == [("1", 9, 62), ("2", 49, 62)]
    assert texts(bars([1, 2], has_numbers=False)) == []
    assert texts(bars([1] * 8, has_numbers=True)) == ["1"] * 8
    assert texts(bars([1] * 7 + [-0.00123], has_numbers=True)) == []


def test_what_is_not_finite_is_a_cross_in_the_middle_of_its_column() -> None:
    for number in (math.nan, math.inf):
        found = bars([number, -4])
        assert placed(found, "rect") == [(52, 22, 36, 50)]
        crosses = [item.at for item in found if item.pen == LOOK.theme.css("alarm")]
        assert crosses == [(26, 43, 34, 51), (26, 51, 34, 43)]


def curve(*numbers: float) -> list[Stroke]:
    return strokes(lambda painter: draw_curve(painter, LOOK.theme, BOX, np.array(numbers)))


def test_a_curve_fills_its_box_but_for_a_margin() -> None:
    """3 px at the sides, 4 above and below."""
    found = curve(0, 1, 0.5)
    assert placed(found, "polyline") == [(13, 70, 50, 24, 87, 47)]
    assert placed(found, "fill") == [BOX.getRect()]
    assert placed(curve(5, 5), "polyline") == [(13, 70, 87, 70)]
    assert placed(curve(-1, 3, 1), "polyline") == [(13, 70, 50, 24, 87, 47)]


def test_a_curve_has_a_gap_where_a_number_is_not_finite_and_is_a_cross_where_none_is() -> None:
    assert placed(curve(0, 1, math.nan, 1, 0), "polyline") == [(13, 70, 31.5, 24), (68.5, 24, 87, 70)]
    assert placed(curve(math.inf, 1, 0), "polyline") == [(50, 24, 87, 70)]
    assert placed(curve(math.nan, math.nan), "line") == [(46, 43, 54, 51), (46, 51, 54, 43)]
    assert placed(curve(math.nan, math.nan), "polyline") == []


def test_a_tensor_is_bars_a_curve_or_a_heat_map_by_its_size_and_rank() -> None:
    def kinds(*shape: int) -> set[str]:
        reading = reading_of(np.arange(float(np.prod(shape))).reshape(shape))
        found = strokes(lambda painter: draw_reading(painter, LOOK, BOX, reading, False, "value"))
        return {item.kind for item in found}

    assert kinds(16) == {"rect", "line"}
    assert kinds(17) == {"fill", "polyline"}
    assert kinds(3, 4) == {"image"}
    assert kinds(0) == set()


def test_the_wall_is_hatched_every_7_px_over_its_whole_height() -> None:
    wall = QRectF(10, 20, 13, 20)
    found = strokes(lambda painter: draw_hatched_wall(painter, wall, LOOK.theme.color("stop.hatch")))
    assert placed(found, "line") == [(10, 20 + down, 23, 7 + down) for down in range(0, 33, 7)]


def sliders(
    body: Body, values: Sequence[float], gradients: Sequence[float] | None, bounds: tuple[float, float] = (-5, 5)
) -> list[Stroke]:
    shape = BlockShape(None, "", "", "", 144, 144, (), body, QRectF(10, 20, 120, 70), len(values))
    return strokes(lambda painter: draw_sliders(painter, LOOK, shape, values, gradients, bounds))


def test_a_knob_stands_at_its_share_of_the_track_filled_from_zero() -> None:
    """The track of one number is 104 px long, 8 px from the sides of the body and 31 below its top."""
    found = sliders(Body.SLIDER, [2.5], None)
    assert placed(found, "line") == [(18, 51, 122, 51), (70, 51, 96, 51)]
    assert placed(found, "ellipse") == [(91.5, 46.5, 9, 9)]
    assert texts(found) == ["2.5", "−5 … 5"]
    for value, x in ((-5, 18), (5, 122), (-9, 18), (9, 122), (math.nan, 18)):
        assert placed(sliders(Body.SLIDER, [value], None), "ellipse") == [(x - 4.5, 46.5, 9, 9)]


def test_upright_sliders_begin_at_the_bottom_and_have_their_number_below() -> None:
    """Of a body 120 px wide each of two has 60; the track is 44 px high, 8 below the top."""
    found = sliders(Body.SLIDERS, [-5, 5], None)
    assert placed(found, "line") == [(40, 72, 40, 28), (40, 50, 40, 72), (100, 72, 100, 28), (100, 50, 100, 28)]
    assert [at[:2] for at in placed(found, "ellipse")] == [(35.5, 67.5), (95.5, 23.5)]
    assert [(item.text, item.at[1]) for item in found if item.kind == "text"] == [("−5", 74), ("5", 74)]


def test_an_arrow_is_as_long_as_the_gradient_and_points_where_the_number_would_grow() -> None:
    amber = LOOK.theme.css("grad.text")

    def arrows(body: Body, *gradients: float) -> list[tuple[float, ...]]:
        found = sliders(body, [0.0] * len(gradients), gradients)
        return [item.at for item in found if item.pen == amber][::3]

    # The largest is 16 px long, beside the knob in the middle; what is shorter than half a px is left out.
    assert arrows(Body.SLIDER, 3.0) == [(70, 42, 86, 42)]
    assert arrows(Body.SLIDER, -3.0) == [(70, 42, 54, 42)]
    assert arrows(Body.SLIDERS, 2.0, -1.0) == [(48, 50, 48, 34), (108, 50, 108, 58)]
    assert arrows(Body.SLIDERS, 1.0, 0.031) == [(48, 50, 48, 34)]
    assert arrows(Body.SLIDERS, 1.0, math.inf) == [(48, 50, 48, 34)]
    assert arrows(Body.SLIDERS, 0.0, 0.0) == []


def test_an_arrow_has_two_barbs() -> None:
    found = [item.at for item in sliders(Body.SLIDER, [0.0], [3.0]) if item.pen == LOOK.theme.css("grad.text")]
    assert found[1:] == [(86, 42, 82.5, 45), (86, 42, 82.5, 39)]


def test_of_more_numbers_than_sliders_only_as_many_are_drawn() -> None:
    shape = BlockShape(None, "", "", "", 144, 144, (), Body.SLIDERS, QRectF(10, 20, 120, 70), 1)
    found = strokes(lambda painter: draw_sliders(painter, LOOK, shape, [1, 2, 3], None, (-5, 5)))
    assert len(placed(found, "ellipse")) == 1
