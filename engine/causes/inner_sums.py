"""Sums of gradients inside a rule, such as the difference in that of Softmax, which may leave only rounding.

Source: running error analysis; Higham, Accuracy and Stability of Numerical Algorithms (2002), section 3.3. Cost: one
rerun of each step behind a sum that cancels.
"""

from __future__ import annotations

from collections.abc import Container, Set

import numpy as np

from gradwire.engine.autodiff.backward import Backward, Edge, steps_of
from gradwire.engine.autodiff.status import rounding
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Results
from gradwire.engine.causes.linear_steps import LinearStep, run_application


def adds_gradients(application: Application, gradients: Container[Expression | None]) -> bool:
    """Returns whether a step adds or subtracts two gradients."""
    operators = Expression.operators
    is_sum = application.type in (operators.get("add"), operators.get("subtract"))
    return is_sum and all(item in gradients for item in application.inputs)


class InnerSums:
    """Rounding errors that cancelling sums inside rules leave in the gradients of edges; `lost` are these sums.

    A sum counts only if every element is as small as its rounding error.
    """

    def __init__(self, backward: Backward, results: Results, lost: Set[Application]) -> None:
        self._backward, self._results, self._lost = backward, results, lost
        self._forward = dict.fromkeys(backward.order) if lost else {}

    def rounding_of(self, edge: Edge) -> Array | float:
        """Returns the rounding error, propagated to the end of the rule; 0 where no sum cancels."""
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
        """Creates the error of a sum, and propagates errors through steps that only scale, move or add."""
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
        return is_scaling or step.type.only_moves_data or step.type.sums_products
