"""Norms, moments and products in float64, next to exact fractions and for sizes at the ends of the range."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from gradwire.engine.base.norms import change_of, dot_of, exponent_of, means_along, moments_of, norm_of, scaled

# 3, 4 and 12 make 13.
SIDES = np.array([3.0, -4.0, 12.0])


@pytest.mark.parametrize("factor", [1.0, 2.0**600, 2.0**1000, 2.0**-600, 2.0**-1060])
def test_a_norm_is_right_where_its_squares_overflow_or_vanish(factor: float) -> None:
    assert norm_of(SIDES * factor) == 13 * factor


def test_a_norm_of_nothing_is_0_and_one_of_nan_is_nan() -> None:
    assert norm_of(np.zeros(0)) == norm_of(np.zeros(3)) == 0
    assert math.isnan(norm_of(np.array([np.nan, 1e300, np.inf]))) and norm_of(np.array([1.0, -np.inf])) == math.inf


@pytest.mark.parametrize(
    ("numbers", "exponent"), [([0.5], 0), ([1.0], 1), ([0.0, -3.0], 2), ([], 0), ([np.inf, 4.0], 3)]
)
def test_an_exponent_makes_the_largest_finite_number_at_least_a_half(numbers: list[float], exponent: int) -> None:
    assert exponent_of(np.array(numbers)) == exponent
    assert scaled(np.array([8.0]), 2).tolist() == [2.0]


def test_moments_are_those_of_exact_fractions() -> None:
    numbers = [1.5, -2.25, 7.0, 0.0, 3.125]
    mean = sum(map(Fraction, numbers)) / len(numbers)
    variance = sum((Fraction(number) - mean) ** 2 for number in numbers) / len(numbers)
    for factor in (1.0, 2.0**1000, 2.0**-1000):
        found = moments_of(np.array(numbers) * factor)
        assert found == pytest.approx((float(mean) * factor, math.sqrt(variance) * factor), rel=1e-15)


def test_moments_leave_out_what_is_not_finite_and_read_broadcast_numbers_once() -> None:
    assert moments_of(np.array([np.nan, 1.0, np.inf, 3.0])) == (2.0, 1.0)
    assert moments_of(np.array([np.nan])) == moments_of(np.zeros((2, 0))) == (0.0, 0.0)
    assert moments_of(np.broadcast_to(np.array([1.0, 5.0]), (10**12, 2))) == (3.0, 2.0)


@pytest.mark.parametrize("factor", [1.0, 2.0**900, 2.0**-900])
def test_a_change_is_told_beside_the_old_numbers(factor: float) -> None:
    old = np.array([3.0, 4.0]) * factor
    assert change_of(old + np.array([0.0, 1.0]) * factor, old) == pytest.approx(0.2, rel=1e-15)
    assert change_of(old, old) == 0


def test_a_change_from_0_is_infinite_and_none_is_0() -> None:
    zero = np.zeros(2)
    assert (change_of(zero, zero), change_of(np.ones(2), zero)) == (0.0, math.inf)


def test_a_product_is_infinite_only_if_its_sum_is() -> None:
    large = np.array([2.0**1000, 2.0**1000])
    assert dot_of(large, np.array([1.0, -1.0])) == 0
    assert dot_of(large, np.array([2.0**-1000, 2.0**-999])) == 3
    assert dot_of(large, large) == math.inf and dot_of(large, -large) == -math.inf
    assert dot_of(np.array([2.0**-1000]), np.array([2.0**1010])) == 1024


@pytest.mark.parametrize(("axis", "expected"), [(0, [[2.0, 3.0], [7.0, 8.0]]), (1, [[1.5], [3.5], [5.5], [7.5]])])
def test_means_of_the_pieces_of_an_axis(axis: int, expected: list[list[float]]) -> None:
    array = np.array([[1.0, 2.0], [3.0, 4.0], [6.0, 7.0], [8.0, 9.0]])
    if axis == 1:
        array = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
    assert means_along(array, np.array([0, 2] if axis == 0 else [0]), axis).tolist() == expected


def test_a_mean_is_finite_where_its_sum_is_not() -> None:
    most = np.finfo(float).max
    found = means_along(np.array([most, most, 1.0, 3.0, 1.0, np.inf]), np.array([0, 2, 4]), 0)
    assert found.tolist() == [most, 2.0, math.inf]
