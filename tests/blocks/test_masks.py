"""Masks along axes counted from the end, and stitching as the opposite of partitioning."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.library import library

X = np.arange(24.0).reshape(2, 3, 4)


def test_a_masked_axis_may_be_counted_from_the_end() -> None:
    mask = np.array([True, False, True, True])
    np.testing.assert_array_equal(library["BooleanMask"](X, mask, axis=-1), X[:, :, mask])


@pytest.mark.parametrize("mask", [np.array(True), np.array([True, False, True]), np.ones((2, 3, 4, 1), bool)])
def test_a_mask_that_does_not_fit_is_refused(mask: np.ndarray) -> None:
    with pytest.raises(BlockError, match="mask"):
        library["BooleanMask"](X, mask)


def test_nan_counts_as_true_and_minus_zero_does_not() -> None:
    np.testing.assert_array_equal(library["WhereIndices"](np.array([np.nan, -0.0, 0.0, -2.0])), [[0], [3]])


def test_a_mask_may_depend_on_the_values_it_masks() -> None:
    x = gw.Variable(np.array([1.0, -2.0, 3.0]))
    y = gw.BooleanMask(x, gw.Greater(x, 0)) * 2.0
    run = gw.evaluate(gw.Loss(y))
    np.testing.assert_array_equal(run.value(y), [2.0, 6.0])
    np.testing.assert_array_equal(run.gradient(x), [2.0, 0.0, 2.0])


def test_stitching_undoes_partitioning() -> None:
    rng = np.random.default_rng(0)
    data, partitions = rng.normal(size=(3, 4, 2)), rng.integers(0, 3, (3, 4)).astype(np.int32)
    places = np.arange(12, dtype=np.int32).reshape(3, 4)
    x = gw.Variable(data)
    parts = gw.DynamicPartition(x, gw.Constant(partitions), num_partitions=3)
    where = gw.DynamicPartition(gw.Constant(places), gw.Constant(partitions), num_partitions=3)
    y = gw.DynamicStitch(*where, *parts)
    weights = rng.normal(size=(12, 2))
    run = gw.evaluate(gw.Loss(y, weights))
    np.testing.assert_array_equal(run.value(y), data.reshape(12, 2))
    np.testing.assert_array_equal(run.gradient(x), weights.reshape(3, 4, 2))


def test_a_place_that_nothing_is_stitched_to_is_zero() -> None:
    np.testing.assert_array_equal(library["DynamicStitch"](np.array([2, 0], np.int32), np.array([5.0, 6.0])), [6, 0, 5])


def test_stitching_refuses_data_without_indices_and_negative_places() -> None:
    with pytest.raises(BlockError, match="as many indices as data"):
        library["DynamicStitch"](np.array([0], np.int32))
    with pytest.raises(BlockError, match="index -1"):
        library["DynamicStitch"](np.array([-1, 1], np.int32), np.array([5.0, 6.0]))
    with pytest.raises(BlockError, match="integers"):
        library["DynamicStitch"](np.array([0.0]), np.array([5.0]))
