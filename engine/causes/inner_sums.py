"""Sums of gradients inside a rule, as the difference in that of Softmax: what is left of them may be rounding alone."""

from __future__ import annotations

from collections.abc import Container, Set

import numpy as np

from engine.expression import Application, Expression
from engine.gradients import Backward, Edge, steps_of
from engine.linear_steps import LinearStep, run_application
from engine.plan import Results
from engine.status import rounding
from engine.tensor_spec import Array


def adds_gradients(application: Application, gradients: Container[Expression | None]) -> bool:
    """Whether a step adds or subtracts two gradients."""
    operators = Expression.operators
    is_sum = application.type in (operators.get("add"), operators.get("subtract"))
    return is_sum and all(item in gradients for item in application.inputs)


class InnerSums:
    """The rounding errors that such sums leave in what comes back along an edge; `lost` are those that cancel.

    Only a sum of which every element is as small as its rounding error counts, as everywhere.
    """

    def __init__(self, backward: Backward, results: Results, lost: Set[Application]) -> None:
        self._backward, self._results, self._lost = backward, results, lost
        self._forward = dict.fromkeys(backward.order) if lost else {}

    def rounding_of(self, edge: Edge) -> Array | float:
        """The rounding error, carried on to the end of the rule; 0 where no sum cancels."""
        steps = steps_of(edge, self._backward, self._forward) if self._lost else []
        errors: dict[Expression, Array] = {}
        if not self._lost.isdisjoint(steps):
            gradients: set[Expression | None] = {self._backward.totals.get(item) for item in edge.application.outputs}
            for step in steps:
                if not gradients.isdisjoint(step.inputs):
                    self._take(step, gradients, errors)
                    gradients.update(step.outputs)
        return errors.get(self._backward.edges[edge], 0.0)

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
