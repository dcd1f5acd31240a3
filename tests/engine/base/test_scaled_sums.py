"""Products, changes and means of numbers at every exponent: what is told of them is that of numbers around 1."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.blocks.support.batches import _fitted
from gradwire.engine.advice.adversary_rules import push_of
from gradwire.engine.base.norms import change_of, dot_of, exponent_of, means_along, moments_of, norm_of
from gradwire.engine.files.data_files import _means

# Of each dtype some exponents over its whole range, subnormal numbers with fewer digits aside.
EXPONENTS = [
    (dtype, exponent)
    for dtype, step in (("float16", 3), ("float32", 25), ("float64", 204))
    for exponent in range(np.finfo(dtype).minexp + 3, np.finfo(dtype).maxexp - 2, step)
]
BASE = np.array([3.0, -1.0, 2.5, 0.5, -3.25, 1.0])


def at(exponent: int, dtype: str, numbers: np.ndarray = BASE) -> np.ndarray:
    return np.ldexp(numbers, exponent).astype(dtype)


@pytest.mark.parametrize(("dtype", "exponent"), EXPONENTS)
def test_a_change_is_relative_at_every_exponent(dtype: str, exponent: int) -> None:
    expected = np.linalg.norm(BASE[::-1] - BASE) / np.linalg.norm(BASE)
    assert change_of(at(exponent, dtype, BASE[::-1]), at(exponent, dtype)) == pytest.approx(expected, rel=1e-12)
    assert change_of(at(exponent, dtype), at(exponent, dtype, -BASE)) == pytest.approx(2, rel=1e-12)


@pytest.mark.parametrize(("dtype", "exponent"), EXPONENTS)
def test_a_sum_of_products_is_exact_at_every_exponent(dtype: str, exponent: int) -> None:
    for other in (exponent, -exponent, 0):
        first, second = at(exponent, dtype), np.ldexp(BASE[::-1], other)
        exact = sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(first, second, strict=True))
        if abs(exact) < Fraction(np.finfo(float).max):
            assert dot_of(first, second) == pytest.approx(float(exact), rel=1e-12, abs=math.ulp(0.0))


def test_products_that_overflow_may_cancel() -> None:
    assert dot_of(np.array([1e300, 1e300, 1.0]), np.array([1e300, -1e300, 1.0])) in (0, 1)
    assert dot_of(np.array([1e300]), np.array([-1e300])) == -math.inf


@pytest.mark.parametrize(("dtype", "exponent"), EXPONENTS)
def test_means_of_pieces_and_columns_are_those_of_numbers_around_1(dtype: str, exponent: int) -> None:
    given = at(exponent, "float64", np.stack([BASE, BASE[::-1]]))
    pieces = np.ldexp(np.array([[1.0, 1.5, -1.125], [-1.125, 1.5, 1.0]]), exponent)
    np.testing.assert_array_equal(means_along(given, np.array([0, 2, 4]), 1), pieces)
    known = np.array([[True] * 6, [True] * 5 + [False]])
    expected = np.ldexp(np.array([2.0, -2.125, 1.5, 1.5, -2.125, 1.0]), exponent)
    np.testing.assert_array_equal(_means(at(exponent, dtype, np.stack([BASE, BASE[::-1]])), known), expected)


@pytest.mark.parametrize("scale", ["standard", "unit"])
@pytest.mark.parametrize("exponent", [-1000, -600, 0, 600, 1021])
def test_features_of_every_exponent_are_scaled_alike(scale: str, exponent: int) -> None:
    def scaled(x: np.ndarray) -> np.ndarray:
        offset, width, exponents = _fitted(x, scale, False)
        return (np.ldexp(x, -exponents) - offset) / width

    np.testing.assert_array_equal(scaled(np.ldexp(BASE[:, None], exponent)), scaled(BASE[:, None]))


@pytest.mark.parametrize(("dtype", "exponent"), EXPONENTS)
def test_a_gradient_pushes_one_way_at_every_exponent(dtype: str, exponent: int) -> None:
    assert push_of(at(exponent, dtype, np.abs(BASE))) == 1
    assert push_of(at(exponent, dtype, -np.abs(BASE))) == -1
    assert push_of(at(exponent, dtype, np.array([1.0, -1.0]))) == 0


def test_norms_of_nothing_and_of_what_is_not_finite() -> None:
    assert norm_of(np.zeros(0)) == norm_of(np.zeros(3)) == 0
    assert norm_of(np.array([1.0, -np.inf])) == np.inf
    assert np.isnan(norm_of(np.array([1.0, np.nan])))
    assert norm_of(np.array([1.0])) == 1 and norm_of(np.array([3, 4], np.int8)) == 5
    assert change_of(np.zeros(2), np.zeros(2)) == 0
    assert change_of(np.ones(2), np.zeros(2)) == np.inf


@pytest.mark.parametrize("exponent", [-1060, -500, 0, 500, 1022])
def test_moments_are_those_of_the_finite_numbers_around_one(exponent: int) -> None:
    numbers = np.random.default_rng(3).integers(-8, 8, (5, 7)) + 0.0
    found = moments_of(np.append(np.ldexp(numbers, exponent - 3), [np.nan, np.inf]))
    assert found.mean == pytest.approx(np.ldexp(numbers.mean(), exponent - 3), rel=1e-12)
    assert found.spread == pytest.approx(np.ldexp(numbers.std(), exponent - 3), rel=1e-12)
    assert moments_of(np.broadcast_to(numbers, (4, 5, 7))).spread == pytest.approx(numbers.std())
    assert moments_of(np.zeros(0)) == moments_of(np.full(2, np.nan)) == moments_of(np.zeros(3)) == (0, 0)


@given(st.lists(st.floats(allow_nan=True), max_size=5))
def test_an_exponent_brings_numbers_below_one(values: list[float]) -> None:
    exponent = exponent_of(np.array(values))
    finite = [abs(math.ldexp(value, -exponent)) for value in values if math.isfinite(value)]
    top = max(finite, default=0.0)
    assert 0.5 <= top < 1 if top else exponent == 0
