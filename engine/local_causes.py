"""What a local derivative of zero is called."""

from __future__ import annotations

import functools
from collections.abc import Container

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
        if block_type.vanishes is not None:
            return block_type.vanishes
        if block_type.is_penalty:
            return Cause.AT_OPTIMUM if self._tail.is_bottom(edge) else Cause.ZERO_FACTOR
        return Cause.NOT_SELECTED if self._is_selection(step, gradients) else Cause.ZERO_FACTOR

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

    def _is_selection(self, step: Application, gradients: Container[Expression]) -> bool:
        """Whether a factor of the step, as the rule makes it, comes from a comparison."""
        waiting = [item for item in step.inputs if item is not None and item not in gradients]
        while waiting:
            item = waiting.pop()
            if item.application in self._forward:
                continue
            if item.dtype.kind == "b":
                return True
            waiting.extend(before for before in item.application.inputs if before is not None)
        return False
