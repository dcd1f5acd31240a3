"""Linear steps of a gradient, examined by reruns."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.causes.linear_steps import LinearStep, generic_numbers


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
