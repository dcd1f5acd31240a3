"""Numbers of a training over its rounds: what is kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.live.readings import round_log
from gradwire.app.live.readings.round_log import RoundLog, Series
from gradwire.app.live.readings.series import Chunk

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=300)


def filled(numbers: list[float], piece: int) -> Series:
    series = Series()
    for start in range(0, len(numbers), piece):
        part = numbers[start : start + piece]
        series.add(range(start, start + len(part)), part)
    return series


@given(NUMBERS, st.integers(1, 80))
def test_all_numbers_are_kept_until_a_series_is_full(numbers: list[float], piece: int) -> None:
    series = filled(numbers, piece)
    assert series.rounds.tolist() == list(range(len(numbers)))
    assert series.numbers.tolist() == numbers


@given(NUMBERS, st.integers(1, 80))
def test_a_full_series_keeps_its_extremes_each_at_its_round(numbers: list[float], piece: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(round_log, "MOST", 32)
        series = filled(numbers, piece)
    assert len(series.rounds) <= 32
    assert (np.diff(series.rounds) > 0).all()
    assert series.numbers.tolist() == [numbers[n] for n in series.rounds]
    assert (series.numbers.min(), series.numbers.max()) == (min(numbers), max(numbers))
    # The newest numbers are there as they came.
    assert series.rounds[-1] >= len(numbers) - 4


def test_rounds_that_come_again_replace_those_from_there_on() -> None:
    log = RoundLog()
    log.add(Chunk({"L": [0, 1, 2]}, {"L": [3.0, 2.0, 1.0]}))
    read = log.series("L").numbers
    log.add(Chunk({"L": [1]}, {"L": [7.0]}))
    assert log.series("L").rounds.tolist() == [0, 1]
    assert log.series("L").numbers.tolist() == [3.0, 7.0]
    # What was read before stays as it was.
    assert read.tolist() == [3.0, 2.0, 1.0]
    assert log.as_csv(["L"]) == "round,L\n0,3.0\n1,7.0\n"


def test_a_series_is_full_only_beyond_its_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 33 numbers eight groups of four keep their ends, and the one behind them stays."""
    monkeypatch.setattr(round_log, "MOST", 32)
    assert filled([*map(float, range(32))], 32).rounds.tolist() == list(range(32))
    assert filled([*map(float, range(33))], 33).rounds.tolist() == sorted([*range(0, 32, 4), *range(3, 32, 4), 32])
    level = filled([1.0] * 33, 33)
    assert level.rounds.tolist() == [*range(0, 32, 4), 32]


def test_thinned_numbers_stay_joined_where_no_round_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_log, "MOST", 8)
    series = Series()
    series.add([0, 1, 2, 3, 4, 9, 10, 11, 12], [0.0, 5.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    assert dict(zip(series.rounds.tolist(), series.are_joined.tolist(), strict=True)) == {
        0: False, 1: True, 4: True, 11: False, 12: True,
    }  # fmt: skip


def log() -> RoundLog:
    made = RoundLog()
    made.add(Chunk({"L": [0, 1, 2, 5], "a": [2, 4]}, {"L": [3.0, 2.0, 1.0, 0.5], "a": [7.0, 8.0]}))
    return made


def test_numbers_are_found_by_their_round() -> None:
    made = log()
    assert made.names == ["L", "a"]
    assert (made.newest("L"), made.newest("a"), made.newest("none")) == (0.5, 8.0, None)
    assert made.series("L").are_joined.tolist() == [False, True, True, False]
    assert made.as_csv(["L", "a", "none"]) == "round,L,a,none\n0,3.0,,\n1,2.0,,\n2,1.0,7.0,\n4,,8.0,\n5,0.5,,\n"


def points(made: RoundLog, name: str) -> tuple[list[float], ...]:
    return tuple(item.tolist() for item in made.points(name))


def test_the_round_shown_adds_the_number_with_which_it_begins() -> None:
    made = log()
    assert points(made, "L") == ([0, 1, 2, 5], [3.0, 2.0, 1.0, 0.5], [False, True, True, False])
    made.show_until(3, {"L": 9.0})
    assert points(made, "L") == ([0, 1, 2, 3], [3.0, 2.0, 1.0, 9.0], [False, True, True, True])
    assert (points(made, "a"), made.newest("L")) == (([2], [7.0], [False]), 9.0)
    made.show_until(4, {"L": 9.0})
    assert points(made, "L")[0][-1] == 4 and points(made, "L")[2][-1] is False
    made.show_until(0, {"a": 1.0})
    assert (points(made, "a"), points(made, "L"), made.names) == (([0], [1.0], [False]), ([], [], []), [])
    # What was hidden comes back until something is added.
    made.show_until(6, {})
    assert points(made, "L")[0] == [0, 1, 2, 5]
    made.show_until(2, {})
    made.add(Chunk({"a": [2]}, {"a": [5.0]}))
    made.show_until(9, {})
    assert (points(made, "L")[0], points(made, "a")) == ([0, 1], ([2], [5.0], [False]))
