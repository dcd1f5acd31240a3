"""Facts about the arrays of a run: their finiteness, their zeros, and the range of their magnitudes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradwire.engine.base.array_statistics import Survey, survey_of
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.plan import Results


class Sizes(NamedTuple):
    """Smallest and largest absolute value of an array; both are NaN if any element is."""

    least: float
    largest: float

    @property
    def is_finite(self) -> bool:
        """True if no element is NaN or infinite."""
        return self.largest < np.inf

    @property
    def has_zero(self) -> bool:
        """True if any element is zero; False for an array with a NaN, where it is unknown."""
        return self.least == 0


class NumberFacts:
    """Magnitudes of every float array of a run; `survey` has a row for each slot of its plan."""

    def __init__(self, results: Results, survey: Survey | None = None) -> None:
        self._slots = results.plan.slots
        self.survey = survey_of(results.values) if survey is None else survey
        # A memoryview yields Python numbers, and converts each only on access.
        self._least, self._largest = self.survey["least"].data, self.survey["largest"].data

    def of(self, expression: Expression) -> Sizes:
        """Returns the magnitudes of an expression that has been computed and has a float dtype."""
        slot = self._slots[expression]
        return Sizes(self._least[slot], self._largest[slot])

    def broken_slots(self) -> set[int]:
        """Returns the slots whose arrays hold NaN or infinity."""
        return set(np.flatnonzero(self.survey["nan"] + self.survey["infinite"] > 0).tolist())
