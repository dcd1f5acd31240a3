"""Sorting and searching with equal numbers, NaN and the ends of integers; expected numbers are by hand."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library

NAN = np.nan


@pytest.mark.parametrize(
    ("direction", "values", "places"),
    [("ASCENDING", [1, 2, 2, NAN, NAN], [3, 0, 4, 1, 2]), ("DESCENDING", [NAN, NAN, 2, 2, 1], [1, 2, 0, 4, 3])],
)
def test_equal_numbers_keep_their_order_and_nan_is_the_greatest(
    direction: str, values: list[float], places: list[int]
) -> None:
    x = np.array([2, NAN, NAN, 1, 2])
    np.testing.assert_array_equal(library["Sort"](x, direction=direction), values)
    np.testing.assert_array_equal(library["ArgSort"](x, direction=direction), places)


def test_the_first_of_equal_numbers_at_the_boundary_is_among_the_largest() -> None:
    values, indices = library["TopK"](np.array([1.0, 5.0, 3.0, 3.0]), k=2)
    np.testing.assert_array_equal(values, [5, 3])
    np.testing.assert_array_equal(indices, [1, 2])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64"])
def test_the_ends_of_integers_are_sorted_in_either_direction(dtype: str) -> None:
    limits = np.iinfo(dtype)
    x = np.array([3, limits.max, limits.min], dtype)
    np.testing.assert_array_equal(library["Sort"](x), [limits.min, 3, limits.max])
    np.testing.assert_array_equal(library["Sort"](x, direction="DESCENDING"), [limits.max, 3, limits.min])


@pytest.mark.parametrize(
    ("block_type", "x", "count"),
    [
        (library["Sort"], [3.0, 1.0, 3.0, 3.0], 2),
        (library["Sort"], [3.0, 1.0, 2.0], 0),
        (library["TopK"], [3.0, 5.0, 3.0, 1.0, 1.0], 1),
        (library["TopK"], [5.0, 4.0, 1.0, 1.0], 0),
    ],
    ids=lambda item: item.name if isinstance(item, BlockType) else None,
)
def test_ties_that_decide_are_mentioned(block_type: BlockType, x: list[float], count: int) -> None:
    parameters = {"k": 2} if block_type.name == "TopK" else {}
    y = block_type(gw.Variable(np.array(x)), **parameters)
    run = gw.evaluate(gw.Loss(y[0] if isinstance(y, tuple) else y))
    pairs = "pair" if count == 1 else "pairs"
    assert len(run.problems) == bool(count)
    assert all(f"{count} equal {pairs}: the first in x comes first." in problem for problem in run.problems)


@pytest.mark.parametrize("side", ["left", "right"])
def test_rows_of_any_rank_are_searched_each_in_its_own(side: str) -> None:
    rng = np.random.default_rng(0)
    sequence = np.sort(rng.integers(0, 5, (2, 3, 6)), axis=-1)
    values = rng.integers(-1, 6, (6, 4))
    expected = [np.searchsorted(row, own, side) for row, own in zip(sequence.reshape(6, 6), values, strict=True)]
    np.testing.assert_array_equal(library["SearchSorted"](sequence, values, side=side), expected)


def test_nan_is_searched_at_the_end_of_its_side() -> None:
    sequence, values = np.array([1.0, 2.0, 3.0]), np.array([NAN])
    found = [library["SearchSorted"](sequence, values, side=side)[0] for side in ("left", "right")]
    assert found == [0, 3]


def test_boundaries_are_rounded_to_float32() -> None:
    wide, narrow = (np.array([0.1, NAN]).astype(dtype) for dtype in ("float64", "float32"))
    np.testing.assert_array_equal(library["Bucketize"](wide, boundaries=[0.1, 0.5]), [0, 2])
    np.testing.assert_array_equal(library["Bucketize"](narrow, boundaries=[0.1, 0.5]), [1, 2])


@pytest.mark.parametrize("boundaries", [[2.0, 1.0], [1.0, NAN], ["low"], 3.0])
def test_boundaries_have_to_be_sorted_numbers(boundaries: object) -> None:
    with pytest.raises(BlockError, match="boundaries must"):
        gw.Bucketize(gw.Variable(np.zeros(2)), boundaries=boundaries)


def test_a_row_with_an_infinite_prediction_is_never_in() -> None:
    predictions = np.array([[2.0, 1.0], [2.0, np.inf], [2.0, NAN], [2.0, 2.0], [2.0, 1.0]])
    found = library["InTopK"](np.array([0, 0, 0, 1, 7]), predictions, k=1)
    np.testing.assert_array_equal(found, [True, False, False, True, False])


@pytest.mark.parametrize("numbers", [[0, 0], [0, 2], [-1, 0], [1, 1, 1]])
def test_what_is_no_permutation_is_refused(numbers: list[int]) -> None:
    for dtype in ("int64", "uint8"):
        if min(numbers) >= 0 or dtype != "uint8":
            with pytest.raises(BlockError):
                library["InvertPermutation"](np.array(numbers, dtype))


def lower_bound(row: list[float], wanted: float) -> int:
    """Returns the place that std::lower_bound finds, also in a row that is not sorted."""
    first, count = 0, len(row)
    while count > 0:
        step = count // 2
        if row[first + step] < wanted:
            first, count = first + step + 1, count - step - 1
        else:
            count = step
    return first


def test_rows_that_are_not_sorted_are_searched_as_by_the_standard_library() -> None:
    rng = np.random.default_rng(3)
    for size in range(1, 14):
        row, values = rng.integers(0, 9, size).astype(float), np.arange(-1.0, 10.0)
        found = library["SearchSorted"](row, values)
        np.testing.assert_array_equal(found, [lower_bound(row.tolist(), value) for value in values])
