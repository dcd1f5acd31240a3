"""What the arrays of a run hold: whether all is finite, whether anything is zero, and how large the numbers are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.expression import Expression
from engine.plan import Results
from engine.survey import Survey, survey_of


class Sizes(NamedTuple):
    """The smallest and the largest absolute value of an array; both are NaN if any element is."""

    least: float
    largest: float

    @property
    def is_finite(self) -> bool:
        """Whether no element is NaN or infinite."""
        return self.largest < np.inf

    @property
    def has_zero(self) -> bool:
        """Whether any element is zero; of an array with a NaN that is not known."""
        return self.least == 0


class NumberFacts:
    """The sizes of the numbers in every array of floats of a run; `survey` has a row for each slot of its plan."""

    def __init__(self, results: Results, survey: Survey | None = None) -> None:
        self._slots = results.plan.slots
        self.survey = survey_of(results.values) if survey is None else survey
        # Each gives a number of Python, and only when it is asked for.
        self._least, self._largest = self.survey["least"].data, self.survey["largest"].data

    def of(self, expression: Expression) -> Sizes:
        """The sizes of the numbers of an expression, which has been computed and is of floats."""
        slot = self._slots[expression]
        return Sizes(self._least[slot], self._largest[slot])

    def broken_slots(self) -> set[int]:
        """The slots whose arrays hold NaN or infinity."""
        return set(np.flatnonzero(self.survey["nan"] + self.survey["infinite"] > 0).tolist())
