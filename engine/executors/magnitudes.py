"""Facts about the arrays of a run: their finiteness, their zeros, and the range of their magnitudes."""

from __future__ import annotations

from array import array as numbers
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gradwire.engine.base.array_statistics import Survey, as_numbers, look_of, once, survey_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.executors.chosen import survey

# Smaller arrays are read together.
_MANY = 2**12
_FIRST = np.zeros(1, np.intp)


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


def survey_of_run(arrays: Sequence[Array | None]) -> Survey:
    """Returns one row for each array, with the bits of `survey_of`.

    The program of `chosen` reads large arrays in place, and elements that several share once.
    """
    looks = {row: look for row, array in enumerate(arrays) if (look := _look_at(array)) is not None}
    found = survey_of([None if row in looks else array for row, array in enumerate(arrays)])
    known = dict[tuple[int, tuple[int, int, int]], int]()
    for row, look in looks.items():
        array = arrays[row]
        assert array is not None
        first = known.setdefault((array.__array_interface__["data"][0], look), row)
        if first == row:
            survey(
                once(array), _FIRST, numbers("q", [0]), numbers("q", [0]), numbers("q", look), as_numbers(found[row:])
            )
        found[row] = found[first]
    return found


def _look_at(array: Array | None) -> tuple[int, int, int] | None:
    """Returns how to read an array in place; None for few elements, and for such as have gaps."""
    is_large = array is not None and array.size >= _MANY
    return look_of(array.shape, array.strides, array.dtype) if array is not None and is_large else None


class NumberFacts:
    """Magnitudes of every float array of a run; `survey` has a row for each slot of its plan."""

    def __init__(self, results: Results, survey: Survey | None = None) -> None:
        self._slots = results.plan.slots
        self.survey = survey_of_run(results.values) if survey is None else survey
        # A memoryview yields Python numbers, and converts each only on access.
        self._least, self._largest = self.survey["least"].data, self.survey["largest"].data

    def of(self, expression: Expression) -> Sizes:
        """Returns the magnitudes of an expression that has been computed and has a float dtype."""
        slot = self._slots[expression]
        return Sizes(self._least[slot], self._largest[slot])

    def broken_slots(self) -> set[int]:
        """Returns the slots whose arrays hold NaN or infinity."""
        return set(np.flatnonzero(self.survey["nan"] + self.survey["infinite"] > 0).tolist())
