"""Predictions of gradients: which answers count as right."""

from __future__ import annotations

import math

import pytest

from gradwire.engine.explain.predictions import Grade, Task, grade, has_sign, is_near, task_for


@pytest.mark.parametrize(("size", "task"), [(1, Task.NUMBER), (2, Task.SIGNS), (4, Task.SIGNS), (5, Task.MAGNITUDE)])
def test_what_is_asked_goes_by_the_number_of_elements(size: int, task: Task) -> None:
    assert task_for(size) is task


NUMBERS = [
    ("2", 2.0, 2),
    ("2.1", 2.0, 2),
    ("1.9", 2.0, 2),
    ("2.11", 2.0, 1),
    ("-2", 2.0, 0),
    ("\N{MINUS SIGN}2", -2.0, 2),
    ("+", 2.0, 1),
    ("-", 2.0, 0),
    ("0", 2.0, 0),
    ("0", 1e-10, 2),
    ("1e-9", 0.0, 2),
    ("1e-8", 0.0, 0),
    ("nan", math.nan, 2),
    ("inf", math.inf, 2),
    ("-inf", math.inf, 0),
    ("1", math.nan, 0),
]


@pytest.mark.parametrize(("text", "truth", "points"), NUMBERS)
def test_a_number_earns_its_sign_and_its_size_within_five_per_cent(text: str, truth: float, points: int) -> None:
    assert grade(text, Task.NUMBER, [truth], abs(truth)) == Grade(points, 2)


@pytest.mark.parametrize("text", ["+-0", "+ - 0", "+, -, 0", "3 -1 0", "+ \N{MINUS SIGN} 0"])
def test_signs_are_read_however_they_are_written(text: str) -> None:
    assert grade(text, Task.SIGNS, [0.5, -2.0, 0.0], 2.0) == Grade(3, 3)


def test_each_sign_earns_a_point() -> None:
    found = grade("++", Task.SIGNS, [0.5, -2.0], 2.0)
    assert found == Grade(1, 2) and not found.is_full


@pytest.mark.parametrize(
    ("text", "norm", "points"),
    [("0.01", 0.05, 1), ("3e-2", 0.05, 1), ("0.1", 0.05, 0), ("0", 0.0, 1), ("0", 1e-12, 1), ("1", 0.0, 0)],
)
def test_the_length_is_right_in_its_power_of_ten(text: str, norm: float, points: int) -> None:
    assert grade(text, Task.MAGNITUDE, [], norm) == Grade(points, 1)


@pytest.mark.parametrize(
    ("text", "task"), [("", Task.NUMBER), ("two", Task.NUMBER), ("1 2", Task.NUMBER), ("+", Task.SIGNS),
                       ("+ x", Task.SIGNS), ("+", Task.MAGNITUDE)],
)  # fmt: skip
def test_what_cannot_be_read_is_not_graded(text: str, task: Task) -> None:
    assert grade(text, task, [1.0, 2.0], 1.0) is None


INF, NAN = math.inf, math.nan


@pytest.mark.parametrize(
    ("guess", "truth", "near", "sign"),
    [
        (2.0, 2.1, True, True),
        (2.0, -2.0, False, False),
        (105.0, 100.0, True, True),
        (105.1, 100.0, False, True),
        (95.0, 100.0, True, True),
        (94.9, 100.0, False, True),
        (-95.0, -100.0, True, True),
        (1e-9, 0.0, True, False),
        (1.1e-9, 0.0, False, False),
        (0.0, 1e-9, True, True),
        (0.0, 1.1e-9, False, False),
        (0.0, 0.0, True, True),
        (1.0, 0.0, False, False),
        (INF, INF, True, True),
        (INF, -INF, False, False),
        (INF, 1.0, False, True),
        (1.0, INF, False, True),
        (NAN, NAN, True, True),
        (NAN, 1.0, False, False),
        (1.0, NAN, False, False),
        (NAN, INF, False, False),
    ],
)
def test_a_guess_is_near_within_five_per_cent_or_has_the_sign(
    guess: float, truth: float, near: bool, sign: bool
) -> None:
    assert (is_near(guess, truth), has_sign(guess, truth)) == (near, sign)


@pytest.mark.parametrize(
    ("text", "norm", "points"),
    [
        ("inf", INF, 1), ("1", INF, 0), ("nan", NAN, 1), ("inf", 1.0, 0), ("1e-9", 1e-9, 1), ("2e-9", 1e-9, 0),
        ("1e-9", 2e-9, 1), ("-1", 1.0, 0), ("9.9", 1.0, 1), ("10", 1.0, 0), ("1", 9.9, 1), ("0.99", 1.0, 0),
    ],
)  # fmt: skip
def test_a_length_that_is_none_or_nearly_zero_is_graded_as_such(text: str, norm: float, points: int) -> None:
    assert grade(text, Task.MAGNITUDE, [], norm) == Grade(points, 1)


@pytest.mark.parametrize(
    ("text", "elements", "points"),
    [("+-", [1.0, 1.0], 1), ("-0+", [-1.0, 1e-10, 3.0], 3), ("nan 1", [NAN, 2.0], 2), ("nan 1", [1.0, NAN], 0)],
)
def test_each_sign_is_graded_alone(text: str, elements: list[float], points: int) -> None:
    assert grade(text, Task.SIGNS, elements, 1.0) == Grade(points, len(elements))
    assert grade(text + " +", Task.SIGNS, elements, 1.0) is None


def test_a_number_that_is_wrong_may_have_the_right_sign() -> None:
    for word, points in (("5", 1), ("-5", 0), ("2", 2), ("+", 1), ("nan", 0)):
        assert grade(word, Task.NUMBER, [2.0], 2.0) == Grade(points, 2)
