"""Names for the causes of zero local derivatives."""

from __future__ import annotations

import functools
from collections.abc import Container

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Application, Expression, place_of
from gradwire.engine.causes.optimum import LossTail


class LocalCauses:
    """Classifier of zeros that a rule makes: by the block type's declaration, else by the zero factor."""

    def __init__(self, lowered: Lowered) -> None:
        self._lowered = lowered
        self._forward = set(lowered.backward.order)

    def of_step(self, edge: Edge, step: Application, gradients: Container[Expression]) -> Cause:
        """Returns the cause where a factor of `step` is zero; `gradients` has the operands that are no factors."""
        block_type = edge.application.type
        if block_type.max_slope is not None:
            return Cause.SATURATED
        factors = self._factors(step, gradients)
        is_chosen = any(item.dtype.kind == "b" for item in factors)
        # The product of a tensor with itself is a square; a cosine has only one operand, too.
        is_curve = block_type.is_penalty or (_has_one_input(edge) and not is_chosen and block_type.zero_cause is None)
        is_own = place_of(_passed_on(edge.application.inputs[edge.slot]), map(_passed_on, factors)) is not None
        if is_curve and is_own and self._tail.is_bottom(edge):
            return Cause.AT_OPTIMUM
        if block_type.zero_cause is not None or block_type.is_penalty:
            return block_type.zero_cause or Cause.ZERO_FACTOR
        return Cause.NOT_SELECTED if is_chosen else Cause.ZERO_FACTOR

    def unfed(self, edge: Edge) -> Cause:
        """Returns the cause where no incoming gradient has a path to an element."""
        return edge.application.type.zero_cause or Cause.NOT_SELECTED

    def without_gradient(self, edge: Edge) -> Cause:
        """Returns the cause where a rule ignores its incoming gradient: its output is flat, or has no gradient."""
        reached = [output in self._lowered.backward.totals for output in edge.application.outputs]
        return Cause.FLAT if all(reached) else Cause.NOT_SELECTED

    @functools.cached_property
    def _tail(self) -> LossTail:
        return LossTail(self._lowered.backward, self._lowered.losses)

    def _factors(self, step: Application, gradients: Container[Expression]) -> set[Expression]:
        """Returns all expressions behind a step's factors, back to the block's inputs and outputs."""
        waiting, found = [item for item in step.inputs if item is not None and item not in gradients], set[Expression]()
        for item in waiting:
            if item not in found:
                found.add(item)
                is_made = item.application not in self._forward
                waiting += [before for before in item.application.inputs if before is not None and is_made]
        return found


def _has_one_input(edge: Edge) -> bool:
    """Returns whether a block works element by element on one tensor alone, even if several wires carry it."""
    inputs = set(map(_passed_on, edge.application.inputs))
    return edge.application.type.by_element and len(inputs) == 1


def _passed_on(expression: Expression | None) -> Expression | None:
    """Returns the tensor that a dot on a wire stands for."""
    while expression is not None and expression.application.type.role is Role.REROUTE:
        expression = expression.application.inputs[0]
    return expression
