"""Sums judged together equal sums judged alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.engine.autodiff.status import Status, number_status, rounding
from gradwire.engine.causes.bulk_rounding import Sum, judged

SHAPES = [(), (3,), (2, 2)]


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(SHAPES), st.integers(2, 3), st.booleans(), st.booleans()), max_size=10))
def test_many_sums_are_judged_as_each_alone(kinds: list[tuple[tuple[int, ...], int, bool, bool]]) -> None:
    numbers, sums = np.random.default_rng(0), list[Sum]()
    for shape, count, is_single, cancels in kinds:
        terms = [np.asarray(numbers.normal(size=shape), np.float32 if is_single else np.float64) for _ in range(count)]
        if cancels:
            terms[-1] = np.asarray(-sum(terms[:-1]))
        sums.append(Sum(np.asarray(sum(terms)), tuple(terms)))
    for (total, terms), (error, is_zero) in zip(sums, judged(sums), strict=True):
        expected = rounding(np.asarray(sum(np.abs(term) for term in terms)))
        np.testing.assert_array_equal(error, expected)
        assert is_zero is (number_status(total, expected) is Status.ZERO)


def test_no_sums_are_nothing() -> None:
    assert judged([]) == []
