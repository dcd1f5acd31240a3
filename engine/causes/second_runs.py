"""Second runs of a run's numbers, rounded otherwise: what they do not repeat is rounding.

Each step is repeated in float64. A second run of float32 is thereby nearly exact; in one of float64, each number is
moved by a few roundings. Casts cast to float64; whole numbers and truth values stay those of the first run.
Source: the CESTAC method; Vignes, A stochastic arithmetic for reliable scientific computation (1993).
Cost: each step before a number that is asked for runs once; nothing otherwise.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.causes.linear_steps import generic_numbers, run_application
from gradwire.engine.causes.running_errors import are_chosen, wide
from gradwire.engine.causes.tangents import is_float

_NARROW = ("float16", "float32")
# A number of float64 is moved by up to so many units of the last place: less may leave it as it is. One run moves each
# number otherwise than the next, whose numbers begin so much later.
_MOVE, _SERIES = 2, 2**20


class SecondRun:
    """Numbers of a run, rounded otherwise; `series` tells the second runs of one run from each other.

    `is_exact` tells whether no number had to be moved so far.
    """

    def __init__(self, results: Results, series: int) -> None:
        self._results, self._series = results, series
        self._arrays: dict[Expression, Array | None] = {}
        self.is_exact = True

    def of(self, expression: Expression) -> Array | None:
        """Returns the numbers of an expression in float64.

        None if they are unknown, also behind arrays that a large run does not keep in memory: second runs must fit
        beside its limit.
        """
        for step in topological_order([expression], known=self._done):
            self._arrays.update(zip(step.outputs, self._outputs(step), strict=True))
            self._done.add(step)
        return self._arrays.get(expression)

    @functools.cached_property
    def _done(self) -> set[Application]:
        """Steps that have run, and those that must not."""
        steps = (step.application for step in self._results.plan.steps)
        return {step for step in steps if not all(map(self._results.stays, step.outputs))}

    def _outputs(self, step: Application) -> Sequence[Array | None]:
        firsts = [wide(self._results[item]) for item in step.outputs]
        if not step.inputs or not any(first is not None and is_float(first) for first in firsts):
            return firsts
        arrays = [None if item is None else self._arrays.get(item) for item in step.inputs]
        inputs = zip(step.inputs, arrays, strict=True)
        if any(first is None for first in firsts) or any(item is not None and array is None for item, array in inputs):
            return [None] * len(firsts)
        pairs = zip(firsts, self._repeated(step, arrays), strict=True)
        return [array if first is not None and is_float(first) else first for first, array in pairs]

    def _repeated(self, step: Application, arrays: Sequence[Array | None]) -> Sequence[Array]:
        block_type, repeated = step.type, _in_double(step)
        is_moved = not block_type.only_moves_data and any(item.dtype == np.float64 for item in step.outputs)
        if not is_moved:
            return run_application(repeated, arrays)
        self.is_exact = False
        if not (block_type.is_arithmetic or block_type.by_element):
            # A stable algorithm gives the exact result of inputs that differ by a rounding error.
            pairs = zip(step.inputs, arrays, strict=True)
            given = [None if item is None or array is None else self._moved(item, array) for item, array in pairs]
            outputs = run_application(repeated, given)
            if not block_type.sums_products and are_chosen(outputs, given):
                return run_application(repeated, arrays)
        else:
            outputs = run_application(repeated, arrays)
        return [self._moved(item, array) for item, array in zip(step.outputs, outputs, strict=True)]

    def _moved(self, item: Expression, array: Array) -> Array:
        if not is_float(array):
            return array
        numbers = generic_numbers(array.shape, self._results.plan.slots[item] + self._series * _SERIES)
        moved: Array = array * (1 + _MOVE * float(np.finfo(np.float64).eps) * (2 * numbers - 3))
        return moved


def _in_double(step: Application) -> Application:
    """Returns a step for the same inputs in float64, with outputs of float64."""
    parameters: Mapping[str, Any] = step.parameters  # Any: the kinds of parameters decide
    if isinstance(name := parameters.get("dtype"), str) and name in _NARROW:
        parameters = {**parameters, "dtype": "float64"}
    return Application(step.type, step.inputs, parameters, [item.spec for item in step.outputs])
