"""Guessing before looking: what a step back asks for, and whether an answer is right."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np

from engine.back_steps import BackStep

# An answer counts as right within this share of the number.
TOLERANCE = 0.05
_SIGNS = {"+": 1, "-": -1, "\N{MINUS SIGN}": -1}


@dataclass(frozen=True)
class Riddle:
    """Asks for one element of what a step sends back through an input: the largest, the first of equal ones."""

    port: str
    index: tuple[int, ...]
    number: float


class Verdict(enum.StrEnum):
    """What an answer is worth."""

    RIGHT = "right"
    RIGHT_SIGN = "right_sign"
    WRONG = "wrong"


def riddle_of(step: BackStep) -> Riddle | None:
    """What a step asks for, None where it sends nothing that can be guessed."""
    for part in step.parts:
        if part.link is None or not part.is_carried or part.gradient is None or not np.isfinite(part.gradient).all():
            continue
        if part.gradient.size:
            place = int(np.abs(part.gradient).argmax())
            index = tuple(int(item) for item in np.unravel_index(place, part.gradient.shape))
            return Riddle(part.link.target.port, index, float(part.gradient.reshape(-1)[place]))
    return None


def judge(answer: str, number: float) -> Verdict | None:
    """Whether a number, or a sign alone, is right; None if the answer is neither."""
    text = answer.strip().replace(",", ".")
    if text in _SIGNS:
        return Verdict.RIGHT if _SIGNS[text] == np.sign(number) else Verdict.WRONG
    try:
        guess = float(text.replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        return None
    # A zero that is only rounding is a zero.
    if abs(guess - number) <= max(TOLERANCE * abs(number), 1e-12):
        return Verdict.RIGHT
    return Verdict.RIGHT_SIGN if np.sign(guess) == np.sign(number) else Verdict.WRONG
