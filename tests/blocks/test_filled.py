"""Ranges, lines and masks where TensorFlow's kernels decide and no case is recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.library import library


def range_of(**numbers: Any) -> np.ndarray:
    """Returns the numbers of a Range, computed at once."""
    block_type = library["Range"]
    found: np.ndarray = block_type.function(**block_type.normalize(numbers))
    return found


@pytest.mark.parametrize(
    ("numbers", "dtype"),
    [
        ({"start": 4}, "int32"),
        ({"start": 4.0}, "float32"),
        ({"start": 4, "delta": 2.0}, "float32"),
        ({"start": 2**31, "limit": 2**31 + 1}, "int64"),
    ],
)
def test_a_range_without_dtype_is_whole_only_if_all_its_numbers_are(numbers: dict[str, Any], dtype: str) -> None:
    assert range_of(**numbers).dtype == dtype


def test_a_range_without_limit_starts_at_zero() -> None:
    np.testing.assert_array_equal(range_of(start=5, delta=2), [0, 2, 4])


def test_whole_numbers_beyond_the_precision_of_floats_are_exact() -> None:
    np.testing.assert_array_equal(range_of(start=2**62 + 1, limit=2**62 + 3, dtype="int64"), [2**62 + 1, 2**62 + 2])


def test_steps_are_counted_in_the_dtype() -> None:
    # In float64 the quotient 0.3 / 0.1 is just below 3, in float16 it is just above: tf.range gives 4 numbers there.
    assert len(range_of(start=0.0, limit=0.3, delta=0.1, dtype="float64")) == 3
    assert len(range_of(start=0.0, limit=0.3, delta=0.1, dtype="float16")) == 4


@pytest.mark.parametrize(
    "numbers",
    [
        {"start": 0, "limit": 3, "delta": 0},
        {"start": 0, "limit": 3, "delta": -1},
        {"start": -3},
        {"start": 0.5, "limit": 3, "dtype": "int32"},
        {"start": 2**31, "limit": 2**31 + 2, "dtype": "int32"},
        {"start": 0, "limit": 100_000, "dtype": "float16"},
        {"start": 0.0, "limit": 1.0, "delta": 1e-9, "dtype": "float16"},
    ],
)
def test_ranges_that_lead_nowhere_are_refused(numbers: dict[str, Any]) -> None:
    with pytest.raises(BlockError):
        gw.Range(**numbers)


def test_sources_are_expressions_of_the_inferred_shape() -> None:
    found = [gw.Zeros(shape=(2, 0)), gw.Ones(shape=()), gw.Range(start=3)]
    assert [str(item.spec) for item in found] == ["float32[2, 0]", "float32[]", "int32[3]"]


@pytest.mark.parametrize("call", [lambda: gw.Zeros(shape=(2, -1)), lambda: gw.Fill(gw.Constant(1.0), dims=(-1,))])
def test_negative_sizes_are_refused(call: Any) -> None:
    with pytest.raises(BlockError, match="at least 0"):
        call()


def test_only_a_scalar_fills() -> None:
    with pytest.raises(BlockError, match="scalar"):
        gw.Fill(gw.Constant([1.0]), dims=(2,))


@pytest.mark.parametrize(("dtype", "expected"), [("int8", "float32"), ("uint8", "float32"), ("int64", "float64")])
def test_a_line_between_whole_numbers_is_floating_point(dtype: str, expected: str) -> None:
    y = library["LinSpace"](np.array(0, dtype), np.array(10, dtype), num=5)
    assert y.dtype == expected
    np.testing.assert_array_equal(y, [0, 2.5, 5, 7.5, 10])


def test_a_line_to_infinity_starts_at_its_start() -> None:
    np.testing.assert_array_equal(library["LinSpace"](0.0, np.inf, num=4), [0, np.inf, np.inf, np.inf])


@pytest.mark.parametrize(("num", "expected"), [(0, (0, 0)), (1, (1, 0)), (2, (1, 1)), (4, (2, 2))])
def test_the_ends_of_a_line_share_what_arrives(num: int, expected: tuple[int, int]) -> None:
    start, stop = gw.Variable(1.0), gw.Variable(3.0)
    run = gw.evaluate(gw.Loss(gw.LinSpace(start, stop, num=num)))
    np.testing.assert_allclose([run.gradient(start), run.gradient(stop)], expected, rtol=1e-15)


def test_an_infinite_gradient_at_one_end_leaves_the_other_end_alone() -> None:
    start, stop = gw.Variable(1.0), gw.Variable(5.0)
    run = gw.evaluate(gw.Loss(gw.LinSpace(start, stop, num=4), gw.Constant([1.0, 2.0, 4.0, np.inf])))
    assert run.gradient(start) == pytest.approx(1 + 2 * 2 / 3 + 4 / 3)
    assert run.gradient(stop) == np.inf


def test_a_mask_of_no_sequences_and_no_limit_is_empty() -> None:
    assert library["SequenceMask"](np.zeros(0, np.int32)).shape == (0, 0)


def test_negative_lengths_mask_nothing() -> None:
    np.testing.assert_array_equal(library["SequenceMask"](np.array([1, -2])), [[True], [False]])


@pytest.mark.parametrize(("lengths", "maxlen"), [([1], -1), ([2**40], None), ([1], 2**40)])
def test_masks_of_impossible_length_are_refused(lengths: list[int], maxlen: int | None) -> None:
    with pytest.raises(BlockError, match=r"at least 0|MiB"):
        library["SequenceMask"](np.array(lengths), maxlen=maxlen)
