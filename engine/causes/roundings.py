"""Rounding errors of a run's numbers: running error bounds, and where these prove nothing, second runs.

A running error bound is the worst case of all steps together. Through many layers it grows beyond any number, so a
bound alone makes no zero: what is below it has cancelled in its last sum, or is not repeated by a second run.
Cost: that of the bounds, and of second runs only where numbers that have not cancelled in their last sum are below.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.causes.running_errors import FOLLOWED, RunningErrors, wide
from gradwire.engine.causes.second_runs import SecondRun

# So many second runs, since one may agree by accident. One is enough that is nearly exact, or for so many elements.
RUNS, MANY = 3, 16
# A number has so many times the largest difference of its array from second runs, or it is none. Few elements of
# float64 may all agree by accident.
SURE, SURE_OF_FEW = 8, 64
# A bound of so many times what second runs leave of it is disproved.
WIDE = 8
# Terms of a sum carry up to so many roundings of float64, which tell nothing apart.
CARRIED = 8


class Roundings:
    """Rounding errors of a run's numbers."""

    def __init__(self, results: Results) -> None:
        self._results, self._errors = results, RunningErrors(results)
        self._runs = [SecondRun(results, series) for series in range(RUNS)]
        self._found: dict[Expression, Array] = {}
        self._sizes: dict[Expression, float] = {}
        # Numbers that second runs repeat, far within their bounds.
        self._disproved: set[Expression] = set()

    def of(self, expression: Expression) -> Array:
        """Returns the size of the rounding error of each element, in float64: the bound, or a part of it."""
        if expression not in self._found:
            found = self._checked(expression, self._errors.of(expression))
            if expression.spec.size > FOLLOWED:
                return found
            self._found[expression] = found
        return self._found[expression]

    def behind(self, expression: Expression, before: Iterable[Expression]) -> Array:
        """Returns bounds on the rounding errors of a number that is computed from those before.

        Behind bounds that are disproved, no further bound is worth its time: second runs alone decide.
        """
        if any(item in self._disproved for item in before):
            size = self._size(expression, self._results[expression])
            if np.isfinite(size):
                self._disproved.add(expression)
                self._found[expression] = np.asarray(size)
                return self._found[expression]
        return self._errors.of(expression)

    def of_step(self, expression: Expression) -> Array:
        """Returns the same of a step inside a rule, when all gradients are known; it may be behind disproved ones."""
        if expression not in self._found and self._disproved:
            self.behind(expression, self._disproved)
        return self.of(expression)

    def _checked(self, expression: Expression, bound: Array) -> Array:
        array = wide(self._results[expression])
        if array is None:
            return bound
        sizes = np.abs(array)
        is_below = (sizes <= bound) & (sizes > 0)
        if not is_below.any():
            return bound
        # A second run of narrower numbers is nearly exact, so that it tells more of what their terms carry.
        carried = CARRIED if expression.dtype == np.float64 else 1
        terms = carried * self._errors.of_last_sum(expression)
        if not (is_below & (sizes > terms)).any():
            return bound
        found: Array = np.minimum(bound, np.maximum(terms, self._size(expression, array)))
        if (sizes > found).any() and bound.max() > WIDE * found.max():
            self._disproved.add(expression)
        return found

    def _size(self, expression: Expression, array: Array | None) -> float:
        """Returns the size that an array's rounding errors may have by second runs; infinite if it is unknown."""
        if expression not in self._sizes:
            self._sizes[expression] = self._compared(expression, array)
        return self._sizes[expression]

    def _compared(self, expression: Expression, array: Array | None) -> float:
        found, largest = 0.0, 0.0 if array is None else float(np.abs(array).max(initial=0))
        for run in self._runs:
            other = run.of(expression)
            if array is None or other is None or other.shape != array.shape or not np.isfinite(other).all():
                return math.inf
            found = max(found, float(np.abs(array - other).max(initial=0)))
            is_enough = run.is_exact or array.size >= MANY
            size = (SURE if is_enough else SURE_OF_FEW) * found
            if is_enough or size >= largest:
                break
        return size
