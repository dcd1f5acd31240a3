"""Pieces of exported programs: arrays, names and texts, and what Python reads back from them."""

from __future__ import annotations

import ast
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays, floating_dtypes, integer_dtypes

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.export.program_text import (
    FreeNames,
    TensorText,
    array_text,
    identifier,
    is_atom,
    is_short,
    number_text,
    operand,
    text_literal,
)
from gradwire.engine.export.source_functions import literal, snake_case


def read(text: str) -> Array:
    """Returns what Python makes of source."""
    import base64

    found: Array = eval(text, {"np": np, "base64": base64})
    return found


kinds = floating_dtypes(endianness="<") | integer_dtypes(endianness="<") | st.just(np.dtype(bool))


@given(arrays(kinds, array_shapes(min_dims=0, min_side=0, max_side=4)))
def test_the_text_of_an_array_is_read_back_bit_by_bit(value: Array) -> None:
    # A NaN is written as the usual one.
    value[value != value] = np.nan if value.dtype.kind == "f" else 0
    found = read(array_text(value))
    assert (found.dtype, found.shape, found.tobytes()) == (value.dtype, value.shape, value.tobytes())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.array([1.0, -0.5]), "np.array([1.0, -0.5])"),
        (np.array([1, 2]), "np.array([1, 2])"),
        (np.array(True), "np.array(True)"),
        (np.array([0.1, 2.0], np.float32), "np.array([0.1, 2.0], dtype='float32')"),
        (np.array([3], np.int8), "np.array([3], dtype='int8')"),
        (np.array([np.inf, np.nan]), "np.array([np.inf, np.nan])"),
        (np.zeros((0, 3)), "np.zeros((0, 3))"),
        (np.zeros((2, 0), np.int64), "np.zeros((2, 0), dtype='int64')"),
        (np.zeros((0,), bool), "np.zeros((0,), dtype='bool')"),
        (np.broadcast_to(0.0, (2, 3)), "np.zeros((2, 3))"),
        (np.broadcast_to(1.0, (2,)), "np.ones((2,))"),
        (np.broadcast_to(np.float32(1), (2,)), "np.ones((2,), dtype='float32')"),
        (np.broadcast_to(2, (2, 2)), "np.full((2, 2), 2, dtype='int64')"),
        (np.broadcast_to(2.5, (3,)), "np.full((3,), 2.5)"),
        (np.broadcast_to(2.5, (1,)), "np.array([2.5])"),
        (np.zeros(2), "np.array([0.0, 0.0])"),
        # Only one of the two strides is zero.
        (np.broadcast_to(np.array([1.0, 2.0]), (2, 2)), "np.array([[1.0, 2.0], [1.0, 2.0]])"),
    ],
)
def test_an_array_is_written_in_the_fewest_words(value: Array, text: str) -> None:
    assert array_text(value) == text


def test_up_to_1024_numbers_are_written_out_and_more_are_packed() -> None:
    written, packed = array_text(np.arange(1024.0)), array_text(np.arange(1025.0).reshape(5, 205).T)
    assert written.startswith("np.array([0.0, 1.0, ") and "base64" not in written
    assert packed.startswith('np.frombuffer(base64.b64decode("') and len(packed) < len(written) * 2
    np.testing.assert_array_equal(read(packed), np.arange(1025.0).reshape(5, 205).T)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.array(2.0), "2.0"),
        (np.array(-3), "-3"),
        (np.array(np.inf), "np.inf"),
        (np.array(True), None),
        (np.array([2.0]), None),
    ],
)
def test_a_scalar_that_is_no_boolean_is_a_plain_number(value: Array, text: str | None) -> None:
    assert number_text(value) == text


def test_a_tensor_parameter_is_written_as_its_array() -> None:
    value = np.array([1.0, 2.0])
    text = TensorText(value)
    assert f"{text}" == repr(text) == "np.array([1.0, 2.0])"
    assert text.array is value


