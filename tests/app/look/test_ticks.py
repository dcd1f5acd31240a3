"""Round numbers beside an axis, ladders of them, and ramps of colours between their stops."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor

from gradwire.app.look.ramps import ramp_table
from gradwire.app.look.theme import Theme
from gradwire.app.look.ticks import LADDER, rung_below, ticks


@pytest.mark.parametrize(
    ("low", "high", "count", "expected"),
    [
        (0, 10, 5, [0, 2, 4, 6, 8, 10]), (0, 10, 10, list(range(11))), (0, 1, 2, [0, 0.5, 1]), (-3, 3, 3, [-2, 0, 2]),
        (0.5, 3.5, 3, [1, 2, 3]), (0, 7, 1, [0]), (0, 100, 1, [0, 100]), (2, 2, 5, []), (3, 2, 5, []),
        (0, 10, 0, [0, 10]),
        (0, math.inf, 5, []), (math.nan, 1, 5, []),
    ],
)  # fmt: skip
def test_an_axis_has_multiples_of_one_two_or_five(low: float, high: float, count: int, expected: list[float]) -> None:
    assert ticks(low, high, count) == pytest.approx(expected)


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(1, 12))
def test_ticks_are_even_within_the_range_and_not_too_many(low: float, span: float, count: int) -> None:
    found = ticks(low, low + span, count)
    assert len(found) <= count + 1
    slack = 1e-6 * max(abs(low), span)
    assert all(low - slack <= number <= low + span + slack for number in found)
    # The next finer steps would be more than twice to two and a half times as many.
    assert len(found) >= math.floor(count / 2.5) - 1


def test_a_ladder_climbs_by_one_two_and_five() -> None:
    assert [LADDER[rung_below(number)] for number in (1, 1.9, 2, 4.99, 5, 9.9, 10, 0.03)] == [
        1,
        1,
        2,
        2,
        5,
        5,
        10,
        0.02,
    ]
    assert rung_below(0) == rung_below(LADDER[0]) == 0
    assert rung_below(1e99) == len(LADDER) - 1


def test_a_ramp_begins_and_ends_at_its_stops_and_its_grey_is_even_in_lightness() -> None:
    """In OKLab the lightness of grey is the cube root of its linear light, and half of that is 0x63."""
    stops = [QColor("#000000"), QColor("#ffffff"), QColor("#102030")]
    table = ramp_table(stops, 9)
    assert [table[at].name() for at in (0, 4, 8)] == [stop.name() for stop in stops]
    assert table[2].name() == "#636363"
    assert ramp_table([QColor("#010203"), QColor("#0a0b0c")], 2)[0].name() == "#010203"


def test_colours_of_numbers_beyond_the_ramp_are_those_of_its_ends() -> None:
    dress = Theme("light")
    for way, low in ((dress.ramp, 0.0), (dress.diverging, -1.0)):
        assert way(low - 1).name() == way(low).name() != way(1.0).name() == way(7.0).name()
    steps = [dress.diverging(step / 50 - 1).name() for step in range(101)]
    assert len(set(steps)) > 50 and steps[50] == dress.diverging(0.001).name()


@pytest.mark.parametrize(("color", "css"), [("#ff102030", "#102030"), ("#80102030", "#80102030")])
def test_colours_in_style_sheets_have_their_opacity(color: str, css: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dress = Theme("light")
    monkeypatch.setitem(dress._colors, "text.disabled", QColor(color))
    assert dress.css("text.disabled") == css
