"""Statistics of arrays, small and large, beside those of NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gradwire.engine.base.array_statistics import look_of, once, survey_of

SIZES = [4, 3_000, 80_000]


@pytest.mark.parametrize("size", SIZES)
def test_finite_numbers_and_others_are_counted_apart(size: int) -> None:
    numbers = np.random.default_rng(size).normal(size=size)
    numbers[:3] = math.nan, math.inf, -math.inf
    finite = numbers[3:]
    (row,) = survey_of([numbers])
    assert (row["nan"], row["infinite"], row["low"], row["high"]) == (1, 2, finite.min(), finite.max())
    assert math.isnan(row["least"]) and math.isnan(row["largest"]) and math.isnan(row["norm"])
    assert row["total"] == pytest.approx(math.fsum(finite))


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
@pytest.mark.parametrize("size", SIZES)
def test_a_norm_of_any_exponent_is_that_of_numbers_around_one(size: int, scale: float) -> None:
    """Squares of 1e300 overflow, and those of 1e-300 vanish."""
    numbers = np.random.default_rng(size).uniform(-1, 1, size)
    row, also = survey_of([scale * numbers, scale * numbers[: size // 2]])
    assert row["norm"] == pytest.approx(scale * np.linalg.norm(numbers), rel=1e-12)
    assert also["norm"] == pytest.approx(scale * np.linalg.norm(numbers[: size // 2]), rel=1e-12)
    assert (row["least"], row["largest"]) == (abs(scale * numbers).min(), abs(scale * numbers).max())


@pytest.mark.parametrize("size", SIZES)
def test_repeated_numbers_count_as_often_as_they_are_seen(size: int) -> None:
    numbers = np.random.default_rng(size).normal(size=size)
    (row,) = survey_of([np.broadcast_to(numbers, (9, size))])
    assert row["total"] == pytest.approx(9 * math.fsum(numbers))
    assert row["norm"] == pytest.approx(3 * np.linalg.norm(numbers))


def test_an_infinite_array_has_an_infinite_norm() -> None:
    (row,) = survey_of([np.array([1.0, -math.inf])])
    assert (row["nan"], row["infinite"], row["norm"]) == (0, 1, math.inf)


def test_what_is_not_there_is_unknown_and_what_is_empty_has_nothing() -> None:
    missing, empty = survey_of([None, np.zeros(0)])
    assert all(map(math.isnan, missing))
    assert (empty["nan"], empty["least"], empty["total"], empty["norm"]) == (0, math.inf, 0, 0)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("size", [1, 4, 3_000, 80_000])
def test_numbers_of_every_dtype_are_counted_in_float64(dtype: str, size: int) -> None:
    """The magnitude of the least int8 is no int8."""
    some = np.random.default_rng(size).integers(-128, 128, size)
    some[0] = -128
    numbers = some.astype(dtype)
    wide = numbers.astype(float)
    (row,) = survey_of([numbers])
    expected = (wide.min(), wide.max(), abs(wide).min(), abs(wide).max(), wide.sum())
    assert tuple(row[name] for name in ("low", "high", "least", "largest", "total")) == expected
    assert row["norm"] == pytest.approx(np.linalg.norm(wide), rel=1e-14)


@pytest.mark.parametrize("size", [3, 80_000])
@pytest.mark.parametrize("value", [0.0, -0.0, 5e-324, -1.7e308, math.nan, -math.inf])
def test_many_of_one_number_have_it_as_bounds(value: float, size: int) -> None:
    row, beside = survey_of([np.full(size, value), np.ones(size)])
    is_number = math.isfinite(value)
    assert (row["low"], row["high"]) == ((value, value) if is_number else (0, 0))
    assert (row["nan"], row["infinite"]) == (size * math.isnan(value), size * math.isinf(value))
    np.testing.assert_array_equal((row["least"], row["largest"]), (abs(value), abs(value)))
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(row["norm"], abs(value) * np.sqrt(size), rtol=1e-12)
    assert (beside["low"], beside["total"]) == (1, size)


@pytest.mark.parametrize(
    ("shape", "strides", "dtype", "look"),
    [
        ((3, 4), (32, 8), "float64", (12, 1, 1)),
        ((3, 4), (8, 24), "float64", (12, 1, 1)),
        ((3, 4), (0, 8), "float64", (4, 1, 3)),
        ((3, 4), (8, 0), "float64", (3, 1, 4)),
        ((3, 4), (0, 0), "float64", (1, 1, 12)),
        ((3, 1, 4), (16, 999, 4), "float32", (12, 0, 1)),
        ((1, 4), (7, 4), "int32", (4, 3, 1)),
        ((5,), (1,), "bool", (5, 2, 1)),
        ((5,), (8,), "int64", (5, 4, 1)),
        ((), (), "float64", (1, 1, 1)),
        ((3, 4), (40, 8), "float64", None),
        ((4,), (16,), "float64", None),
        ((4,), (-8,), "float64", None),
        ((2, 4), (8, 8), "float64", None),
        ((0, 4), (32, 8), "float64", None),
        ((4, 0), (8, 8), "float64", None),
        ((4,), (2,), "float16", None),
        ((4,), (1,), "int8", None),
    ],
)
def test_a_look_counts_the_elements_without_gaps(
    shape: tuple[int, ...], strides: tuple[int, ...], dtype: str, look: tuple[int, int, int] | None
) -> None:
    assert look_of(shape, strides, np.dtype(dtype)) == look


def test_broadcast_elements_are_seen_once() -> None:
    x = np.arange(6.0).reshape(2, 3)
    assert once(x).tolist() == once(x.T).tolist() == [0, 1, 2, 3, 4, 5]
    assert once(np.broadcast_to(x[:1], (4, 3))).tolist() == [0, 1, 2]
    assert once(np.broadcast_to(x[:, :1], (2, 5))).tolist() == [0, 3]
    assert once(np.broadcast_to(7.0, (2, 5))).tolist() == [7]


def test_all_columns_of_nothing_and_of_one_number() -> None:
    empty, zero, minus = survey_of([np.zeros((0, 3)), np.zeros(()), np.full((1, 1), -2.0)])
    names = ("nan", "infinite", "least", "largest", "low", "high", "total", "norm")
    assert [float(empty[name]) for name in names] == [0, 0, math.inf, 0, 0, 0, 0, 0]
    assert [float(zero[name]) for name in names] == [0] * 8
    assert [float(minus[name]) for name in names] == [0, 0, 2, 2, -2, -2, -2, 2]
    mixed, large = survey_of([np.array([math.inf, 3.0]), np.concatenate([np.ones(70_000), [math.nan, -math.inf]])])
    assert [float(mixed[name]) for name in names] == [0, 1, 3, math.inf, 3, 3, 3, math.inf]
    assert [float(large[name]) for name in ("nan", "infinite", "low", "high", "total")] == [1, 1, 1, 1, 70_000]
