"""Index vectors of length 0, and updates of rows by scalars, of the same row, and of integers."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.library import library

TABLE = np.array([[7, -7], [9, 10]], np.int32)


def test_empty_index_vectors_name_the_whole_tensor() -> None:
    params = gw.Variable(np.array([1.0, 2.0]))
    y = gw.GatherNd(params, gw.Constant(np.zeros((3, 0), np.int32)))
    run = gw.evaluate(gw.Loss(y))
    np.testing.assert_array_equal(run.value(y), [[1.0, 2.0]] * 3)
    np.testing.assert_array_equal(run.gradient(params), [3.0, 3.0])


def test_a_batch_is_gathered_and_scattered_one_by_one() -> None:
    rng = np.random.default_rng(0)
    params, indices = rng.normal(size=(2, 3, 4)), rng.integers(0, 3, (2, 5, 1)).astype(np.int32)
    single = [library["GatherNd"](part, places) for part, places in zip(params, indices, strict=True)]
    np.testing.assert_array_equal(library["GatherNd"](params, indices, batch_dims=1), single)


def test_of_several_updates_of_one_place_the_last_counts() -> None:
    indices = np.array([[1], [1]], np.int32)
    y = library["TensorScatterNdUpdate"](np.zeros(3), indices, np.array([5.0, 6.0]))
    np.testing.assert_array_equal(y, [0, 6, 0])


def test_a_maximum_of_equals_is_noticed() -> None:
    maximum = library["TensorScatterNdMax"]
    assert maximum.observer is not None
    arrays = np.array([1.0, 2.0]), np.array([[1]], np.int32), np.array([2.0])
    assert maximum.observer(*arrays, maximum(*arrays)).message == "2 equal maxima share the gradient."


@pytest.mark.parametrize(
    ("name", "expected"), [("ScatterAdd", [3.0, 1.0]), ("ScatterMul", [2.0, 1.0]), ("ScatterUpdate", [2.0, 1.0])]
)
def test_a_scalar_updates_all_named_rows(name: str, expected: list[float]) -> None:
    y = library[name](np.ones(2), np.zeros(1, np.int32), np.array(2.0))
    np.testing.assert_array_equal(y, expected)


def test_integers_lose_their_fraction_when_divided() -> None:
    indices, updates = np.array([0, 1], np.int32), np.array([[2, 2], [-4, 3]], np.int32)
    np.testing.assert_array_equal(library["ScatterDiv"](TABLE, indices, updates), [[3, -3], [-2, 3]])


def test_integers_are_not_divided_by_zero() -> None:
    with pytest.raises(BlockError, match="nothing can be divided"):
        library["ScatterDiv"](TABLE, np.array([0], np.int32), np.array([[1, 0]], np.int32))


def test_no_gradient_passes_an_assignment() -> None:
    ref, value = gw.Variable(np.ones(2)), gw.Variable(np.ones(2))
    run = gw.evaluate(gw.Loss(gw.AssignAdd(ref, value)))
    assert {run.status(ref), run.status(value)} == {"non_differentiable"}
