"""Breaks of curves: jumps and poles are found where they are, and nothing else is called one."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from gradwire.engine.explain.curve_breaks import find_breaks

Function = Callable[[float], float]
PLACES = np.linspace(-2, 2, 65).tolist()

CURVES: dict[str, tuple[Function, list[float]]] = {
    "a step": (lambda x: float(x > 0.3), [0.3]),
    "a step down on a slope": (lambda x: x / 4 - 5 * (x > -1.23), [-1.23]),
    "a step in two halves": (lambda x: 2 * math.copysign(1, x - 0.7) if x != 0.7 else 0.0, [0.7]),
    "three steps": (lambda x: float(x > -1.1) + float(x > 0.2) + float(x > 1.7), [-1.1, 0.2, 1.7]),
    # No more than the three largest changes are looked into.
    "four steps": (lambda x: sum(height * (x > at) for height, at in ((4, -1.1), (2, 0.2), (3, 1.7), (1, 1))),
                   [-1.1, 0.2, 1.7]),
    "a pole": (lambda x: 1 / (x - 0.01) if x != 0.01 else math.inf, [0.01]),
    "a parabola": (lambda x: x * x, []),
    "a kink": (abs, []),
    "a steep curve": (lambda x: math.tanh(40 * x), []),
    "a line": (lambda x: 3 * x, []),
    "a constant": (lambda _: 7.0, []),
    "rounding": (lambda x: 1e6 + 1e-9 * (x > 0.3), []),
    "a logarithm": (lambda x: math.log(x) if x > 0 else math.nan, []),
}  # fmt: skip


def breaks(function: Function, places: list[float], end: float = math.inf) -> tuple[float, ...]:
    return find_breaks(places, [function(place) for place in places], function, end)


@pytest.mark.parametrize("name", CURVES)
def test_a_curve_breaks_where_it_jumps(name: str) -> None:
    function, expected = CURVES[name]
    assert breaks(function, PLACES) == pytest.approx(expected, abs=1e-9)


def test_three_changes_are_enough_to_compare_and_two_are_not() -> None:
    function, _ = CURVES["a step"]
    assert breaks(function, [-2.0, -1.0, 0.0, 1.0]) == pytest.approx([0.3])
    assert breaks(function, [-1.0, 0.0, 1.0]) == ()


def test_nothing_is_proven_after_the_end() -> None:
    function, expected = CURVES["a step"]
    assert breaks(function, PLACES, end=-math.inf) == ()
    assert breaks(function, PLACES, end=math.inf) == pytest.approx(expected)


def test_a_jump_is_looked_into_that_exceeds_the_usual_change_four_times() -> None:
    def bent(height: float) -> Function:
        return lambda x: x + height * (x > 0.3)

    usual = PLACES[1] - PLACES[0]
    assert breaks(bent(2.9 * usual), PLACES) == ()
    assert breaks(bent(3.1 * usual), PLACES) == pytest.approx([0.3])


def test_a_curve_takes_at_most_forty_losses_for_each_of_its_three_largest_changes() -> None:
    asked: list[float] = []

    def step(x: float) -> float:
        asked.append(x)
        return float(x > -1.1) + float(x > 0.2) + float(x > 1.7)

    losses = [step(place) for place in PLACES]
    asked.clear()
    find_breaks(PLACES, losses, step)
    assert 60 < len(asked) <= 3 * 40


@pytest.mark.parametrize("at", [0, 7, -1])
@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_losses_that_are_not_finite_hide_no_jump(at: int, number: float) -> None:
    places = [float(place) for place in range(10)]
    losses = [place / 10 + 5 * (place > 4.3) for place in places]
    losses[at] = number
    found = find_breaks(places, losses, lambda place: place / 10 + 5 * (place > 4.3))
    assert found == (pytest.approx(4.3),)


@pytest.mark.parametrize(("height", "found"), [(3.0, ()), (3.001, (4.3,))])
def test_a_change_of_four_times_the_usual_one_is_usual(height: float, found: tuple[float, ...]) -> None:
    def loss(place: float) -> float:
        return math.floor(place) + height * (place > 4.3)

    places = [float(place) for place in range(10)]
    breaks = find_breaks(places, [place + height * (place > 4.3) for place in places], loss)
    assert len(breaks) == len(found)


def test_after_its_time_no_break_is_proven() -> None:
    places = [float(place) for place in range(10)]
    jump = [float(place > 4.3) * 5 for place in places]
    assert find_breaks(places, jump, lambda place: float(place > 4.3) * 5, -math.inf) == ()
    assert find_breaks(places, jump, lambda place: float(place > 4.3) * 5) == (pytest.approx(4.3),)


@pytest.mark.parametrize(("jumps", "found"), [((4.1, 4.3, 4.6), 1), ((4.1, 4.3, 4.6, 4.8), 0)])
def test_a_break_keeps_more_than_a_quarter_of_the_change(jumps: tuple[float, ...], found: int) -> None:
    def loss(place: float) -> float:
        return float(sum(place > jump for jump in jumps))

    places = [float(place) for place in range(10)]
    assert len(find_breaks(places, [loss(place) for place in places], loss)) == found
