"""Axes have round numbers, as many as have room."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.look.chart_scale import LINEAR, LOG, SYMLOG, Scale, kind_text, reduced, scale_of


@pytest.mark.parametrize(
    ("low", "high", "count", "expected"),
    [
        (0.09, 7.7, 5, [0.1, 0.2, 0.5, 1, 2, 5]),
        (0.09, 7.7, 4, [0.1, 0.3, 1, 3]),
        (0.09, 7.7, 2, [0.1, 1]),
        (1e-6, 10, 4, [1e-6, 1e-4, 1e-2, 1]),
        (1.2, 1.9, 4, [1.2, 1.4, 1.6, 1.8]),
    ],
)
def test_a_logarithmic_axis_has_round_numbers(low: float, high: float, count: int, expected: list[float]) -> None:
    assert Scale(low, high, is_log=True).ticks(count) == pytest.approx(expected)


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(FINITE, min_size=1, max_size=12), st.booleans())
def test_every_number_has_its_place_and_larger_ones_are_higher(numbers: list[float], is_log: bool) -> None:
    scale = scale_of([np.array(numbers)], is_log)
    assert scale is not None
    shares = scale.share(np.array(sorted(numbers)))
    assert np.isfinite(shares).all()
    assert (np.diff(shares) >= 0).all()
    assert -1e-9 <= shares[0] <= shares[-1] <= 1 + 1e-9
    least = min(numbers)
    is_plain = not is_log or least < 0 or max(numbers) <= 0
    assert scale.kind == (LINEAR if is_plain else SYMLOG if least == 0 else LOG)
    assert all(np.isfinite(scale.ticks(4)))


@given(st.lists(st.integers(-307, 307), min_size=2, max_size=8, unique=True), st.booleans())
def test_each_power_of_ten_is_as_high_as_any_other(powers: list[int], has_zero: bool) -> None:
    numbers = [10.0**power for power in sorted(powers)]
    scale = scale_of([np.array([0.0, *numbers] if has_zero else numbers)], True)
    assert scale is not None
    shares = scale.share(np.array(numbers))
    steps = np.diff(shares) / np.diff(sorted(powers))
    np.testing.assert_allclose(steps, steps[0], rtol=1e-6)
    # 0 stands apart from the smallest number, as far as a tenth of all.
    assert not has_zero or shares[0] > 0.09


@pytest.mark.parametrize(
    ("numbers", "is_log", "low", "high"),
    [
        ([0.0, 100.0], False, -6, 106), ([5.0], False, 4.5, 5.5),
        ([-5.0, -5.0], False, -5.5, -4.5), ([0.0], False, -1, 1),
        ([1.0, 100.0], True, 1, 100), ([10.0], True, 8, 12.5), ([10.0, 10.05], True, 8, 12.5625),
        ([0.0, 2.0, 8.0], True, 0, 8), ([-1.0, 1.0], True, -1.12, 1.12), ([0.0, 0.0], True, -1, 1),
    ],
)  # fmt: skip
def test_a_scale_leaves_room_around_its_numbers(numbers: list[float], is_log: bool, low: float, high: float) -> None:
    """The room above and below is 6 % of the span; one number has a tenth of itself, or a quarter."""
    scale = scale_of([np.array(numbers), np.array([np.nan])], is_log)
    assert scale is not None
    assert (scale.low, scale.high) == pytest.approx((low, high))


def test_a_scale_without_a_span_has_one_place() -> None:
    for scale in (Scale(5.0, 5.0), Scale(5.0, 5.0, True)):
        assert scale.share(np.array([5.0])).tolist() == [0.0]
    assert [kind_text(kind) for kind in (LINEAR, LOG, SYMLOG)] == ["linear", "log", "log, with 0"]


def test_a_series_is_reduced_to_the_extremes_of_each_column() -> None:
    """Up to four numbers a column stay as they are; of 20 each of four columns has its least and its greatest."""
    rounds, numbers = np.arange(20), np.array([3, 1, 2, 9, 4] * 4, float) + np.repeat([0, 10, 20, 30], 5)
    few = reduced(rounds[:16], numbers[:16], 0, 16, 4)
    assert [item.tolist() for item in few] == [rounds[:16].tolist(), numbers[:16].tolist()]
    found = reduced(rounds, numbers, 0, 20, 4)
    assert [item.tolist() for item in found] == [[0, 0, 5, 5, 10, 10, 15, 15], [1, 9, 11, 19, 21, 29, 31, 39]]
    # Columns without rounds have no extremes.
    late = reduced(rounds + 40, numbers, 0, 80, 4)
    assert [item.tolist() for item in late] == [[40, 40], [1, 39]]
    assert [item.tolist() for item in reduced(rounds, numbers, -20, 20, 4)] == [[0, 0, 10, 10], [1, 19, 21, 39]]


def test_without_a_finite_number_there_is_no_scale() -> None:
    assert scale_of([], False) is scale_of([np.array([np.nan, np.inf])], True) is None


def test_zero_keeps_a_place_of_its_own_below_powers_of_ten() -> None:
    scale = Scale(0.0, 1e3, True, 1e-1)
    shares = scale.share(np.array([0.0, 0.1, 1.0, 10.0, 1000.0]))
    np.testing.assert_allclose(shares, np.array([0, 1, 2, 3, 5]) / 5)
    assert scale.ticks(4) == pytest.approx([0, 0.1, 10, 1000])
    long = Scale(0.0, 1e29, True, 1e-1)
    np.testing.assert_allclose(long.share(np.array([0.1])), [3 / 33])
