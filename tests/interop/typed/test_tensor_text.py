"""Tensors read from texts that people write and paste, and texts that read back as the same tensor."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gradwire.engine.base.errors import ParameterError
from gradwire.interop.typed.tensor_text import array_text, numpy_text, read_array, read_nested


@pytest.mark.parametrize(
    ("text", "dtype", "expected"),
    [
        ("[1, 3, 3]", "float64", [1.0, 3.0, 3.0]),
        ("1, 3, 3", "float32", [1.0, 3.0, 3.0]),
        ("[[1 2] [3 4]]", "int32", [[1, 2], [3, 4]]),
        ("[nan, -inf, inf]", "float16", [math.nan, -math.inf, math.inf]),
        ("(true, false)", "bool", [True, False]),
        ("2.5", "float64", 2.5),
        ("[]", "float64", []),
    ],
)
def test_a_tensor_is_read_in_its_dtype(text: str, dtype: str, expected: object) -> None:
    array = read_array(text, np.dtype(dtype))
    assert array.dtype == dtype
    np.testing.assert_array_equal(array, np.array(expected, dtype))


@pytest.mark.parametrize(
    ("text", "dtype"),
    [("[1.5]", "int32"), ("300", "uint8"), ("1e6", "float16"), ("[nan]", "int8"), ("9" * 30, "int64")],
)
def test_a_number_that_the_dtype_cannot_hold_is_refused(text: str, dtype: str) -> None:
    with pytest.raises(ParameterError):
        read_array(text, np.dtype(dtype))


def test_a_real_minus_sign_is_read_too() -> None:
    assert read_nested("−.5") == -0.5


def test_int64_keeps_its_last_digit() -> None:
    array = read_array("[9007199254740993]", np.dtype(np.int64))
    assert int(array[0]) == 9007199254740993


@pytest.mark.parametrize("text", ["[" * 5000, "[" * 20 + "]" * 20, "[1,,2]", "lambda: 0", "1+1", "[1;2]", "", "]"])
def test_what_is_no_list_of_numbers_is_refused(text: str) -> None:
    with pytest.raises(ParameterError):
        read_nested(text)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "bool"])
def test_the_text_of_a_tensor_reads_back_as_the_same_tensor(dtype: str) -> None:
    array = np.random.default_rng(5).normal(size=(2, 3, 2)).astype(dtype)
    again = read_array(array_text(array), np.dtype(dtype))
    assert again.tobytes() == array.tobytes()


@pytest.mark.parametrize(
    ("text", "dtype", "shape"),
    [
        ("array([[1., 2.], [3., 4.]])", "float64", (2, 2)),
        ("array([[1., 2.],\n       [3., 4.]], dtype=float32)", "float32", (2, 2)),
        ("np.array([1, 2], dtype=np.int8)", "int8", (2,)),
        ("tensor([[1.5]], dtype=torch.float16, device='cuda:0')", "float16", (1, 1)),
        ("array([], shape=(0, 3), dtype=int64)", "int64", (0, 3)),
        ("array(3.)", "float64", ()),
        ("[[1. 2.]\n [3. 4.]]", "float64", (2, 2)),
        ("array([ True, False])", "bool", (2,)),
    ],
)
def test_what_numpy_prints_is_read(text: str, dtype: str, shape: tuple[int, ...]) -> None:
    array = read_array(text)
    assert (array.dtype.name, array.shape) == (dtype, shape)


def test_nan_and_infinity_are_read_in_an_array() -> None:
    np.testing.assert_array_equal(read_array("array([nan, inf, -inf])"), [math.nan, math.inf, -math.inf])


def test_a_named_dtype_wins_over_that_of_the_tensor() -> None:
    assert read_array("array([1], dtype=int16)", np.dtype(np.float64)).dtype == np.int16


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1, 2, ..., 9]", "was shortened"),
        ("array([1], dtype=complex64)", "complex64"),
        ("[[1, 2],\n [3, x]]", "line 2, column 6"),
        ("[[1, 2], [3]]", "different lengths"),
        ("[1, 2.5, 3]", "2.5 at index [1]"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ParameterError) as refused:
        read_array(text, np.dtype(np.int32))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "array",
    [
        np.array([[0.1, math.nan], [-math.inf, 1e-300]]),
        np.array(2.5, np.float16),
        np.array([1, -2], np.int8),
        np.array([True, False]),
        np.zeros((0, 3), np.int32),
        np.random.default_rng(1).normal(size=(40, 30)).astype(np.float32),
    ],
)
def test_numpy_text_makes_the_same_array_in_python_and_here(array: np.ndarray) -> None:
    text = numpy_text(array)
    made = eval(text, {"np": np})
    again = read_array(text).reshape(array.shape)
    assert made.tobytes() == again.tobytes() == array.tobytes()
    assert made.dtype == again.dtype == array.dtype
