"""What a local derivative of zero is called."""

from __future__ import annotations

import functools
from collections.abc import Container

from engine.block_type import Role
from engine.cause import Cause
from engine.expression import Application, Expression
from engine.gradients import Edge
from engine.loss_tail import LossTail
from engine.lower import Lowered


class LocalCauses:
    """Names zeros that a rule makes: by what its block type declares, else by the factor that is zero."""

    def __init__(self, lowered: Lowered) -> None:
        self._lowered = lowered
        self._forward = set(lowered.backward.order)

    def of_step(self, edge: Edge, step: Application, gradients: Container[Expression]) -> Cause:
        """The cause where a factor of `step` is zero; `gradients` has what is no factor."""
        block_type = edge.application.type
        if block_type.steepest is not None:
            return Cause.SATURATED
        factors = self._factors(step, gradients)
        is_chosen = any(item.dtype.kind == "b" for item in factors)
        # A product of a tensor and itself is a square, and a cosine has no other operand either.
        is_curve = block_type.is_penalty or (_has_one_input(edge) and not is_chosen and block_type.vanishes is None)
        is_own = _passed_on(edge.application.inputs[edge.slot]) in map(_passed_on, factors)
        if is_curve and is_own and self._tail.is_bottom(edge):
            return Cause.AT_OPTIMUM
        if block_type.vanishes is not None or block_type.is_penalty:
            return block_type.vanishes or Cause.ZERO_FACTOR
        return Cause.NOT_SELECTED if is_chosen else Cause.ZERO_FACTOR

    def unfed(self, edge: Edge) -> Cause:
        """The cause where nothing that arrives has a way to an element."""
        return edge.application.type.vanishes or Cause.NOT_SELECTED

    def without_gradient(self, edge: Edge) -> Cause:
        """The cause where a rule does not look at what arrives: its output is flat, or nothing arrives at it."""
        reached = [output in self._lowered.backward.totals for output in edge.application.outputs]
        return Cause.FLAT if all(reached) else Cause.NOT_SELECTED

    @functools.cached_property
    def _tail(self) -> LossTail:
        return LossTail(self._lowered.backward, self._lowered.losses)

    def _factors(self, step: Application, gradients: Container[Expression]) -> set[Expression]:
        """All that the rule makes the factors of a step from, back to inputs and outputs of the block."""
        waiting, found = [item for item in step.inputs if item is not None and item not in gradients], set[Expression]()
        for item in waiting:
            if item not in found:
                found.add(item)
                is_made = item.application not in self._forward
                waiting += [before for before in item.application.inputs if before is not None and is_made]
        return found


def _has_one_input(edge: Edge) -> bool:
    """Whether a block works element by element on one tensor alone, also where several wires bring it."""
    inputs = set(map(_passed_on, edge.application.inputs))
    return edge.application.type.by_element and len(inputs) == 1


def _passed_on(expression: Expression | None) -> Expression | None:
    """The tensor that a dot on a wire stands for."""
    while expression is not None and expression.application.type.role is Role.REROUTE:
        expression = expression.application.inputs[0]
    return expression
