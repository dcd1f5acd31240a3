"""Norms, clipping and powers where the contract and the recorded cases do not reach."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw


def gradient_of(block: Any, value: Any, **parameters: Any) -> np.ndarray:
    x = gw.Variable(np.array(value, float))
    return gw.evaluate(gw.Loss(block(x, **parameters))).gradient(x)


def test_the_largest_singular_value_belongs_to_its_own_directions() -> None:
    matrix = [[0.0, 3.0, 0.0], [1.0, 0.0, 0.0]]
    np.testing.assert_allclose(gradient_of(gw.Norm, matrix, ord=2, axis=(0, 1)), [[0, 1, 0], [0, 0, 0]], atol=1e-15)


def test_equal_singular_values_share_the_gradient() -> None:
    np.testing.assert_allclose(gradient_of(gw.Norm, np.eye(4), ord=2, axis=(0, 1)), np.eye(4) / 4)


def test_the_axes_of_a_matrix_norm_say_what_a_column_is() -> None:
    x = np.arange(24.0).reshape(2, 3, 4) - 7
    for order in (1, 2, "inf", "fro"):
        expected = np.linalg.norm(x, ord=float(order) if order == "inf" else order, axis=(2, 0))
        np.testing.assert_allclose(gw.Norm(x, ord=order, axis=(2, 0)), expected)


def test_a_power_may_be_typed() -> None:
    x = np.array([1.0, -2.0])
    np.testing.assert_array_equal(gw.Norm(x, ord="3"), gw.Norm(x, ord=3))


@pytest.mark.parametrize(
    "parameters",
    [{"ord": "fro"}, {"axis": (0,)}, {"axis": (0, 1, 2)}, {"ord": 3, "axis": (0, 1)}, {"ord": 0}, {"axis": (1, -2)}],
)
def test_norms_that_tensorflow_refuses_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(gw.GradwireError):
        gw.Norm(gw.Variable(np.ones((2, 2, 2))), **parameters)


def test_what_is_clipped_has_the_length_that_was_asked_for() -> None:
    first, second, length = gw.ClipByGlobalNorm(np.array([3.0]), np.array([[4.0, 12.0]]), clip_norm=2)
    assert length == pytest.approx(13)
    assert np.hypot(np.linalg.norm(first), np.linalg.norm(second)) == pytest.approx(2)


def test_powers_are_written_with_two_stars() -> None:
    x = gw.Variable(np.array([2.0, 3.0]))
    run = gw.evaluate(gw.Loss(x**2 + 2.0**x))
    np.testing.assert_allclose(run.gradient(x), [4 + 4 * np.log(2), 6 + 8 * np.log(2)])


def test_a_quotient_of_floats_is_divided_before_it_is_rounded() -> None:
    assert gw.FloorDiv(np.array(1.0), np.array(0.1)) == 10


@pytest.mark.parametrize("name", ["FloorDiv", "FloorMod", "TruncateDiv", "TruncateMod"])
def test_integers_are_not_divided_by_zero(name: str) -> None:
    with pytest.raises(gw.GradwireError, match="divided by zero"):
        getattr(gw, name)(np.array([1, 2]), np.array([1, 0]))


def test_a_gradient_that_is_not_finite_is_found_where_it_is_checked() -> None:
    x = gw.Variable(np.array([0.0]))
    checked = gw.CheckNumerics(x, message="before the logarithm")
    run = gw.evaluate(gw.Loss(gw.Log(checked)))
    assert any("before the logarithm (gradient)" in str(problem).lower() for problem in run.problems)


def test_what_is_not_a_number_counts_as_not_zero() -> None:
    assert gw.CountNonzero(np.array([np.nan, 0.0, -0.0, np.inf])) == 2


def test_a_negative_length_to_clip_to_counts_as_zero() -> None:
    np.testing.assert_array_equal(gw.ClipByNorm(np.array([3.0, 4.0]), clip_norm=-1), [0, 0])
    np.testing.assert_array_equal(gradient_of(gw.ClipByNorm, [3.0, 4.0], clip_norm=-1), [0, 0])


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_the_slope_of_the_largest_singular_value_does_not_depend_on_scale(scale: float) -> None:
    found = gradient_of(gw.Norm, scale * np.array([[3.0, 4.0]]), ord=2, axis=(0, 1))
    np.testing.assert_allclose(found, [[0.6, 0.8]], rtol=1e-15)


def test_the_largest_singular_value_of_zeros_has_no_slope() -> None:
    np.testing.assert_array_equal(gradient_of(gw.Norm, np.zeros((2, 3)), ord=2, axis=(0, 1)), np.zeros((2, 3)))
