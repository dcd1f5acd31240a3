"""Predictions of gradients and their grades: by sign, by number, or by order of magnitude."""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from gradwire.engine.base.number_text import read_number

# A number is right within this fraction of the truth, or this distance from it. Rounding must not fail exactly 5 %.
SHARE, DISTANCE = 0.05 * (1 + 1e-9), 1e-9
ELEMENTS_ASKED = 4

_MINUS = str.maketrans({"\N{MINUS SIGN}": "-", ",": " ", ";": " "})
_SIGNS = {"+": 1.0, "-": -1.0, "0": 0.0, "nan": math.nan}


class Task(enum.StrEnum):
    """Question about a gradient: its number or sign, the sign of each element, or the magnitude of its norm."""

    NUMBER = "number"
    SIGNS = "signs"
    MAGNITUDE = "magnitude"


@dataclass(frozen=True)
class Grade:
    """Grade of a prediction: points reached, and points possible."""

    points: int
    of: int

    @property
    def is_full(self) -> bool:
        """True if the prediction is entirely right."""
        return self.points == self.of


def task_for(size: int) -> Task:
    """Returns the question for a gradient with this number of elements."""
    if size == 1:
        return Task.NUMBER
    return Task.SIGNS if size <= ELEMENTS_ASKED else Task.MAGNITUDE


def grade(text: str, task: Task, elements: Sequence[float], norm: float) -> Grade | None:
    """Grades a student's text about a gradient; None if it is unreadable.

    A number earns a point for its sign and one for its size; a sign alone can earn the first. Signs earn a point each.
    A length of at most 1e-9 counts as 0.
    """
    words = text.lower().translate(_MINUS).split()
    if task is Task.SIGNS:
        return _grade_signs(words, elements)
    if len(words) != 1:
        return None
    if task is Task.MAGNITUDE:
        return _grade_magnitude(words[0], norm)
    return _grade_number(words[0], elements[0])


def is_near(guess: float, truth: float) -> bool:
    """Returns whether a number counts as right."""
    if not math.isfinite(truth):
        return guess == truth or (math.isnan(guess) and math.isnan(truth))
    return abs(guess - truth) <= max(SHARE * abs(truth), DISTANCE)


def has_sign(guess: float, truth: float) -> bool:
    """Returns whether a sign is right; 0 is right for any number that counts as 0."""
    if math.isnan(guess) or math.isnan(truth):
        return math.isnan(guess) and math.isnan(truth)
    if abs(truth) <= DISTANCE and guess == 0:
        return True
    return math.copysign(1, guess) == math.copysign(1, truth) if guess and truth else guess == truth


def _grade_number(word: str, truth: float) -> Grade | None:
    if word in ("+", "-"):
        return Grade(int(has_sign(_SIGNS[word], truth)), 2)
    guess = read_number(word)
    if guess is None:
        return None
    is_right = is_near(guess, truth)
    return Grade(int(is_right or has_sign(guess, truth)) + int(is_right), 2)


def _grade_signs(words: list[str], elements: Sequence[float]) -> Grade | None:
    """Grades signs; they may stand together, `+-0`, or be the signs of numbers."""
    text = "".join(words)
    parts = list(text) if re.fullmatch(r"[-+0]+", text) else words
    guesses = [_SIGNS.get(part, read_number(part)) for part in parts]
    if len(guesses) != len(elements):
        return None
    known = [guess for guess in guesses if guess is not None]
    if len(known) < len(guesses):
        return None
    right = [has_sign(guess, truth) for guess, truth in zip(known, elements, strict=True)]
    return Grade(sum(right), len(right))


def _grade_magnitude(word: str, norm: float) -> Grade | None:
    guess = read_number(word)
    if guess is None:
        return None
    if not math.isfinite(norm) or not math.isfinite(guess):
        return Grade(int(is_near(guess, norm)), 1)
    if norm <= DISTANCE:
        return Grade(int(guess <= DISTANCE), 1)
    return Grade(int(guess > 0 and math.floor(math.log10(guess)) == math.floor(math.log10(norm))), 1)
