"""Segments with NaN, gaps, integers and wrong ids; sums and extremes are judged by NumPy on slices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.library import library

DATA = np.array([[3.0, 1.0], [-2.0, 5.0], [4.0, -1.0], [0.5, 2.0], [7.0, 0.25]])
IDS = np.array([0, 0, 0, 2, 2], np.int32)
ON_SLICES: dict[str, Any] = {"Sum": np.sum, "Mean": np.mean, "Min": np.min, "Max": np.max, "Prod": np.prod}


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


@pytest.mark.parametrize("name", ON_SLICES)
def test_a_segment_is_reduced_as_its_slice_is(name: str) -> None:
    order = np.array([3, 0, 4, 2, 1])
    found = library[f"Segment{name}"](DATA, IDS)
    unsorted = library[f"UnsortedSegment{name}"](DATA[order], IDS[order], num_segments=3)
    for segment in (0, 2):
        expected = ON_SLICES[name](DATA[segment == IDS], axis=0)
        np.testing.assert_allclose(found[segment], expected, rtol=1e-15)
        np.testing.assert_allclose(unsorted[segment], expected, rtol=1e-15)


@pytest.mark.parametrize("name", ["SegmentMax", "SegmentMin"])
def test_nan_wins_in_its_segment_and_gets_no_gradient(name: str) -> None:
    data = gw.Variable(np.array([1.0, np.nan, 2.0]))
    y = library[name](data, gw.Constant(ids(0, 0, 1)))
    run = gw.evaluate(gw.Loss(y))
    np.testing.assert_array_equal(run.value(y), [np.nan, 2.0])
    np.testing.assert_array_equal(run.gradient(data), [0.0, 0.0, 1.0])


@pytest.mark.parametrize("name", ["SegmentMax", "UnsortedSegmentMax", "SegmentMin", "UnsortedSegmentMin"])
def test_equal_extremes_are_noticed(name: str) -> None:
    block_type = library[name]
    parameters = {"num_segments": 2} if name.startswith("Unsorted") else {}
    arrays = np.array([3.0, 3.0, 1.0]), ids(0, 0, 1)
    assert block_type.observer is not None
    seen = block_type.observer(*arrays, block_type(*arrays, **parameters), **parameters)
    assert seen.message.startswith("2 equal")
    arrays = np.array([3.0, 2.0, 1.0]), ids(0, 0, 1)
    assert block_type.observer(*arrays, block_type(*arrays, **parameters), **parameters) is None


def test_the_mean_of_integers_is_cut_if_sorted_and_exact_if_not() -> None:
    data = np.array([-3, 0, 5], np.int32)
    np.testing.assert_array_equal(library["SegmentMean"](data, ids(0, 0, 1)), np.array([-1, 5], np.int32))
    mean = library["UnsortedSegmentMean"](data, ids(0, 0, 1), num_segments=2)
    assert mean.dtype == np.float64
    np.testing.assert_array_equal(mean, [-1.5, 5.0])


def test_float16_is_added_up_in_a_wider_dtype() -> None:
    # One by one in float16 the sum would stop at 2048, where the next number is 2050.
    ones, zeros = np.ones(3000, np.float16), np.zeros(3000, np.int32)
    assert library["SegmentSum"](ones, zeros)[0] == 3000
    assert library["SparseSegmentMean"](ones, np.arange(3000, dtype=np.int32), zeros)[0] == 1


def test_an_infinite_maximum_stays_if_sorted_and_becomes_finite_if_not() -> None:
    """TensorFlow starts unsorted maxima from the lowest finite number."""
    data = np.array([-np.inf, -np.inf])
    assert library["SegmentMax"](data, ids(0, 0))[0] == -np.inf
    assert library["UnsortedSegmentMax"](data, ids(0, 0), num_segments=1)[0] == np.finfo(np.float64).min


LAST = np.array([0, 1, 2, 3, 2**62])
WRONG = [
    ("SegmentMax", (DATA, LAST), {}, "MiB"),
    ("SparseSegmentMean", (DATA, ids(0, 1), ids(0, 1)), {"num_segments": 2**62}, "MiB"),
    ("DynamicStitch", (LAST, DATA), {}, "MiB"),
    ("SegmentSum", (DATA, ids(0, 1, 0, 2, 2)), {}, "sorted"),
    ("SegmentSum", (DATA, ids(-1, 0, 0, 2, 2)), {}, "at least 0"),
    ("SegmentSum", (DATA, ids(0, 0)), {}, "one id for each row"),
    ("UnsortedSegmentSum", (DATA, ids(0, 1, 0, 2, 3)), {"num_segments": 3}, "from 0 to 2"),
    ("SparseSegmentSum", (DATA, ids(0, 5), ids(0, 1)), {}, "from 0 to 4"),
    ("SparseSegmentSum", (DATA, ids(0, 1), ids(0, 3)), {"num_segments": 3}, "below num_segments"),
    ("SparseSegmentSum", (DATA, ids(0, 1), ids(1, 0)), {}, "sorted"),
]


@pytest.mark.parametrize(("name", "arrays", "parameters", "words"), WRONG)
def test_ids_that_do_not_fit_are_refused(name: str, arrays: Any, parameters: Any, words: str) -> None:
    with pytest.raises(BlockError, match=words):
        library[name](*arrays, **parameters)


def test_the_number_of_segments_may_be_given_to_picked_rows() -> None:
    y = library["SparseSegmentSum"](DATA, ids(1, 1), ids(0, 2), num_segments=5)
    np.testing.assert_array_equal(y, [DATA[1], [0, 0], DATA[1], [0, 0], [0, 0]])
