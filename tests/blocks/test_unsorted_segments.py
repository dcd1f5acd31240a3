"""Extremes of segments with NaN and infinities, as TensorFlow's kernel goes over the rows."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw

NAN, INF = np.nan, np.inf
LOWEST = np.finfo(float).min


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ([1.0, 3.0, 2.0], 3.0),
        # NaN forgets the rows before it, and the next row forgets NaN.
        ([5.0, NAN, 2.0], 2.0),
        ([5.0, NAN], NAN),
        ([NAN, 2.0, 1.0], 2.0),
        ([NAN, NAN, -7.0], -7.0),
        # What a segment begins with is finite; NaN forgets it, too.
        ([-INF], LOWEST),
        ([], LOWEST),
        ([NAN, -INF], -INF),
        ([INF, NAN, -INF], -INF),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_the_extreme_of_a_segment(rows: list[float], wanted: float, sign: int) -> None:
    block = gw.UnsortedSegmentMax if sign > 0 else gw.UnsortedSegmentMin
    # Another segment has a NaN in any case, and a row of its own between those of the first; one is dropped.
    data = np.array([9.0, *rows, NAN, 4.0]) * sign
    places = np.array([-1, *([0] * len(rows)), 1, 1])
    found = np.asarray(block(data, places, num_segments=2))
    np.testing.assert_array_equal(found, [wanted * sign, 4.0 * sign])
