"""What lies between a block and the loss: whether the derivative of the loss itself ends at that block."""

from __future__ import annotations

from engine.block_type import Role
from engine.expression import Application, Expression
from engine.gradients import Backward, Edge, steps_of

# Sets of sources are bits of a number of this length: two sources that share a bit only hide an optimum.
_BITS = 4096


class LossTail:
    """Knows what the derivatives on the way to the loss depend on.

    They are constants to a block if they share no source with it: then all that follows it is sums, means, weights.
    """

    def __init__(self, backward: Backward, losses: list[Expression]) -> None:
        self._backward = backward
        self._forward = dict.fromkeys(backward.order)
        self._sources = _sources(backward.order)
        self._tails = dict.fromkeys(losses, 0)
        self._follow()

    def is_bottom(self, edge: Edge) -> bool:
        """Whether an edge leads into the last curved block before the loss."""
        own = 0
        for item in edge.application.inputs:
            own |= 0 if item is None else self._sources[item]
        tail = 0
        for output in edge.application.outputs:
            tail |= self._tails.get(output, 0)
        source = edge.application.inputs[edge.slot]
        is_curved = source is not None and self._factors(edge) & self._sources[source] != 0
        return is_curved and tail & own == 0

    def _follow(self) -> None:
        """What lies behind each expression: the factors of every edge on every way from it to the loss."""
        for application in reversed(self._backward.order):
            further = 0
            for output in application.outputs:
                further |= self._tails.get(output, 0)
            for slot, item in enumerate(application.inputs):
                edge = Edge(application, slot)
                if item is not None and edge in self._backward.edges:
                    self._tails[item] = self._tails.get(item, 0) | self._factors(edge) | further

    def _factors(self, edge: Edge) -> int:
        """The sources of all values that an edge multiplies what arrives by."""
        arriving = {self._backward.totals.get(output) for output in edge.application.outputs}
        steps = steps_of(edge, self._backward, self._forward)
        used = [self._backward.edges[edge], *(item for application in steps for item in application.inputs)]
        found = 0
        for item in used:
            found |= 0 if item is None or item in arriving else self._sources.get(item, 0)
        return found


def _sources(order: list[Application]) -> dict[Expression, int]:
    """The sources of each expression as bits; what passes an integer or a boolean does not count."""
    found: dict[Expression, int] = {}
    count = 0
    for application in order:
        bits = 0
        for item in application.inputs:
            bits |= 0 if item is None else found[item]
        if application.type.role is Role.SOURCE or not application.inputs:
            bits, count = 1 << count % _BITS, count + 1
        found |= {output: bits if output.spec.is_differentiable else 0 for output in application.outputs}
    return found
