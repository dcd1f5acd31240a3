"""Counting at its limits; expected numbers are by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.errors import BlockError, OutOfMemoryError
from gradwire.engine.blocktypes.library import library

Bincount, Unique = library["Bincount"], library["Unique"]
X = np.array([[1, 1], [3, 0]], np.int32)
WEIGHTS = np.array([[0.5, 2.0], [4.0, np.nan]])


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, [1, 2, 0, 1]),
        ({"minlength": 6}, [1, 2, 0, 1, 0, 0]),
        ({"minlength": 6, "maxlength": 2}, [1, 2]),
        ({"maxlength": 0}, []),
        ({"binary_output": True}, [1, 1, 0, 1]),
        ({"axis": -1}, [[0, 2, 0, 0], [1, 0, 0, 1]]),
    ],
)
def test_numbers_are_counted_within_the_limits(parameters: dict[str, Any], expected: list[Any]) -> None:
    found = Bincount(X, **parameters)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, expected)


def test_weights_are_added_up_in_their_own_dtype() -> None:
    np.testing.assert_array_equal(Bincount(X, WEIGHTS), [np.nan, 2.5, 0, 4])
    np.testing.assert_array_equal(Bincount(X, WEIGHTS, axis=-1), [[0, 2.5, 0, 0], [np.nan, 0, 0, 4]])
    np.testing.assert_array_equal(Bincount(X, np.zeros(0, np.float32)), np.array([1, 2, 0, 1], np.float32))


def test_fractions_are_dropped_before_counting() -> None:
    np.testing.assert_array_equal(Bincount(np.array([1.7, 0.2, -0.5])), [2, 1])


@pytest.mark.parametrize(
    ("x", "weights", "parameters"),
    [
        (-X, None, {}),
        (X, None, {"axis": 1}),
        (X, None, {"maxlength": -1}),
        (X, WEIGHTS, {"binary_output": True}),
        (X, WEIGHTS[0], {}),
        (X, WEIGHTS.reshape(4), {"axis": -1}),
        (X[None], None, {"axis": -1}),
    ],
)
def test_what_cannot_be_counted_is_refused(x: Any, weights: Any, parameters: dict[str, Any]) -> None:
    with pytest.raises(BlockError):
        Bincount(x, weights, **parameters)


def test_a_single_large_number_does_not_fill_the_memory() -> None:
    with pytest.raises(OutOfMemoryError):
        Bincount(np.array([2**40]))


def test_each_nan_is_an_element_of_its_own_and_zeros_are_equal() -> None:
    y, idx, count = Unique(np.array([np.nan, 1.0, np.nan, 0.0, -0.0, 1.0]))
    np.testing.assert_array_equal(y, [np.nan, 1, np.nan, 0])
    np.testing.assert_array_equal(idx, [0, 1, 2, 3, 3, 1])
    np.testing.assert_array_equal(count, [1, 2, 1, 2])
