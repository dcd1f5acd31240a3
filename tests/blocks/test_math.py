"""Powers, quotients, logic and deviations where the recorded cases don't reach."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import ValueProblem
from gradwire.engine.blocktypes.library import library

INTEGERS = np.array([7, -7, 0, 5], np.int32)


def test_expressions_have_the_operator_of_powers() -> None:
    x = gw.Variable(np.array([0.5, 2.0]))
    square, exponential = x**2, 2**x
    run = gw.evaluate(gw.Loss(square + exponential))
    np.testing.assert_allclose(run.value(square), [0.25, 4.0])
    np.testing.assert_allclose(run.value(exponential), [np.sqrt(2), 4.0])
    np.testing.assert_allclose(run.gradient(x), [1 + np.log(2) * np.sqrt(2), 4 + np.log(2) * 4])


def test_the_second_derivative_of_a_square_at_zero_is_two() -> None:
    x = gw.Variable(np.array([0.0, -3.0]))
    (slope,) = gw.Gradients(x**2, x)
    np.testing.assert_array_equal(gw.evaluate(gw.Loss(slope)).gradient(x), [2.0, 2.0])


def test_a_negative_base_gives_the_exponent_no_gradient() -> None:
    x, y = gw.Variable(np.array([-2.0, 0.0])), gw.Variable(np.array([3.0, 2.0]))
    run = gw.evaluate(gw.Loss(x**y))
    np.testing.assert_array_equal(run.gradient(x), [12.0, 0.0])
    np.testing.assert_array_equal(run.gradient(y), [0.0, 0.0])


@pytest.mark.parametrize("name", ["FloorDiv", "FloorMod", "TruncateDiv", "TruncateMod"])
def test_integers_divided_by_zero_are_refused_unless_there_are_none(name: str) -> None:
    with pytest.raises(ValueProblem, match="divided by zero"):
        library[name](INTEGERS, np.array(0, np.int32))
    assert library[name](INTEGERS[:0], np.array([0], np.int32)).shape == (0,)


def test_integers_to_a_negative_power_are_refused_unless_there_are_none() -> None:
    with pytest.raises(ValueProblem, match="negative power"):
        library["Pow"](INTEGERS, np.array(-1, np.int32))
    assert library["Pow"](INTEGERS[:0], np.array([-1], np.int32)).shape == (0,)


@pytest.mark.parametrize(("quotient", "rest"), [("FloorDiv", "FloorMod"), ("TruncateDiv", "TruncateMod")])
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "float64"])
def test_quotient_and_rest_make_up_the_number(quotient: str, rest: str, dtype: str) -> None:
    numbers = np.arange(12) if dtype == "uint8" else np.arange(-12, 12)
    x, y = numbers.astype(dtype)[:, None], np.setdiff1d(numbers, 0).astype(dtype)
    whole, left = library[quotient](x, y), library[rest](x, y)
    assert whole.dtype == left.dtype == dtype
    np.testing.assert_array_equal(whole * y + left, np.broadcast_to(x, whole.shape))
    sign = y if rest == "FloorMod" else x
    assert np.all((left == 0) | (np.sign(left) == np.sign(sign)))


def test_the_least_integer_by_minus_one_wraps_around() -> None:
    least, minus_one = np.array(-128, np.int8), np.array(-1, np.int8)
    assert library["FloorDiv"](least, minus_one) == library["TruncateDiv"](least, minus_one) == -128
    assert library["FloorMod"](least, minus_one) == library["TruncateMod"](least, minus_one) == 0


def test_floats_are_floored_after_their_quotient_is_rounded() -> None:
    assert library["FloorDiv"](1.0, 0.1) == 10
    assert library["FloorDiv"](1.0, -np.inf) == 0
    assert library["FloorMod"](1.0, 0.1) == pytest.approx(0.1)


def test_the_rest_of_a_truncated_quotient_has_the_true_gradient() -> None:
    x, y = gw.Variable(np.array([-7.5, 7.5])), gw.Variable(np.array(2.0))
    run = gw.evaluate(gw.Loss(gw.TruncateMod(x, y), np.array([1.0, 10.0])))
    np.testing.assert_array_equal(run.gradient(x), [1.0, 10.0])
    assert run.gradient(y) == 3 - 30


@pytest.mark.parametrize("name", ["Reciprocal", "ReduceStd"])
def test_a_singular_point_gets_no_gradient_if_none_arrives(name: str) -> None:
    x = gw.Variable(np.zeros(3))
    y = library[name](x)
    weights = np.zeros(y.shape)
    np.testing.assert_array_equal(gw.evaluate(gw.Loss(y, weights)).gradient(x), np.zeros(3))
    assert not np.isfinite(gw.evaluate(gw.Loss(y, weights + 1)).gradient(x)).any()


@pytest.mark.parametrize("name", ["Xlogy", "Xlog1py", "Xdivy"])
def test_nothing_times_a_singularity_is_nothing(name: str) -> None:
    x, y = gw.Variable(np.zeros(4)), gw.Variable(np.array([0.0, -1.0, np.nan, np.inf]))
    z = library[name](x, y)
    run = gw.evaluate(gw.Loss(z))
    for found in (run.value(z), run.gradient(x), run.gradient(y)):
        np.testing.assert_array_equal(found, np.zeros(4))


@pytest.mark.parametrize(("dtype", "expected"), [("uint8", "float32"), ("int16", "float32"), ("int64", "float64")])
def test_integers_divided_without_nan_become_floats(dtype: str, expected: str) -> None:
    z = library["DivNoNan"](np.array([3, 1], dtype), np.array([2, 0], dtype))
    assert z.dtype == expected
    np.testing.assert_array_equal(z, [1.5, 0])


def test_inverse_hyperbolic_functions_neither_overflow_nor_cancel() -> None:
    x = gw.Variable(np.array([1e200, 1 + 1e-12]))
    run = gw.evaluate(gw.Loss(gw.Acosh(x)))
    # To first order in the distance from 1, arcosh(1 + d) is sqrt(2 d), with the derivative 1 / sqrt(2 d).
    distance = (1 + 1e-12) - 1
    np.testing.assert_allclose(run.gradient(x), [1e-200, 1 / np.sqrt(2 * distance)], rtol=1e-11)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16"])
def test_a_count_may_have_any_dtype(dtype: str) -> None:
    x = np.array([[np.nan, 0.0, -0.0], [2.0, np.inf, 0.0]])
    found = library["CountNonzero"](x, axis=1, dtype=dtype)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, np.array([1, 2], dtype))


def test_all_of_nothing_hold_and_any_of_nothing_does_not() -> None:
    nothing = np.zeros((2, 0), bool)
    np.testing.assert_array_equal(library["ReduceAll"](nothing, axis=1), [True, True])
    np.testing.assert_array_equal(library["ReduceAny"](nothing, axis=1), [False, False])


def test_the_deviation_is_the_root_of_the_variance() -> None:
    x = np.random.default_rng(0).normal(size=(3, 4))
    np.testing.assert_allclose(library["ReduceStd"](x, axis=0) ** 2, library["ReduceVariance"](x, axis=0), rtol=1e-15)
