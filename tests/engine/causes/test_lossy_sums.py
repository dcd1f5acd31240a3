"""Sums looked at together equal sums looked at alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.engine.causes.lossy_sums import Sum, lossy

SHAPES = [(), (3,), (2, 2)]


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(SHAPES), st.integers(2, 3), st.booleans(), st.booleans()), max_size=10))
def test_many_sums_are_looked_at_as_each_alone(kinds: list[tuple[tuple[int, ...], int, bool, bool]]) -> None:
    numbers, sums = np.random.default_rng(0), list[Sum]()
    for shape, count, is_single, cancels in kinds:
        terms = [
            np.asarray(numbers.uniform(1, 2, shape), np.float32 if is_single else np.float64) for _ in range(count)
        ]
        if cancels:
            terms[-1] = np.asarray(-sum(terms[:-1]))
        sums.append(Sum(np.asarray(sum(terms)), tuple(terms)))
    assert lossy(sums) == [lossy([item])[0] for item in sums] == [cancels for _, _, _, cancels in kinds]


def test_no_sums_are_nothing() -> None:
    assert lossy([]) == []


def test_one_element_counts_in_a_small_sum_and_none_in_a_large_one() -> None:
    # In float32 every three thousandth number is that small by accident.
    for count, expected in ((4, True), (10_000, False)):
        first, second = np.ones(count, np.float32), np.full(count, 2, np.float32)
        second[0] = -1
        assert lossy([Sum(first + second, (first, second))]) == [expected]


def test_a_zero_of_zeros_has_lost_nothing() -> None:
    terms = np.zeros(2), np.zeros(2)
    assert lossy([Sum(np.zeros(2), terms)]) == [False]


def test_a_number_repeated_along_an_axis_is_a_term_of_each_element() -> None:
    first, second = np.array([1.0, 3.0]), np.asarray(-1.0)
    assert lossy([Sum(first + second, (first, second))]) == [True]


def test_zeros_of_zeros_do_not_count_as_small() -> None:
    first, second = np.zeros(10_000, np.float32), np.zeros(10_000, np.float32)
    first[:2000], second[:2000] = 1, 2
    second[0] = -1
    assert lossy([Sum(first + second, (first, second))]) == [False]
