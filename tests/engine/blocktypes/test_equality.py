"""Equality of expressions: elementwise as in NumPy; dictionaries and sets tell them apart by identity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradwire as gw

NUMBERS = st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.5, np.nan, np.inf]), min_size=3, max_size=3)


def test_a_factor_of_equality_selects_elements() -> None:
    v = gw.Variable(np.ones(3))
    assert gw.evaluate(gw.Loss(v * (v != 1.0))).loss == 0
    assert gw.evaluate(gw.Loss(v * (v == 1.0))).loss == 3


@settings(deadline=None, derandomize=True, max_examples=25)
@given(NUMBERS, NUMBERS, st.sampled_from(["float32", "float64"]))
def test_equality_is_that_of_numpy_in_both_orders(one: list[float], other: list[float], dtype: str) -> None:
    a, b = np.array(one, dtype), np.array(other, dtype)
    x, y = gw.Input(a), gw.Input(b)
    compared = [x == y, x != y, x == b, b == x, b != x, x == 1.0, x != 1.0]
    run = gw.evaluate(*compared)
    wanted = [a == b, a != b, a == b, b == a, b != a, a == 1.0, a != 1.0]
    for expression, values in zip(compared, wanted, strict=True):
        np.testing.assert_array_equal(run.value(expression), values)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "compute",
    [
        lambda v: v * (v != 1.0),
        lambda v: (v == 2.0) * v,
        lambda v: v + (v > 1.0),
        lambda v: (v < 1.5) - v,
        lambda v: v / ((v == v) * 1.0 if v.dtype == np.float64 else (v == v)),
    ],
)
def test_a_truth_beside_a_number_counts_as_0_or_1(compute: Callable[[Any], Any], dtype: str) -> None:
    values = np.array([1, 2, -3], dtype)
    result = compute(gw.Variable(values, name="v"))
    found = gw.evaluate(gw.Loss(result, name="L"))
    assert result.dtype == dtype
    np.testing.assert_allclose(found.loss, np.sum(compute(values)), rtol=1e-6)


def test_a_comparison_passes_no_gradient() -> None:
    v = gw.Variable([1.0, 2.0, 3.0])
    run = gw.evaluate(gw.Loss(v * (v != 1.0)))
    np.testing.assert_array_equal(run.gradient(v), [0, 1, 1])


def test_keys_are_expressions_themselves() -> None:
    x, y = gw.Input(1.0), gw.Input(1.0)
    assert {x: "x", y: "y"}[y] == "y"
    assert len({x, y, x}) == 2 and x in {x}


def test_a_text_and_nothing_equal_no_expression() -> None:
    x = gw.Input(1.0)
    assert (x == None, x != None) == (False, True)  # noqa: E711
    assert (x == "x", x != "x") == (False, True)


def test_the_truth_of_an_expression_is_refused_with_a_sentence() -> None:
    x, y = gw.Input(1.0), gw.Input(1.0)
    for ask in (lambda: bool(x == y), lambda: x in [y], lambda: [y].index(x)):
        with pytest.raises(TypeError, match=r"^An expression has no truth value before it is evaluated; .*\.$"):
            ask()
