"""Predictions of gradients: which answers count as right."""

from __future__ import annotations

import math

import pytest

from gradwire.engine.explain.predictions import Grade, Task, grade, task_for


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
