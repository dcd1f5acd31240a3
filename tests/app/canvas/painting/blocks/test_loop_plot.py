"""The plot of |∂L| over the rounds of a loop: its scale, its line and dots, the stops between rounds, its numbers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.loop_norms import LoopNorms
from gradwire.app.canvas.geometry.loop_words import loop_words
from gradwire.app.canvas.painting.blocks.loop_plot import draw_loop, norm_scale
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.chart_scale import Scale
from gradwire.app.look.theme import theme
from tests.app.strokes import Stroke, placed, strokes, texts

pytestmark = pytest.mark.usefixtures("qapp")
LOOK = Look(theme("dark"))
# 14 px below the plot are for numbers; 5 px inside its edges are free: from 15 to 115 across, from 25 to 75 down.
BOX = QRectF(10, 20, 110, 74)


def norms(*numbers: float, stops: Sequence[int] = (), **others: bool) -> LoopNorms:
    return LoopNorms(("h",), np.array(numbers), tuple(stops), **others)


def drawn(shown: LoopNorms | None, has_numbers: bool = True, look: Look = LOOK) -> list[Stroke]:
    return strokes(lambda painter: draw_loop(painter, look, BOX, shown, has_numbers))


@pytest.mark.parametrize(
    ("numbers", "scale"),
    [
        ([0.0], Scale(0, 1)),
        ([math.nan], Scale(0, 1)),
        ([2.0, 8.0], Scale(0, 8)),
        ([1.0, 29.9], Scale(0, 29.9)),
        ([1.0, 30.0], Scale(1, 30, True)),
        ([1.0, 30.0, 0.0], Scale(0, 30, True, 1)),
        ([0.0, 8.0, math.inf], Scale(0, 8)),
    ],
)
def test_norms_of_a_large_ratio_are_drawn_by_their_powers_of_ten(numbers: list[float], scale: Scale) -> None:
    assert norm_scale(np.array(numbers)) == scale


def test_each_round_has_its_dot_on_the_line_a_hollow_one_where_the_norm_is_0() -> None:
    found = drawn(norms(4, 2, 0))
    assert placed(found, "fill") == [(10, 20, 110, 60)]
    assert placed(found, "ellipse") == [
        pytest.approx((x - 1.7, y - 1.7, 3.4, 3.4), abs=0.01) for x, y in ((15, 25), (65, 50), (115, 75))
    ]
    dots = [(item.pen, item.brush) for item in found if item.kind == "ellipse"]
    full, hollow = ("", LOOK.theme.css("grad.text")), (LOOK.theme.css("wire.zero"), LOOK.theme.css("bg.sunken"))
    assert dots == [full, full, hollow]


def test_close_rounds_have_no_dots() -> None:
    """5 px apart they have: 21 rounds over 100 px."""
    assert len(placed(drawn(norms(*range(1, 22))), "ellipse")) == 21
    assert placed(drawn(norms(*range(1, 23))), "ellipse") == []


def test_an_infinity_is_a_cross_at_the_upper_edge_only_the_first_one() -> None:
    found = drawn(norms(1, math.inf, math.inf))
    assert [item.at for item in found if item.pen == LOOK.theme.css("alarm")] == [(62, 22, 68, 28), (62, 28, 68, 22)]
    assert not [item for item in drawn(norms(1, math.nan)) if item.pen == LOOK.theme.css("alarm")]


def test_stops_stand_between_the_rounds_that_they_part() -> None:
    """Lines through the plot where they are 6 px apart, else marks of 5 px at its upper edge."""

    def stops(count: int, *rounds: int) -> list[tuple[float, ...]]:
        shown = norms(*[1.0] * count, stops=rounds)
        return [item.at for item in drawn(shown) if (item.kind, item.pen) == ("line", LOOK.theme.css("stop"))]

    assert stops(3) == []
    assert stops(3, 1) == [(40, 20, 40, 80)]
    assert stops(3, 1, 2) == [(40, 20, 40, 80), (90, 20, 90, 80)]
    assert stops(51, 1, 4) == [(16, 20, 16, 80), (22, 20, 22, 80)]
    assert stops(51, 1, 3) == [(16, 20, 16, 25), (20, 20, 20, 25)]
    assert stops(1001, 1, 2, 3) == [(15, 20, 15, 25)]


def test_the_first_and_the_last_norm_stand_below_with_what_they_are_between() -> None:
    found = drawn(norms(4, 2, 0.5))
    assert texts(found) == ["4", "0.5", "|∂L|"]
    assert {at[1] for at in placed(found, "text")} == {80}
    assert texts(drawn(norms(4))) == ["4", "|∂L|"]
    assert texts(drawn(norms(4, 2), has_numbers=False)) == []
    assert placed(drawn(norms(4, 2), has_numbers=False), "fill") == [BOX.getRect()]
    long = drawn(norms(1.2345e-10, 1.2345e-10))
    assert texts(long)[-1] != "|∂L|" and len(texts(long)) <= 2


def test_without_a_path_or_results_there_is_no_line() -> None:
    assert texts(drawn(norms(1, 2, has_path=False))) == ["no path"]
    assert texts(drawn(None)) == [] and placed(drawn(None), "fill") == [(10, 20, 110, 60)]


def test_stale_norms_are_grey() -> None:
    grey = LOOK.theme.css("text.disabled")
    found = drawn(norms(4, 2), look=dataclasses.replace(LOOK, is_stale=True))
    assert {item.pen for item in found if item.kind == "text"} >= {grey}
    assert {item.brush for item in found if item.kind == "ellipse"} == {grey}


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (None, ""),
        (norms(1, 2, has_path=False), ""),
        (norms(2), "|∂L| of h: 2 at round 0"),
        (norms(1, 2, 3), "|∂L| of h by round: 1 at round 0 … 3 at round 2"),
        (norms(1, 2, 3, stops=[1]), "|∂L| of h by round: 1 at round 0 … 3 at round 2; blocked at round 1"),
        (norms(1, 2, 3, stops=[1, 2]), "|∂L| of h by round: 1 at round 0 … 3 at round 2; blocked at rounds 1, 2"),
    ],
)
def test_words_tell_of_the_ends_and_of_stops(shown: LoopNorms | None, words: str) -> None:
    assert loop_words(shown) == words


@pytest.mark.parametrize(
    ("count", "said"),
    [(4, "1, 2, 3, 4"), (5, "1, 2, 3, 4, 5"), (6, "1, 2, 3, 4 … 6"), (9, "1, 2, 3, 4 … 9")],
)
def test_of_many_stops_four_are_named_and_the_last(count: int, said: str) -> None:
    shown = norms(*[1.0] * 20, stops=range(1, count + 1))
    assert loop_words(shown).endswith(f"; blocked at rounds {said}")
