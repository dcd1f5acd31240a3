"""Expressions of arrays that a field computes; everything else is refused by a sentence, and nothing is run."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.engine.base.errors import ParameterError
from gradwire.interop.typed.array_expressions import NoExpression, computed
from gradwire.interop.typed.tensor_text import read_typed


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("zeros((2, 8))", np.zeros((2, 8))),
        ("torch.zeros(2, 8)", np.zeros((2, 8))),
        ("eye(3)", np.eye(3)),
        ("linspace(0, 1, 5)", [0, 0.25, 0.5, 0.75, 1]),
        ("sqrt(2)", math.sqrt(2)),
        ("1/3", 1 / 3),
        ("-2*pi", -2 * math.pi),
        ("np.e", math.e),
        ("[pi, 2**-1]", [math.pi, 0.5]),
        ("np.arange(6).reshape(2, 3).T", [[0, 3], [1, 4], [2, 5]]),
        ("full((2, 2), 7) - eye(2)", [[6, 7], [7, 6]]),
        ("[[1, 2], [3, 4]] @ [1, 1]", [3, 7]),
        ("tensor([1, 2]) * 2", [2, 4]),
        ("1 - 2", -1),
        ("diag([1, 2])", [[1, 0], [0, 2]]),
    ],
)
def test_an_expression_is_computed(text: str, numbers: object) -> None:
    np.testing.assert_allclose(read_typed(text, "."), np.asarray(numbers), rtol=1e-15)


def test_random_numbers_are_those_of_their_seed() -> None:
    assert computed("randn(2, 3)").seed == 0
    drawn = computed("np.random.randn(2, 3, seed=5)")
    assert drawn.seed == 5
    np.testing.assert_array_equal(drawn.array, np.random.default_rng(5).standard_normal((2, 3)))


def test_typed_numbers_are_float64_unless_the_text_or_the_field_says_otherwise() -> None:
    assert read_typed("arange(3)", ".").dtype == np.float64
    assert read_typed("arange(3)", ".", np.dtype("int32")).dtype == np.int32
    assert read_typed("zeros(3, dtype=int8)", ".").dtype == np.int8
    assert read_typed("np.float32(1/3)", ".").dtype == np.float32


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("zeros((10**6, 10**6))", "would have 1,000,000,000,000 numbers"),
        ("9**9**9", "too large"),
        ("10**400", "too large"),
        ("ones((1000, 10000)) @ ones((10000, 1000))", "matrices that are too large"),
        ("maximum(zeros((10**6, 1)), zeros(10**6))", "would have"),
        ("outer(ones(30000), ones(30000))", "would have"),
        ("repeat([1], 10**12)", "would have"),
        ("zeros(30*10**6) + zeros(30*10**6)", "too many numbers"),
        ("__import__('os').system('echo')", "not computed"),
        ("open('x')", "has open, which is not computed"),
        ("os.system", "has os.system, which is not computed"),
        ("(1).__class__", "__class__, which is not computed"),
        ("[i for i in range(9)]", "not computed"),
        ("x + 1", "has x, which is not computed"),
        ("1/0", "divides by 0"),
        ("[1, 2] + [1, 2, 3]", "shapes that do not fit: [2], [3]"),
        ("zeros(-1)", "negative size"),
        ("zeros(2.5)", "whole numbers as sizes"),
        ("sqrt(1, 2, 3)", "arguments that do not fit"),
        ("randn(2, seed=-1)", "at least 0 as its seed"),
        ("zeros(2, dtype=complex64)", "dtype complex64, which is unknown"),
        ("1 -2", 'lacks a comma before "-2"'),
        ("[1, 2", "lacks a closing bracket"),
    ],
)
def test_the_rest_is_refused_with_a_reason(text: str, said: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(said)):
        read_typed(text, ".")


@pytest.mark.parametrize("text", ["3", "[1, 2]", "nothing at all", "1 2", ""])
def test_what_computes_nothing_is_no_expression(text: str) -> None:
    with pytest.raises(NoExpression):
        computed(text)


NUMBERS = st.integers(0, 9).map(str) | st.floats(0.1, 9).map(lambda x: f"{x:.2f}")
FORMULAS = st.recursive(
    NUMBERS,
    lambda part: st.tuples(part, st.sampled_from(["+", "-", "*", "/"]), part).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
    max_leaves=6,
)


@settings(max_examples=60)
@given(FORMULAS)
def test_arithmetic_is_that_of_python(text: str) -> None:
    try:
        expected = eval(text)
    except ZeroDivisionError:
        return
    assert read_typed(f"{text} + 0", ".") == pytest.approx(expected, rel=1e-12)
