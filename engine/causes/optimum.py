"""Optimum test: determines whether the loss's own derivative ends at a block.

Source: sets as bits of one hash (Bloom, Space/Time Trade-offs in Hash Coding with Allowable Errors, 1970). Cost:
O(applications + edges) operations on 4,096 bits.
"""

from __future__ import annotations

from gradwire.engine.autodiff.backward import Backward, Edge, source_of, steps_of
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression

# Sources hash to bits of an integer of this length; a collision only hides an optimum.
_BITS = 4096


class LossTail:
    """Index of the sources on which the derivatives between a tensor and the loss depend.

    They are constants to a block that shares no source with them; then only sums, means and weights follow it.
    """

    def __init__(self, backward: Backward, losses: list[Expression]) -> None:
        self._backward = backward
        self._forward = dict.fromkeys(backward.order)
        self._sources = _sources(backward.order)
        self._tails = dict.fromkeys(losses, 0)
        self._follow()

    def is_bottom(self, edge: Edge) -> bool:
        """Returns whether an edge leads into the last curved block before the loss."""
        own = 0
        for item in edge.application.inputs:
            own |= 0 if item is None else self._sources[item]
        tail = 0
        for output in edge.application.outputs:
            tail |= self._tails.get(output, 0)
        is_curved = self._factors(edge) & self._sources[source_of(edge)] != 0
        return is_curved and tail & own == 0

    def _follow(self) -> None:
        """Collects, for each expression, the sources of the factors on all paths from it to the loss."""
        for application in reversed(self._backward.order):
            further = 0
            for output in application.outputs:
                further |= self._tails.get(output, 0)
            for edge in self._backward.edges_into(application):
                item = source_of(edge)
                self._tails[item] = self._tails.get(item, 0) | self._factors(edge) | further

    def _factors(self, edge: Edge) -> int:
        """Returns the sources of all values by which an edge multiplies the incoming gradient."""
        arriving = {self._backward.totals.get(output) for output in edge.application.outputs}
        steps = steps_of(edge, self._backward, self._forward)
        used = [self._backward.edges[edge], *(item for application in steps for item in application.inputs)]
        found = 0
        for item in used:
            found |= 0 if item is None or item in arriving else self._sources.get(item, 0)
        return found


def _sources(order: list[Application]) -> dict[Expression, int]:
    """Returns the sources of each expression as bits; integers and booleans cut the dependence."""
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
