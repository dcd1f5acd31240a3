"""The range of a slider: round, with some room, and never narrower than it was."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.app.canvas.geometry.slider_ranges import SliderRanges
from gradwire.engine.graph.graph import Block


def block(value: object = None, **bounds: object) -> Block:
    return Block("x", "Input", parameters={**({} if value is None else {"value": np.asarray(value, float)}), **bounds})


@pytest.mark.parametrize(
    ("value", "reach"),
    [
        (0.4, 1), (0.5, 1), (0.8, 1), (0.84, 2), (1.0, 2), (1.6, 2), (1.7, 5), (4.1, 5), (4.2, 10), (8.3, 10),
        (8.4, 20), (99.0, 200), (150.0, 200), (420.0, 1000), (0.0, 1), (np.nan, 1), (np.inf, 1),
    ],
)  # fmt: skip
def test_a_range_is_the_next_of_1_2_5_with_a_fifth_of_room(value: float, reach: float) -> None:
    assert SliderRanges().range_of(block(value)) == (0, reach)


def test_the_largest_magnitude_counts_and_only_negative_numbers_need_both_sides() -> None:
    assert SliderRanges().range_of(block([1.0, -4.2, np.inf])) == (-10, 10)
    assert SliderRanges().range_of(block([1.0, 4.2, np.nan])) == (0, 10)
    assert SliderRanges().range_of(Block("x", "Input")) == (0, 1)


def test_a_range_widens_and_stays_wide() -> None:
    ranges = SliderRanges()
    found = [ranges.range_of(block(value)) for value in (1.0, 3.0, 1.0, -1.0, 1.0, 30.0)]
    assert found == [(0, 2), (0, 5), (0, 5), (-5, 5), (-5, 5), (-50, 50)]
    assert ranges.range_of(Block("other", "Input")) == (0, 1)


def test_bounds_of_the_block_go_before() -> None:
    assert SliderRanges().range_of(block(1.0, minimum=-3)) == (-3, 2)
    assert SliderRanges().range_of(block(1.0, maximum=7.5)) == (0, 7.5)
    assert SliderRanges().range_of(block(1.0, minimum=4, maximum=4)) == (4, 5)
    assert SliderRanges().range_of(block(1.0, minimum=4, maximum=3)) == (4, 5)
