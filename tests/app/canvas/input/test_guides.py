"""Guides attract dragged blocks and are painted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLineF, QPointF, QRectF

from gradwire.app.canvas.input.gestures.guides import REACH, Guide, Surroundings, aligned

NO_WIRES = np.zeros((0, 2))
NOTHING = Surroundings(np.zeros((0, 4)), NO_WIRES)
NUMBERS = st.floats(-500, 500, allow_nan=False)


def among(*rects: tuple[float, float, float, float]) -> Surroundings:
    return Surroundings(np.array(rects, float), NO_WIRES)


def placed(x: float, y: float, around: Surroundings) -> tuple[float, float, list[Guide]]:
    """Returns the position of a 144 x 70 block after a drag from 0, 0 to a place."""
    return aligned(QRectF(0, 0, 144, 70), QPointF(0, 0), QPointF(x, y), around, REACH)


@given(NUMBERS, NUMBERS)
def test_alone_a_block_lies_on_the_grid_and_nothing_is_shown(x: float, y: float) -> None:
    dx, dy, guides = placed(x, y, NOTHING)
    assert dx % 16 == dy % 16 == 0
    assert abs(dx - x) <= 8 and abs(dy - y) <= 8
    assert guides == []


@given(NUMBERS, NUMBERS, st.lists(st.tuples(NUMBERS, NUMBERS, st.just(144.0), st.just(70.0)), max_size=6))
def test_nothing_is_drawn_further_than_half_the_grid(
    x: float, y: float, rects: list[tuple[float, float, float, float]]
) -> None:
    dx, dy, _ = placed(x, y, Surroundings(np.array(rects, float).reshape(-1, 4), NO_WIRES))
    # Whole px may add half a px.
    assert abs(dx - x) <= 8.5 and abs(dy - y) <= 8.5
    assert dx == round(dx) and dy == round(dy)


def test_a_left_edge_off_the_grid_attracts_and_is_shown() -> None:
    dx, _, guides = placed(200, 301, among((203, 0, 100, 50)))
    assert dx == 203
    assert Guide(QLineF(203, 0, 203, 374)) in guides


def test_the_grid_wins_where_it_is_nearer() -> None:
    assert placed(207, 301, among((203, 0, 100, 50)))[0] == 208


def test_middles_are_shown_but_do_not_attract() -> None:
    around = among((240, 200, 144, 103))
    assert placed(0, 214, around)[1] == 208
    assert placed(0, 214, among((240, 191, 144, 104)))[2] == [Guide(QLineF(0, 243, 384, 243))]


@pytest.mark.parametrize(
    ("x", "goal", "gaps"),
    [(397, 398, [(144, 199), (343, 398)]), (-198, -199, [(-55, 0), (144, 199)])],
)
def test_the_gap_between_two_others_attracts(x: float, goal: float, gaps: list[tuple[float, float]]) -> None:
    dx, _, guides = placed(x, 0, among((0, 0, 144, 70), (199, 0, 144, 70)))
    assert dx == goal
    assert [(guide.line.x1(), guide.line.x2()) for guide in guides if guide.is_gap] == gaps


def test_the_middle_between_two_others_attracts() -> None:
    dx, _, guides = placed(221, 0, among((0, 0, 144, 70), (438, 0, 144, 70)))
    assert dx == 219
    assert [(guide.line.x1(), guide.line.x2()) for guide in guides if guide.is_gap] == [(144, 219), (363, 438)]


def test_blocks_in_another_row_make_no_gaps() -> None:
    dx, _, guides = placed(399, 0, among((0, 200, 144, 70), (199, 200, 144, 70)))
    assert dx == 400
    assert not any(guide.is_gap for guide in guides)


def test_a_wire_that_becomes_straight_attracts() -> None:
    around = Surroundings(np.zeros((0, 4)), np.array([[44.0, 347.0]]))
    assert placed(0, 301, around)[1] == 303
