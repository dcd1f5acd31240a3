"""Tensors for display: what they are called, how large they are, and their slices."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.app.kit.values.value_parts import Shown, part_of, share_between
from gradwire.engine.base.tensor_spec import Array

CUBE = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("array", "shape", "size", "top"),
    [
        (None, (), 0, 0.0),
        (np.array([3.0, -5.0]), (2,), 2, 5.0),
        (np.array([[7.0, -5.0]]), (1, 2), 2, 7.0),
        (np.array([np.nan, np.inf, 2.0]), (3,), 3, 2.0),
    ],
)
def test_a_part_knows_its_size_and_largest_magnitude(
    array: Array | None, shape: tuple[int, ...], size: int, top: float
) -> None:
    part = part_of(Shown("v", array))
    assert (part.shape, part.size, part.top, part.token) == (shape, size, top, "value")
    assert part_of(Shown("v", array, True)).token == "grad.text"
    assert (part.reading is None) is (array is None)


@pytest.mark.parametrize(
    ("array", "index", "kept", "expected"),
    [
        (CUBE, (1,), 2, CUBE[1]),
        (CUBE, (), 3, CUBE),
        (CUBE[0], (), 2, CUBE[0]),
        (CUBE[0, 0], (), 2, CUBE[0, 0]),
        (CUBE[None], (0, 1), 2, CUBE[1]),
        (CUBE[None], (0,), 3, CUBE),
        # An axis without elements has no slice; what is left is as wide as the others are.
        (np.zeros((0, 3, 4)), (0,), 2, np.zeros((0, 4))),
        (np.zeros((0, 2, 3, 4)), (0,), 3, np.zeros((0, 0, 4))),
        (np.zeros((2, 0, 4)), (1,), 2, np.zeros((0, 4))),
    ],
)
def test_a_slice_has_the_last_axes(array: Array, index: tuple[int, ...], kept: int, expected: Array) -> None:
    found = part_of(Shown("v", array)).sliced(index, kept).array
    assert found is not None and found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


def test_an_unknown_tensor_has_no_slice() -> None:
    part = part_of(Shown("v", None))
    assert part.sliced((1, 2), 2) is part


@pytest.mark.parametrize(
    ("number", "low", "high", "share"),
    [(1.0, 1.0, 5.0, 0.0), (5.0, 1.0, 5.0, 1.0), (2.0, 1.0, 5.0, 0.25), (0.0, -1.6e308, 1.6e308, 0.5)],
)
def test_the_share_of_a_number_between_two_ends(number: float, low: float, high: float, share: float) -> None:
    assert share_between(number, low, high) == share
    np.testing.assert_array_equal(share_between(np.array([number, low]), low, high), [share, 0.0])
