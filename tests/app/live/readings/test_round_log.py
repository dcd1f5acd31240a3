"""Numbers of a training over its rounds: what is kept, and what their average is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.live.readings import round_log
from gradwire.app.live.readings.round_log import SMOOTHING, RoundLog, Series
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


@given(NUMBERS, st.integers(1, 80))
def test_the_average_is_that_of_all_numbers(numbers: list[float], piece: int) -> None:
    weights = SMOOTHING * (1 - SMOOTHING) ** np.arange(len(numbers))[::-1]
    weights[0] /= SMOOTHING
    assert filled(numbers, piece).smoothed[-1] == pytest.approx(np.dot(weights, numbers), rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("exponent", [-1000, -537, 0, 537, 1020])
def test_the_running_average_is_the_same_at_every_exponent(exponent: int) -> None:
    numbers = np.array([3.0, -1.5, 0.25, 2.0, -3.75] * 30)
    scaled = filled(np.ldexp(numbers, exponent).tolist(), 7).smoothed
    np.testing.assert_array_equal(scaled, np.ldexp(filled(numbers.tolist(), 7).smoothed, exponent))


def test_rounds_that_come_again_replace_those_from_there_on() -> None:
    log = RoundLog()
    log.add(Chunk({"L": [0, 1, 2]}, {"L": [3.0, 2.0, 1.0]}))
    read = log.series("L").numbers
    log.add(Chunk({"L": [1]}, {"L": [7.0]}))
    assert log.series("L").rounds.tolist() == [0, 1]
    assert log.series("L").numbers.tolist() == [3.0, 7.0]
    assert log.series("L").smoothed[-1] == pytest.approx(0.9 * 3 + 0.1 * 7)
    # What was read before stays as it was.
    assert read.tolist() == [3.0, 2.0, 1.0]
    assert [log.at("L", n) for n in (-1, 0, 5)] == [None, 3.0, 7.0]
    assert log.as_csv(["L"]) == "round,L\n0,3.0\n1,7.0\n"
