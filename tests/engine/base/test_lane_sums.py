"""Sums by lanes and of runs: whole numbers, whose sums are exact in any order."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base.lane_sums import FEW, LANES, PIECE, lanes_of, sums_of_runs, total_of


@pytest.mark.parametrize("size", [1, LANES, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 5 * PIECE + 7])
def test_a_lane_has_every_sixteenth_number_of_its_piece(size: int) -> None:
    numbers = np.arange(1.0, size + 1)
    found = lanes_of(numbers)
    assert found.shape == (-(-size // PIECE), LANES)
    for piece, row in enumerate(found):
        part = numbers[piece * PIECE : (piece + 1) * PIECE]
        assert row.tolist() == [part[lane::LANES].sum() for lane in range(LANES)]
    assert total_of(found) == size * (size + 1) / 2


@pytest.mark.parametrize(
    "counts", [[1], [1, 2, 3], [FEW], [FEW + 1], [FEW, FEW + 1, 1], [PIECE, 1, 100, FEW, 33, PIECE], [40, 41, 42]]
)
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_each_run_has_its_sum(counts: list[int], dtype: type) -> None:
    numbers = (np.arange(sum(counts)) * 3 - 50).astype(dtype)
    if dtype is np.complex128:
        numbers = numbers + 1j * numbers[::-1]
    ends = np.cumsum(counts)
    expected = [numbers[end - count : end].sum() for end, count in zip(ends, counts, strict=True)]
    assert sums_of_runs(numbers, np.array(counts)).tolist() == expected
