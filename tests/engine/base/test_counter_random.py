"""Tests of random numbers by names: against Philox written out here, hashes of bits, and laws."""

from __future__ import annotations

import hashlib
import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.base.counter_random import (
    cosine,
    key_of,
    logarithm,
    nearly_normal,
    normals,
    permutation,
    raw_numbers,
    sine,
    uniforms,
)
from tests.engine.base.philox import philox

NAMES = st.lists(st.integers() | st.text(), max_size=4)


@given(NAMES, st.integers(0, 20))
def test_raw_numbers_are_philox_with_the_key_of_the_names(names: list[int | str], count: int) -> None:
    assert raw_numbers(count, *names).tolist() == philox(key_of(*names), count)


@given(NAMES, NAMES)
def test_different_names_have_different_keys(a: list[int | str], b: list[int | str]) -> None:
    assert (key_of(*a) == key_of(*b)) == (a == b)


def test_a_key_is_a_hash_of_types_lengths_and_names() -> None:
    assert key_of(7, "ä") == int.from_bytes(hashlib.blake2b("i1:7s2:ä".encode(), digest_size=16).digest(), "little")


@given(st.integers(0, 50), st.integers(0, 50))
def test_more_numbers_begin_with_the_fewer(few: int, more: int) -> None:
    few, more = sorted((few, more))
    assert (nearly_normal((more, 2), 1, "x")[:few] == nearly_normal((few, 2), 1, "x")).all()
    assert (uniforms((more,), 1)[:few] == uniforms((few,), 1)).all()


def test_uniforms_have_53_bits() -> None:
    expected = [(number >> 11) / 2**53 for number in philox(key_of("u"), 6)]
    assert uniforms((2, 3), "u").ravel().tolist() == expected


def test_noise_is_twelve_uniform_numbers_less_six() -> None:
    terms = [(number >> 11) / 2**53 for number in philox(key_of("n"), 24)]
    expected = []
    for row in (terms[:12], terms[12:]):
        total = row[0]
        for term in row[1:]:
            total = total + term
        expected.append(total - 6)
    assert nearly_normal((2,), "n").tolist() == expected


def test_noise_has_mean_0_and_deviation_1() -> None:
    noise = nearly_normal((100_000,), "moments")
    # Four standard errors of each.
    assert abs(noise.mean()) < 4 / math.sqrt(100_000)
    assert abs(noise.var() - 1) < 4 * math.sqrt(1.9 / 100_000)


@given(st.integers(0, 300), NAMES)
def test_a_permutation_has_each_number_once(count: int, names: list[int | str]) -> None:
    assert sorted(permutation(count, *names).tolist()) == list(range(count))


def test_all_orders_of_three_are_equally_likely() -> None:
    found = [tuple(permutation(3, "order", number).tolist()) for number in range(3000)]
    counts = [found.count(order) for order in set(found)]
    assert len(counts) == 6
    # Chi-squared with 5 degrees of freedom: above 25.7 in one of 10,000 cases.
    assert sum((count - 500) ** 2 / 500 for count in counts) < 25.7


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_sine_and_cosine_are_those_of_turns(turns: list[float]) -> None:
    # The remainder of a division is exact, so the library's sine is that of the same angle.
    rest = np.array([math.remainder(turn, 1) for turn in turns])
    assert np.abs(sine(np.array(turns)) - np.sin(2 * math.pi * rest)).max() < 5e-16
    assert np.abs(cosine(np.array(turns)) - np.cos(2 * math.pi * rest)).max() < 5e-16


def test_sine_is_exact_at_quarters() -> None:
    assert sine(np.array([0, 0.25, 0.5, 0.75, 1, 7.25])).tolist() == [0, 1, 0, -1, 0, 1]
    assert cosine(np.array([0, 0.25, 0.5, 0.75, 1, -0.25])).tolist() == [1, 0, -1, 0, 1, 0]


@given(st.lists(st.floats(2.0**-60, 1e9), min_size=1))
def test_the_logarithm_is_that_of_the_library(numbers: list[float]) -> None:
    expected = np.array([math.log(number) for number in numbers])
    assert (np.abs(logarithm(np.array(numbers)) - expected) <= 4e-16 * np.maximum(np.abs(expected), 1)).all()


def test_normal_numbers_have_the_moments_of_the_normal_distribution() -> None:
    z = normals((100_000,), "moments")
    # Four standard errors of the first four moments: 1, 2, 15 and 96 are the variances of their powers.
    for power, (moment, variance) in enumerate([(0, 1), (1, 2), (0, 15), (3, 96)], start=1):
        assert abs((z**power).mean() - moment) < 4 * math.sqrt(variance / 100_000)
