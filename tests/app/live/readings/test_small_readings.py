"""The state of a loss, empty series, and pictures of the smallest numbers."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gradwire.app.live.readings import readings
from gradwire.app.live.readings.loss_state import is_loss_broken, is_loss_unknown
from gradwire.app.live.readings.notes import Note, first_of
from gradwire.app.live.readings.pictures import Pictures, thumbnail_of
from gradwire.app.live.readings.round_log import RoundLog, Series
from gradwire.app.live.readings.series import Chunk


@pytest.mark.parametrize(
    ("value", "is_unknown", "is_broken"),
    [
        (None, True, False),
        (math.nan, False, True),
        (math.inf, False, True),
        (-math.inf, False, True),
        (0.0, False, False),
        (-1e308, False, False),
    ],
)
def test_a_loss_is_a_number_or_something_is_wrong(value: float | None, is_unknown: bool, is_broken: bool) -> None:
    results: Any = SimpleNamespace(loss=SimpleNamespace(value=value))
    assert (is_loss_unknown(results), is_loss_broken(results)) == (is_unknown, is_broken)


def test_without_a_loss_or_a_run_nothing_is_wrong() -> None:
    without: Any = SimpleNamespace(loss=None)
    assert not any(wrong(results) for wrong in (is_loss_unknown, is_loss_broken) for results in (None, without))


def test_an_empty_series_stays_empty_whatever_is_shown() -> None:
    series = Series()
    for until in (0, 5, 1 << 20):
        series.show_until(until)
        assert series.rounds.size == series.numbers.size == series.are_joined.size == 0
    series.add([], [])
    assert series.rounds.size == 0


@pytest.mark.parametrize("count", [63, 64, 65, 128, 129, 300])
def test_a_series_grows_and_what_was_hidden_comes_back_until_something_is_added(count: int) -> None:
    series = Series()
    for number in range(count):
        series.add([number], [number / 2])
    series.show_until(count // 2)
    assert series.rounds.tolist() == list(range(count // 2))
    series.show_until(count)
    assert series.numbers.tolist() == [number / 2 for number in range(count)]
    assert series.are_joined.tolist() == [False] + [True] * (count - 1)
    series.show_until(10)
    series.forget_hidden()
    series.show_until(count)
    assert series.rounds.size == 10
    series.add([10, 12], [1.0, 2.0])
    assert series.are_joined.tolist()[9:] == [True, True, False]


@pytest.mark.parametrize(("n", "now", "points"), [(3, True, [1, 2, 3]), (4, True, [1, 2, 4]), (3, False, [1, 2]),
                                                  (2, True, [1, 2]), (1, True, [1, 2])])  # fmt: skip
def test_the_round_shown_joins_what_was_logged_before_it(n: int, now: bool, points: list[int]) -> None:
    log = RoundLog()
    log.add(Chunk({"L": [1, 2]}, {"L": [5.0, 4.0]}))
    log._now = n, {"L": 3.0} if now else {}
    found = log.points("L")
    assert found.rounds.tolist() == points and found.joined.tolist() == [False, True, n == 3][: len(points)]
    assert log.newest("L") == (3.0 if len(points) == 3 else 4.0)
    assert log.newest("other") is None


@pytest.mark.parametrize("number", [5e-324, 3 * 5e-324, 1e308, 1.7e308, -1.7e308, 1.0])
@pytest.mark.parametrize("shape", [(3000, 30), (4, 40_000), (9, 13), (200_000,), (65,)])
def test_the_mean_of_equal_numbers_is_that_number_however_small_or_large(shape: tuple[int, ...], number: float) -> None:
    found = thumbnail_of(np.full(shape, number))
    assert found is not None
    assert found.shape == ((min(shape[0], 4), min(shape[1], 13)) if len(shape) == 2 else (min(shape[0], 64),))
    # The order of sums is not told, which may cost some last bits; 0 would not do in place of a subnormal number.
    np.testing.assert_allclose(found, number, rtol=1e-12, atol=0)


@pytest.mark.parametrize(("places", "among", "expected"), [(16, [0, 5], [5]), (16, [3], []), (8, [5], [5]),
                                                          (16, [5, 99], [5]), (16, None, [5])])  # fmt: skip
def test_pictures_that_differ_are_found_among_all_or_some(
    places: int, among: list[int] | None, expected: list[int]
) -> None:
    at: dict[int, tuple[int, tuple[int, ...]]] = {row: (2 * row, (2,)) for row in range(places)}
    one, two = np.arange(2.0 * places), np.arange(2.0 * places)
    one[3], two[3], two[10] = math.nan, math.nan, -1
    assert Pictures(at, one).differing(Pictures(at, two), among) == expected
    # Cells of pictures that were removed lie behind the others.
    assert Pictures(at, np.append(one, 7.0)).differing(Pictures(at, two), among) == expected


@pytest.mark.parametrize("size", [readings._ONE_BY_ONE // 8, readings._ONE_BY_ONE // 8 + 1])
def test_only_a_large_tensor_becomes_a_note(size: int) -> None:
    found = readings._noted(np.ones(size))
    assert isinstance(found, Note) is (8 * size > readings._ONE_BY_ONE)
    assert readings._noted(None) is None
    if isinstance(found, Note):
        assert readings._noted(found) is found


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(3, 5), (40, 60), (2, 3, 4)])
def test_the_first_elements_come_row_by_row_whatever_their_order_in_memory(shape: tuple[int, ...], order: Any) -> None:
    array = np.asarray(np.arange(np.prod(shape)).reshape(shape), order=order)
    found = first_of(array)
    assert found.tolist() == list(range(min(array.size, readings.VALUES_KEPT))) and found.size <= array.size
