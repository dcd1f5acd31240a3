"""Special functions against facts from mathematics, and what a Where saves from their singular points."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gradwire as gw

# Differences of the power series of 6.5.29 in Abramowitz and Stegun, with 80 decimal digits.
SLOPES_BY_SHAPE = [
    (0.1, 0.05, -2.0264226621003973),
    (0.5, 2.0, -0.13561933520399724),
    (2.5, 1.5, -0.25217540042362785),
    (10.0, 30.0, -8.500202989120435e-06),
    (50.0, 49.0, -0.056510237991276115),
    (300.0, 330.0, -0.005377499752459248),
]


@pytest.mark.parametrize(("a", "x", "slope"), SLOPES_BY_SHAPE)
def test_the_derivative_by_the_shape_has_the_digits_of_a_long_computation(a: float, x: float, slope: float) -> None:
    found = gw.IgammaGradA(np.array([a]), np.array([x]))
    # The logarithm of the first factor is a sum of numbers near a * ln(x), which costs three digits at 300.
    np.testing.assert_allclose(found, [slope], rtol=1e-12)


def test_the_derivative_by_the_shape_does_not_jump_where_series_and_fraction_meet() -> None:
    a = np.array([1.5, 20.0, 1000.0])
    below, above = gw.IgammaGradA(a, a), gw.IgammaGradA(a, np.nextafter(a, np.inf))
    np.testing.assert_allclose(above, below, rtol=1e-11)


def test_a_gradient_through_the_derivative_by_the_shape_is_an_error() -> None:
    a, x = gw.Variable(np.array([1.5])), gw.Variable(np.array([0.7]))
    (slope,) = gw.Gradients(gw.Igamma(a, x), a)
    run = gw.evaluate(gw.Loss(slope), strict=False)
    assert any("its derivative forbids a gradient here" in str(problem) for problem in run.problems)
    assert run.gradient(a) is None


def test_the_gamma_function_interpolates_factorials() -> None:
    n = np.arange(1.0, 20)
    np.testing.assert_allclose(gw.Exp(gw.Lgamma(n + 1)), [math.factorial(int(item)) for item in n], rtol=1e-12)


def test_zeta_and_polygamma_meet_at_two() -> None:
    y = np.array([1.0, 2.5])
    np.testing.assert_allclose(gw.Zeta(2.0, y)[0], math.pi**2 / 6, rtol=1e-14)
    np.testing.assert_allclose(gw.Polygamma(1.0, y), gw.Zeta(2.0, y), rtol=1e-14)


def test_the_distribution_function_of_a_uniform_variable_is_a_line() -> None:
    x = np.linspace(0, 1, 5)
    np.testing.assert_allclose(gw.Betainc(1.0, 1.0, x), x, rtol=1e-14)


def test_quantiles_undo_distribution_functions() -> None:
    x = np.array([-2.0, 1e-9, 1.5])
    np.testing.assert_allclose(gw.Erfinv(gw.Erf(x)), x, rtol=1e-13)
    np.testing.assert_allclose(gw.Ndtri(gw.Erfc(-x / math.sqrt(2)) / 2), x, rtol=1e-13, atol=1e-15)


def test_betainc_repeats_only_scalars() -> None:
    a, x = gw.Variable(np.ones((2, 1))), gw.Variable(np.full((2, 3), 0.5))
    with pytest.raises(gw.GradwireError, match="must have one shape"):
        gw.Betainc(a, a, x)


@pytest.mark.parametrize("singular", [gw.Reciprocal, gw.Sqrt, gw.Rsqrt, gw.Cbrt], ids=lambda item: item.name)
def test_a_where_is_enough_to_avoid_the_singular_point_at_any_order(singular: gw.BlockType) -> None:
    x = gw.Variable(np.array([0.0, 4.0]))
    (slope,) = gw.Gradients(gw.Where(gw.Greater(x, 0.0), singular(x), 0.0), x)
    run = gw.evaluate(gw.Loss(slope))
    assert run.value(slope)[0] == 0
    assert run.gradient(x)[0] == 0


def test_a_term_of_an_entropy_has_no_gradient_at_zero() -> None:
    x, y = gw.Variable(np.array([0.0, 0.5])), gw.Variable(np.array([0.0, 0.5]))
    run = gw.evaluate(gw.Loss(gw.Xlogy(x, y)))
    np.testing.assert_allclose(run.gradient(x), [0, math.log(0.5)])
    np.testing.assert_allclose(run.gradient(y), [0, 1])


def test_the_trigamma_function_is_quick_far_to_the_left() -> None:
    # By its reflection it is (pi / sin(pi y))^2, less its value at 1 - y, which is about 1 / y.
    y = np.array([-1e15 - 0.5, -1e6 - 0.25, -200.5])
    expected = (math.pi / np.sin(math.pi * np.remainder(y, 1))) ** 2 - np.polynomial.Polynomial([0, 1, 0.5, 1 / 6])(
        1 / (1 - y)
    )
    np.testing.assert_allclose(gw.Polygamma(1.0, y), expected, rtol=1e-12)


@pytest.mark.parametrize("x", [2.0, 3.0, 7.0])
def test_zeta_does_not_jump_where_it_is_computed_another_way(x: float) -> None:
    # The two differ by the one term that lies between them.
    q = np.array([-100.3])
    np.testing.assert_allclose(gw.Zeta(x, q), gw.Zeta(x, q + 1) + q**-x, rtol=1e-13)


def test_betainc_of_infinite_shapes_is_known_at_its_ends_only() -> None:
    x = np.array([0.0, 0.3, 1.0])
    np.testing.assert_array_equal(gw.Betainc(np.inf, 2.0, x), [0, np.nan, 1])


def test_the_cube_root_keeps_the_sign_and_is_steep_near_zero() -> None:
    x = gw.Variable(np.array([-8.0, -1e-6, 0.0, 1.0, 27.0]))
    root = gw.Cbrt(x)
    run = gw.evaluate(gw.Loss(root))
    np.testing.assert_allclose(run.value(root), [-2, -0.01, 0, 1, 3], rtol=1e-15)
    np.testing.assert_allclose(run.gradient(x), [1 / 12, 1e4 / 3, math.inf, 1 / 3, 1 / 27], rtol=1e-14)
