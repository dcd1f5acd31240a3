"""Running error bounds of a run's numbers: how far rounding may have moved each of them, values and gradients alike.

Source: running error analysis; Higham, Accuracy and Stability of Numerical Algorithms (2002), section 3.3; for long
sums the probabilistic bound of Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis (2019).
Cost: a few runs of each step within REACH steps before a number that is asked for; nothing otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.causes.linear_steps import run_application
from gradwire.engine.causes.tangents import Bound, absolute, absolute_terms, finite, is_float, passed_on
from gradwire.engine.causes.term_sums import before_moves

# A bound follows rounding back so many levels of steps, and to no further level after so many steps; those before count
# as exact. A bound ignores signs and grows faster than the error; through a deep network it would exceed any gradient.
REACH, STEPS = 20, 32
# Larger tensors count as exact, too: bounds of a large run must fit beside its own limit of memory. Units: elements.
FOLLOWED = 2**16
# The error of a sum of n terms exceeds this multiple of sqrt(n) roundings once in a thousand times.
_DEVIATIONS = 4


class RunningErrors:
    """Running error bounds of a run; every bound is at most the true one, since it may leave out early steps."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._bounds: dict[Expression, Bound] = {}

    def of(self, expression: Expression) -> Array:
        """Returns the bound on the rounding error of each element, in float64; 0 where nothing is known."""
        if expression not in self._bounds:
            for application in self._before(expression):
                self._take(application)
        found = self._bounds[expression]
        if not self._results.stays(expression):
            for output in expression.application.outputs:
                del self._bounds[output]
        return np.zeros(()) if found is None else found

    def of_last_sum(self, expression: Expression) -> Array:
        """Returns what the last sum adds to the bound, or the rounding of its own terms; 0 without a sum.

        It looks through steps that only move elements.
        """
        end, moves = before_moves(expression)
        inputs = [None if item is None else wide(self._results[item]) for item in end.application.inputs]
        if not inputs or any(item is None for item in inputs):
            return np.zeros(())
        with np.errstate(all="ignore"):
            bound = _of_own_terms(end, inputs)
            for move in reversed(moves):
                arrays = [None if item is None else self._results[item] for item in move.inputs]
                bound = absolute_terms(move, arrays, [bound if item is end else None for item in move.inputs])[0]
                end = move.outputs[0]
        return np.zeros(()) if bound is None else bound

    def _before(self, expression: Expression) -> list[Application]:
        """Returns the applications within reach whose bounds are missing, in topological order."""
        found = {expression.application: None}
        level = [expression.application]
        for _ in range(REACH):
            if len(found) >= STEPS:
                break
            items = [item for application in level for item in application.inputs if item is not None]
            new = {item.application: None for item in items if self._follows(item)}
            # An application that is met again must come before all that need it.
            for application in new:
                found.pop(application, None)
            found |= new
            level = list(new)
        return list(reversed(found))

    def _follows(self, item: Expression) -> bool:
        return item not in self._bounds and _is_followed(item)

    def _take(self, application: Application) -> None:
        inputs = [None if item is None else wide(self._results[item]) for item in application.inputs]
        outputs = [wide(self._results[item]) for item in application.outputs]
        known = [item for item in outputs if item is not None]
        bounds = [
            self._bounds.get(item) if item is not None and _is_followed(item) else None for item in application.inputs
        ]
        if not application.inputs or len(known) < len(outputs):
            found: Sequence[Bound] = [None] * len(outputs)
        else:
            with np.errstate(all="ignore"):
                passed = passed_on(application, inputs, known, bounds)
                own = _own(application, inputs, known)
                found = [_added(*pair) for pair in zip(passed, own, strict=True)]
        self._bounds.update(zip(application.outputs, found, strict=True))


def _is_followed(item: Expression) -> bool:
    return item.spec.size <= FOLLOWED


def _of_own_terms(end: Expression, inputs: Sequence[Array | None]) -> Bound:
    """Returns the rounding errors that a sum makes, or that its terms have; None for other steps."""
    application, unit = end.application, _unit(np.dtype(end.dtype))
    if application.type in (Expression.operators["add"], Expression.operators["subtract"]):
        return absolute_terms(application, inputs, [None if item is None else unit * np.abs(item) for item in inputs])[
            0
        ]
    if not application.type.sums_products:
        return None
    terms = run_application(application, absolute(inputs))[end.index]
    return finite(count_of_roundings(application, inputs) * unit * np.abs(terms))


def _unit(dtype: np.dtype[Any]) -> float:
    return float(np.finfo(dtype).eps) / 2


def _own(application: Application, inputs: Sequence[Array | None], outputs: Sequence[Array]) -> list[Bound]:
    """Returns the rounding errors that a step itself makes."""
    block_type = application.type
    if block_type.only_moves_data:
        return [None] * len(outputs)
    units = [_unit(np.dtype(item.dtype)) if item.spec.is_differentiable else 0.0 for item in application.outputs]
    if block_type.is_arithmetic:
        return [unit * np.abs(item) for unit, item in zip(units, outputs, strict=True)]
    if block_type.sums_products:
        terms = [finite(np.abs(item)) for item in run_application(application, absolute(inputs))]
        roundings = count_of_roundings(application, inputs)
        return [roundings * unit * term if unit else None for unit, term in zip(units, terms, strict=True)]
    own: list[Bound] = [2 * unit * np.abs(item) if unit else None for unit, item in zip(units, outputs, strict=True)]
    if block_type.by_element:
        return own
    if are_chosen(outputs, inputs):
        return [None] * len(outputs)
    # A stable algorithm gives the exact result of inputs that differ by a rounding error.
    sizes = [np.abs(item) if item is not None and is_float(item) else None for item in inputs]
    shaken = passed_on(application, inputs, outputs, sizes)
    return [
        _added(item, None if other is None else 2 * unit * other)
        for item, other, unit in zip(own, shaken, units, strict=True)
    ]


def count_of_roundings(application: Application, inputs: Sequence[Array | None]) -> float:
    """Returns how many roundings each sum of products counts: all of a short one, some deviations of a long one."""
    known = [item for item in inputs if item is not None and is_float(item)]
    if len(known) == 1:
        # A mean adds as many terms as a sum.
        count = known[0].size / max(1, application.outputs[0].spec.size)
    else:
        ones = [item if item is None or not is_float(item) else np.ones_like(item) for item in inputs]
        count = float(np.max(finite(run_application(application, ones)[0]), initial=1))
    return max(1.0, min(count, _DEVIATIONS * math.sqrt(count))) + len(known) - 1


def are_chosen(outputs: Sequence[Array], inputs: Sequence[Array | None]) -> bool:
    """Returns whether outputs consist of elements of the inputs, up to signs, and zeros: then nothing is rounded."""
    sizes = [np.abs(item).ravel() for item in inputs if item is not None and is_float(item)]
    offered = np.unique(np.concatenate([np.zeros(1), *sizes]))
    return all(not is_float(item) or _are_in(np.abs(item), offered) for item in outputs)


def _are_in(array: Array, ascending: Array) -> bool:
    places = np.searchsorted(ascending, array).clip(max=ascending.size - 1)
    return bool((ascending[places] == array).all())


def _added(first: Bound, second: Bound) -> Bound:
    if first is None or second is None:
        return second if first is None else finite(first)
    return finite(first + second)


def wide(array: Array | None) -> Array | None:
    """Returns an array of floating-point numbers in float64, and any other as it is."""
    return array if array is None or array.dtype.kind != "f" else array.astype(np.float64, copy=False)