@pytest.mark.parametrize(
    "text", ["x", "a.b", "x_2", "2", "2.5", "1e-05", "np.exp(x)", "f()", "f((a + b) * c)", "f(g(x), h(y))"]
)
def test_names_numbers_and_calls_need_no_brackets(text: str) -> None:
    assert is_atom(text)
    assert operand(text) == text


@pytest.mark.parametrize(
    "text", ["a + b", "-x", "(a) + (b)", "f(a) + g(b)", "f(x) * 2", "(x)", "f(a)(b)", "x[0]", "f(a"]
)
def test_all_else_stands_in_brackets_among_operators(text: str) -> None:
    assert not is_atom(text)
    assert operand(text) == f"({text})"


def test_texts_of_up_to_100_letters_stand_inside_other_lines() -> None:
    assert is_short("x" * 100)
    assert not is_short("x" * 101)


def test_a_name_is_given_once_and_then_with_numbers_from_2() -> None:
    names = FreeNames(["mine"])
    assert [names.take("x") for _ in range(3)] == ["x", "x_2", "x_3"]
    assert [names.take("y_"), names.take("y_"), names.take("y_")] == ["y_", "y_2", "y_3"]
    assert names.take("mine") == "mine_2"


@pytest.mark.parametrize("name", ["lambda", "match", "print", "np", "math", "tape", "expected", "value"])
def test_no_block_is_called_like_a_word_that_programs_use(name: str) -> None:
    assert FreeNames().take(name) == f"{name}_2"


@pytest.mark.parametrize("name", ["", "2x", "a b", "ä", "a-b"])
def test_a_text_that_is_no_name_of_letters_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is no name"):
        FreeNames().take(name)


def test_names_inside_a_function_are_free_again_where_it_hides_those_of_the_program() -> None:
    names = FreeNames()
    names.take("x")
    names.reserve("y")
    inside = names.inside(["x"])
    assert (inside.take("x"), inside.take("y")) == ("x", "y_2")
    assert (names.take("x"), names.take("y")) == ("x_2", "y_2")


def test_signs_that_no_name_has_become_one_underscore() -> None:
    assert identifier("a b/c--d9_") == "a_b_c_d9_"


@pytest.mark.parametrize("text", ["plain", "it's", 'say "so"', "both ' and \"", "back\\slash", ""])
def test_a_text_is_read_back_from_its_literal(text: str) -> None:
    assert ast.literal_eval(text_literal(text)) == text


def test_a_literal_stands_between_double_quotes_where_it_can() -> None:
    assert [text_literal("a"), text_literal("it's"), text_literal('"')] == ['"a"', '"it\'s"', "'\"'"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.dtype("float32"), "np.dtype('float32')"),
        (np.add, "np.add"),
        (np.float64, "np.float64"),
        (ValueError, "ValueError"),
        (math.nan, "np.nan"),
        (math.inf, "np.inf"),
        (-math.inf, "-np.inf"),
        (np.array([1, 2], np.int8), "np.array([1, 2], np.dtype('int8'))"),
        (np.float32(0.5), "np.float32(0.5)"),
        ((), "()"),
        ((1,), "(1,)"),
        ((1, 2.0), "(1, 2.0)"),
        ([math.inf, None], "[np.inf, None]"),
        ({"a": (True,), 2: []}, "{'a': (True,), 2: []}"),
    ],
)
def test_constants_have_source(value: object, text: str) -> None:
    assert literal(value) == text


def test_other_objects_have_no_source() -> None:
    with pytest.raises(TypeError, match="has no source text"):
        literal(object())


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Conv2DTranspose", "conv2d_transpose"),
        ("ReduceLogSumExp", "reduce_log_sum_exp"),
        ("MaxPool3D", "max_pool3d"),
        ("LSTMCell", "lstm_cell"),
        ("Exp", "exp"),
        ("R2", "r2"),
    ],
)
def test_functions_are_called_as_python_calls_them(name: str, written: str) -> None:
    assert snake_case(name) == written
