"""Norms, means and deviations beside exact arithmetic, over all exponents of each dtype."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from gradwire.app.live.readings.readings import reading_of, table_of
from gradwire.engine.base.array_statistics import survey_of
from gradwire.engine.base.norms import moments_of, norm_of

SHAPES = {
    "apart": [3.0, -1.0, 2.5, 0.0, 1.0],
    "near each other": [1.0, 1.0 + 2**-6, 1.0 - 2**-7, 1.0],
    "one beside zeros": [0.0, 0.0, 1.0],
    "equal": [1.5, 1.5, 1.5],
    "many": [((7 * place) % 31 - 15) / 8 for place in range(300)],
}
# Sums of some hundred numbers, and a root.
CLOSE = Fraction(1, 10**9)


def arrays(shape: str, dtype: str, step: int) -> Iterator[np.ndarray]:
    """Yields the same numbers at every exponent at which the dtype holds them exactly."""
    info, base = np.finfo(dtype), np.array(SHAPES[shape])
    for exponent in range(info.minexp + info.negep, info.maxexp - 2, step):
        scaled = np.ldexp(base, exponent)
        if (found := scaled.astype(dtype)).astype(np.float64).tobytes() == scaled.tobytes() and found.any():
            yield found


def exact(array: np.ndarray) -> tuple[Fraction, Fraction, Fraction]:
    """Returns the square of the norm, the mean, and the square of the deviation."""
    numbers = [Fraction(float(number)) for number in array]
    squares, mean = sum((item * item for item in numbers), Fraction()), sum(numbers, Fraction()) / len(numbers)
    return squares, mean, squares / len(numbers) - mean * mean


def is_close(found: float, wanted: Fraction) -> bool:
    """Returns whether a number is close; where float64 has fewer digits, to its last one."""
    return abs(Fraction(found) - wanted) <= CLOSE * abs(wanted) + Fraction(math.ulp(0.0))


def is_root(found: float, square: Fraction) -> bool:
    slack = Fraction(math.ulp(0.0)) * 2
    low, high = Fraction(found) * (1 - CLOSE) - slack, Fraction(found) * (1 + CLOSE) + slack
    return max(low, Fraction()) ** 2 <= square <= high**2


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("shape", SHAPES)
def test_statistics_are_exact_at_every_exponent(shape: str, dtype: str) -> None:
    given = list(arrays(shape, dtype, {"float16": 1, "float32": 11, "float64": 83}[dtype]))
    assert given
    table, surveyed = table_of(given), survey_of(given)
    for row, array in enumerate(given):
        reading = table[row]
        squares, mean, variance = exact(array)
        assert reading is not None
        for norm in (norm_of(array), surveyed["norm"][row], reading.norm):
            assert is_root(float(norm), squares)
        for found in (moments_of(array), reading):
            assert is_root(found.spread, variance) and is_close(found.mean, mean)


@pytest.mark.parametrize("array", [np.array([1e160, 5e160, -3e160, 2e160, 7e159]), np.array([1e-170, 4e-170, -2e-170])])
def test_the_deviation_of_huge_and_tiny_numbers_is_none_of_the_size_of_their_squares(array: np.ndarray) -> None:
    scale = np.abs(array).max()
    assert reading_of(array).spread == pytest.approx(float(np.std(array / scale)) * scale, rel=1e-12)


def test_the_largest_numbers_have_a_deviation_although_their_norm_is_beyond_all() -> None:
    top = np.finfo(np.float64).max
    reading = reading_of(np.array([top, -top, top, -top]))
    assert reading.norm == math.inf and reading.spread == top and reading.mean == 0


def test_what_is_nearly_constant_keeps_its_deviation() -> None:
    array = 1e8 + np.array([0.0, 1.0, 2.0, 3.0] * 10)
    assert reading_of(array).spread == pytest.approx(math.sqrt(1.25), rel=1e-9)


def test_a_broken_tensor_has_no_deviation() -> None:
    assert math.isnan(reading_of(np.array([1.0, np.nan, 2.0])).spread)
    assert math.isnan(reading_of(np.array([1.0, np.inf, 2.0])).spread)
    assert reading_of(np.zeros(0)).spread == 0
