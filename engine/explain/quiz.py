"""Quiz: which sign has the largest number that a step sends, and whether an answer is right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.expand import Link
from gradwire.engine.autodiff.status import Status
from gradwire.engine.explain.back_steps import BackStep


@dataclass(frozen=True)
class QuizQuestion:
    """Question for one element of a gradient that a step sends: the largest, or the first of equal ones.

    What rounding alone can have made is 0.
    """

    link: Link
    index: tuple[int, ...]
    number: float


def quiz_question_of(step: BackStep) -> QuizQuestion | None:
    """Returns the question of a step, None if it sends nothing that one can guess."""
    for part in step.parts:
        if part.link is None or not part.is_carried or part.gradient is None or not np.isfinite(part.gradient).all():
            continue
        if part.gradient.size:
            place = int(np.abs(part.gradient).argmax())
            index = tuple(int(item) for item in np.unravel_index(place, part.gradient.shape))
            number = 0.0 if part.status is Status.ZERO else float(part.gradient.ravel()[place])
            return QuizQuestion(part.link, index, number)
    return None


def is_sign_of(sign: int, number: float) -> bool:
    """Returns whether a number has a sign: -1, 0 or 1."""
    return sign == int(np.sign(number))
