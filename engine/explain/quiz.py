"""Quiz: a step asks for a number before it is shown, and judges the answer."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np

from gradwire.engine.base.number_text import read_number
from gradwire.engine.explain.back_steps import BackStep

# An answer is right within this fraction of the number.
TOLERANCE = 0.05
_SIGNS = {"+": 1, "-": -1, "\N{MINUS SIGN}": -1}


@dataclass(frozen=True)
class QuizQuestion:
    """Question for one element of a gradient that a step sends: the largest, or the first of equal ones."""

    port: str
    index: tuple[int, ...]
    number: float


class Verdict(enum.StrEnum):
    """Judgement of an answer."""

    RIGHT = "right"
    RIGHT_SIGN = "right_sign"
    WRONG = "wrong"


def quiz_question_of(step: BackStep) -> QuizQuestion | None:
    """Returns the question of a step, None if it sends nothing that one can guess."""
    for part in step.parts:
        if part.link is None or not part.is_carried or part.gradient is None or not np.isfinite(part.gradient).all():
            continue
        if part.gradient.size:
            place = int(np.abs(part.gradient).argmax())
            index = tuple(int(item) for item in np.unravel_index(place, part.gradient.shape))
            return QuizQuestion(part.link.target.port, index, float(part.gradient.reshape(-1)[place]))
    return None


def judge(answer: str, number: float) -> Verdict | None:
    """Judges a number, or a sign alone; None if the answer is neither."""
    text = answer.strip().replace(",", ".")
    if text in _SIGNS:
        return Verdict.RIGHT if _SIGNS[text] == np.sign(number) else Verdict.WRONG
    guess = read_number(text)
    if guess is None:
        return None
    # A zero with rounding errors counts as zero.
    if abs(guess - number) <= max(TOLERANCE * abs(number), 1e-12):
        return Verdict.RIGHT
    return Verdict.RIGHT_SIGN if np.sign(guess) == np.sign(number) else Verdict.WRONG
