"""Axes have round numbers, as many as have room."""

from __future__ import annotations

import pytest

from gradwire.app.look.chart_scale import Scale


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
