"""Sums over many rows."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base.sums import added_up


def test_twenty_million_ones_are_not_lost_in_float32() -> None:
    # A running total in float32 ends at 16,777,216, where adding one changes nothing.
    rows = np.broadcast_to(np.ones((1, 2), np.float32), (20_000_000, 2))
    assert added_up(rows, (0,)).tolist() == [2e7, 2e7]


@pytest.mark.parametrize("shape", [(255, 3), (256, 3), (4_096, 3), (4_097, 2), (9_000, 2), (70, 80, 5)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_the_sum_is_that_of_float64(shape: tuple[int, ...], keepdims: bool) -> None:
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    axes = tuple(range(len(shape) - 1))
    found = added_up(x, axes, keepdims)
    expected = x.astype(float).sum(axes, keepdims=keepdims)
    assert found.dtype == np.float32
    # Rounding errors of a sum grow at most with the root of its length; each is 6e-8 of a partial sum of about 100.
    np.testing.assert_allclose(found, expected, atol=1e-3)
    assert found.shape == expected.shape


def test_infinity_and_nan_stay_in_their_columns() -> None:
    x = np.ones((5_000, 3))
    x[7, 0], x[4_500, 1] = np.inf, np.nan
    np.testing.assert_array_equal(added_up(x, (0,)), [np.inf, np.nan, 5_000.0])


@pytest.mark.parametrize(
    ("shape", "axes", "dtype"),
    [
        ((300, 3), (0,), "int64"),
        ((300, 3), (0,), "float16"),
        ((3, 300), (1,), "float32"),
        ((300, 3), (1,), "float32"),
        ((300, 1), (0,), "float32"),
        ((300,), (0,), "float64"),
        ((20, 20, 3), (0, 1), "float64"),
        ((20, 20, 3), (0, 2), "float64"),
        ((2, 4096, 2), (0, 1), "float32"),
        ((8193, 2), (0,), "float32"),
    ],
)
def test_sums_of_all_axes_and_dtypes_keep_the_dtype(shape: tuple[int, ...], axes: tuple[int, ...], dtype: str) -> None:
    x = np.random.default_rng(1).integers(-3, 4, shape).astype(dtype)
    for keepdims in (False, True):
        found = added_up(x, axes, keepdims)
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found, x.astype(float).sum(axes, keepdims=keepdims))


def test_sums_in_half_precision_are_those_of_numpy() -> None:
    x = np.random.default_rng(2).uniform(1, 2, (5_000, 2)).astype(np.float16)
    np.testing.assert_array_equal(added_up(x, (0,)), np.sum(x, axis=0))
