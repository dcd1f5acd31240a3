"""Axes have round numbers, as many as have room."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.look.chart_scale import LINEAR, LOG, SYMLOG, Scale, scale_of


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
