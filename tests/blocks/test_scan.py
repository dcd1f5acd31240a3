"""Running totals at their ends, at zeros and with large numbers; expected numbers are by hand."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.library import library

X = np.array([1.0, 2.0, 4.0])
ENDS = [(False, False), (False, True), (True, False), (True, True)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Cumsum", [[1, 3, 7], [7, 6, 4], [0, 1, 3], [6, 4, 0]]),
        ("Cumprod", [[1, 2, 8], [8, 8, 4], [1, 1, 2], [8, 4, 1]]),
    ],
)
def test_totals_leave_out_their_own_element_and_run_from_either_end(name: str, expected: list[list[float]]) -> None:
    found = [library[name](X, exclusive=exclusive, reverse=reverse) for exclusive, reverse in ENDS]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_small_integers_stay_small(dtype: str) -> None:
    found = gw.Cumsum(np.array([100, 100, 100]).astype(dtype))
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, np.array([100, 200, 300]).astype(dtype))


def test_a_zero_gets_no_gradient_from_running_products() -> None:
    x = gw.Variable(np.array([2.0, 0.0, 3.0]))
    run = gw.evaluate(gw.Loss(gw.Cumprod(x)))
    # The derivative with respect to the zero is 2 + 2 * 3; dividing by x loses it.
    np.testing.assert_array_equal(run.gradient(x), [1.0, 0.0, 0.0])


def test_running_logarithms_do_not_overflow() -> None:
    x = gw.Variable(np.array([1000.0, 1000.0, -1000.0]))
    y = gw.CumulativeLogsumexp(x)
    run = gw.evaluate(gw.Loss(y))
    np.testing.assert_allclose(run.value(y), [1000.0, 1000.0 + np.log(2), 1000.0 + np.log(2)], rtol=1e-15)
    np.testing.assert_allclose(run.gradient(x), [2.0, 1.0, 0.0], rtol=1e-12)


@pytest.mark.parametrize("reverse", [False, True])
def test_exclusive_logarithms_have_the_derivatives_of_shifted_ones(reverse: bool) -> None:
    x = gw.Variable(np.array([0.5, -1.0, 2.0, 0.25]))
    finite, counted = ([0, 1, 2], [1, 2, 3]) if reverse else ([1, 2, 3], [0, 1, 2])
    inclusive = gw.CumulativeLogsumexp(gw.Gather(x, np.array(counted)), reverse=reverse)
    exclusive = gw.Gather(gw.CumulativeLogsumexp(x, exclusive=True, reverse=reverse), np.array(finite))
    found = [derivatives(y, x) for y in (exclusive, inclusive)]
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12, atol=1e-15)


def derivatives(y: gw.Expression, x: gw.Expression) -> list[np.ndarray]:
    """Returns the derivative of a weighted sum of y, and that of a weighted sum of it."""
    (first,) = gw.Gradients(y * np.array([0.7, -0.9, 0.6]), x)
    run = gw.evaluate(gw.Loss(first * np.array([1.0, -2.0, 0.5, 3.0])))
    return [run.value(first), run.gradient(x)]
