"""Linear steps of a gradient, examined by reruns."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.causes.linear_steps import LinearStep, adds_gradients, generic_numbers, run_application


def step(kind: str, *arrays: np.ndarray, arriving: list[int]) -> LinearStep:
    """Returns a step of a block type on arrays; `arriving` are the slots of gradients."""
    application = library[kind].apply([constant(array) for array in arrays], library[kind].normalize({}))
    return LinearStep(application, arrays, arriving)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_difference_is_fed_everywhere(dtype: str) -> None:
    same = np.ones(5000, dtype)
    (fed,) = step("Subtract", same, same, arriving=[0, 1]).feeds({0: np.asarray(True), 1: np.asarray(True)})
    assert fed.all()


def test_a_zero_factor_is_fed_but_does_not_pass() -> None:
    product = step("Multiply", np.array([1.0, 2.0]), np.array([0.0, 3.0]), arriving=[0])
    marks = {0: np.asarray(True)}
    assert product.feeds(marks)[0].tolist() == [True, True]
    assert product.passes(marks)[0].tolist() == [False, True]
    assert product.has_zero_factor()


def test_what_a_choice_leaves_out_is_not_fed_although_a_zero_stands_there() -> None:
    condition, zero = np.array([True, False]), np.zeros(2)
    choice = step("Where", condition, np.array([1.0, 2.0]), zero, arriving=[1])
    assert choice.feeds({1: np.asarray(True)})[0].tolist() == [True, False]


def test_only_marked_elements_feed() -> None:
    total = step("MatMul", np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[0.0], [1.0]]), arriving=[0])
    assert total.feeds({0: np.array([[True, False], [False, False]])})[0].tolist() == [[True], [False]]


def test_the_sizes_of_terms_do_not_cancel() -> None:
    difference = step("Subtract", np.array([2.0]), np.array([2.0]), arriving=[0, 1])
    assert difference.outcome()[0].tolist() == [0.0]
    assert difference.terms()[0].tolist() == [4.0]


def test_terms_too_large_to_add_up_warn_nobody() -> None:
    difference = step("Subtract", np.array([1e308]), np.array([1e308]), arriving=[0, 1])
    assert difference.terms()[0].tolist() == [np.inf]


def test_generic_numbers_lie_between_1_and_2_and_repeat_only_when_asked_again() -> None:
    numbers = generic_numbers((100, 100))
    assert numbers.min() >= 1
    assert numbers.max() < 2
    assert np.unique(numbers).size == numbers.size
    assert not np.isin(generic_numbers((1000,), 1), numbers).any()
    np.testing.assert_array_equal(generic_numbers((100, 100)), numbers)


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        (0, [1.3635802348144352, 1.8319404227659106, 1.0584410142619163, 1.6392550063319504, 1.0681182004045695]),
        (7, [1.2218258073553443, 1.3167320862412453, 1.2418554350733757, 1.283484839135781, 1.7832832841668278]),
    ],
)
def test_generic_numbers_are_hashes_with_the_constants_of_xxhash(series: int, expected: list[float]) -> None:
    """Numbers 1, 2, 3, 1024 and 8193 of a series, by integers of Python modulo 2 ** 32."""
    np.testing.assert_array_equal(generic_numbers((9000,), series)[[0, 1, 2, 1023, 8192]], expected)
    np.testing.assert_array_equal(generic_numbers((3,), series), expected[:3])


@pytest.mark.parametrize("size", [1024, 1025, 2**13, 2**13 + 1, 20_000])
def test_a_longer_series_begins_as_a_shorter_one_and_only_short_ones_are_kept(size: int) -> None:
    numbers, longer = generic_numbers((size,), 3), generic_numbers((size + 5,), 3)
    np.testing.assert_array_equal(longer[:size], numbers)
    assert np.shares_memory(numbers, generic_numbers((size,), 3)) is (size <= 1024)
    assert not numbers.flags.writeable and generic_numbers((size // 4, 4), 3, np.float32).dtype == np.float32


TWO, MIXED = np.array([1.0, 2.0]), np.array([0.0, np.inf])
# Steps, whether each only scales, whether a factor vanishes, and where.
SCALING: dict[str, tuple[LinearStep, bool, bool, list[bool] | bool]] = {
    "a factor": (step("Multiply", TWO, MIXED, arriving=[0]), True, True, [True, False]),
    "a factor before": (step("Multiply", TWO, TWO, arriving=[1]), True, False, [False, False]),
    "a divisor": (step("Divide", TWO, MIXED, arriving=[0]), True, True, [False, True]),
    "a sign": (step("Negative", TWO, arriving=[0]), True, False, False),
    "both": (step("Multiply", TWO, TWO, arriving=[0, 1]), False, False, False),
    "a sum": (step("Add", TWO, MIXED, arriving=[0]), False, True, [True, False]),
}


@pytest.mark.parametrize("name", SCALING)
def test_steps_that_only_scale_say_where_their_factor_vanishes(name: str) -> None:
    found, only_scales, has_zero_factor, vanishing = SCALING[name]
    assert found.only_scales is only_scales and found.has_zero_factor() is has_zero_factor
    assert found.vanishing().tolist() == vanishing


def test_an_infinite_factor_feeds_as_any_other() -> None:
    marks = {0: np.asarray(True)}
    product = step("Multiply", np.array([1.0, 2.0, 3.0]), np.array([0.0, np.inf, 4.0]), arriving=[0])
    assert product.feeds(marks)[0].tolist() == [True, True, True]
    assert product.feeds({0: np.array([True, False, False])})[0].tolist() == [True, False, False]


def test_the_sizes_of_all_terms_count_in_a_product_of_matrices() -> None:
    product = step("MatMul", np.array([[1.0, -2.0]]), np.array([[3.0], [1.0]]), arriving=[0])
    assert product.outcome()[0].tolist() == [[1.0]] and product.terms()[0].tolist() == [[5.0]]
    both = step("MatMul", np.array([[1.0, -2.0]]), np.array([[3.0], [1.0]]), arriving=[0, 1])
    assert both.terms()[0].tolist() == [[0.0]]


def test_half_precision_numbers_are_told_apart_in_single_precision() -> None:
    same = np.ones(5000, np.float16)
    assert step("Subtract", same, same, arriving=[0, 1]).passes({0: np.asarray(True), 1: np.asarray(True)})[0].all()


def test_what_a_block_cannot_process_gives_nan() -> None:
    application = library["Add"].apply([constant(TWO), constant(TWO)], {})
    (found,) = run_application(application, [TWO, np.ones(3)])
    assert found.shape == (2,) and np.isnan(found).all()


@pytest.mark.parametrize(
    ("kind", "gradients", "is_sum"),
    [("Add", [0, 1], True), ("Subtract", [0, 1], True), ("Add", [0], False), ("Multiply", [0, 1], False)],
)
def test_only_sums_of_two_gradients_add_gradients(kind: str, gradients: list[int], is_sum: bool) -> None:
    application = library[kind].apply([constant(TWO), constant(TWO + 1)], {})
    assert adds_gradients(application, {application.inputs[slot] for slot in gradients}) is is_sum
