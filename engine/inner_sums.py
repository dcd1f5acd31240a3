"""Sums of gradients inside a rule, as the difference in that of Softmax: what is left of them may be rounding alone."""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from engine.expression import Application, Expression
from engine.gradients import Backward, Edge, steps_of
from engine.linear_steps import LinearStep, run_application
from engine.number_facts import NumberFacts
from engine.plan import Results
from engine.tensor_spec import Array

ROUNDING_ERRORS = 8


def rounding(terms: Array) -> Array:
    """How far sums may be from zero and still be zero, numerically, by the absolute values of their terms."""
    rounded: Array = ROUNDING_ERRORS * np.finfo(terms.dtype).eps * np.abs(terms)
    return rounded


def adds_gradients(application: Application, gradients: Container[Expression | None]) -> bool:
    """Whether a step adds or subtracts two gradients."""
    is_sum = application.type in map(Expression.operators.get, ("add", "subtract"))
    return is_sum and all(item in gradients for item in application.inputs)


class InnerSums:
    """The rounding errors that such sums leave in what comes back along an edge; where none cancels, one look at each.

    Only a sum of which every element is as small as its rounding error counts, as everywhere.
    """

    def __init__(self, backward: Backward, results: Results, facts: NumberFacts) -> None:
        self._backward, self._results, self._facts = backward, results, facts
        self._forward = dict.fromkeys(backward.order)
        steps = (step.application for step in results.plan.steps)
        self._lost = {item for item in steps if item not in self._forward and self._is_lost(item)}

    def rounding_of(self, edge: Edge) -> Array | float:
        """The rounding error, carried on to the end of the rule; 0 where no sum cancels."""
        if not self._lost:
            return 0.0
        errors: dict[Expression, Array] = {}
        steps = steps_of(edge, self._backward, self._forward)
        if not self._lost.isdisjoint(steps):
            gradients: set[Expression | None] = {self._backward.totals.get(item) for item in edge.application.outputs}
            for step in steps:
                if not gradients.isdisjoint(step.inputs):
                    self._take(step, gradients, errors)
                    gradients.update(step.outputs)
        return errors.get(self._backward.edges[edge], 0.0)

    def _is_lost(self, application: Application) -> bool:
        """Whether all that a sum gives may be rounding: its terms cancel, and are more than 0."""
        if not adds_gradients(application, self._results.plan.slots) or not self._is_known(application):
            return False
        terms = sum(self._facts.of(item).largest for item in application.inputs if item is not None)
        left, dtype = self._facts.of(application.outputs[0]), application.outputs[0].dtype
        return 0 < terms < np.inf and left.largest <= ROUNDING_ERRORS * float(np.finfo(dtype).eps) * terms

    def _is_known(self, application: Application) -> bool:
        whole = [*application.inputs, *application.outputs]
        return all(item is not None and item.dtype.kind == "f" and self._results[item] is not None for item in whole)

    def _take(self, step: Application, gradients: set[Expression | None], errors: dict[Expression, Array]) -> None:
        """Makes an error in a sum, and carries errors on where a step only scales, moves or adds up."""
        arrays = [None if item is None else self._results[item] for item in step.inputs]
        arriving = [slot for slot, item in enumerate(step.inputs) if item in gradients]
        if step in self._lost and len(arriving) == 2:
            errors[step.outputs[0]] = rounding(LinearStep(step, arrays, arriving).terms()[0])
        elif len(arriving) == 1 and (source := step.inputs[arriving[0]]) in errors and self._carries(step, arriving):
            absolute = [item if item is None or item.dtype.kind != "f" else np.abs(item) for item in arrays]
            absolute[arriving[0]] = errors[source]
            found = np.abs(run_application(step, absolute)[0])
            if np.isfinite(found).all():
                errors[step.outputs[0]] = found

    def _carries(self, step: Application, arriving: list[int]) -> bool:
        is_scaling = LinearStep(step, [], arriving).only_scales
        return is_scaling or step.type.moves_elements or step.type.adds_products
