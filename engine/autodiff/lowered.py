"""Lowered graphs: the expressions of all ports and wires, and the backward pass through them."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

from gradwire.engine.autodiff.backward import Backward, Edge
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.progress import BlockWatch
from gradwire.engine.graph.paths import is_in_gradient


@dataclass
class Lowered:
    """Lowered graph.

    `ports` has every output port that can be computed, `edges` the edge of each wire by the wire's target; a wire
    without an edge carries nothing. `owners` maps each application to its block: it is the block's own work, or for a
    Gradients block part of the derivative. `is_partial` is true if an error hides one of the losses. A page that gives
    a gradient is lowered once more for each walk, into a result whose `outer` has the blocks that all of them share.
    Of a wire into a page with an own gradient, `readers` has the edge at which the page reads it, by the edge that its
    gradient comes from.
    """

    inferred: Inferred
    ports: dict[PortName, Expression] = field(default_factory=dict)
    edges: dict[PortName, Edge] = field(default_factory=dict)
    owners: dict[Application, str] = field(default_factory=dict)
    prevented: dict[Application, None] = field(default_factory=dict)
    failed: dict[Application, BlockError] = field(default_factory=dict)
    losses: list[Expression] = field(default_factory=list)
    backward: Backward = field(default_factory=lambda: Backward([]))
    is_partial: bool = False

    readers: dict[Edge, Edge] = field(default_factory=dict)
    outer: Lowered | None = None

    @property
    def outermost(self) -> Lowered:
        """Lowered graph whose blocks without inputs are shared."""
        return self if self.outer is None else self.outer

    def beside(self) -> Lowered:
        """Returns an empty result for expressions that are no blocks of this graph."""
        return Lowered(self.inferred, outer=self.outermost)

    def reader(self, edge: Edge) -> Edge:
        """Returns the edge at which the value of a wire is read; its gradient may come from elsewhere."""
        return self.readers.get(edge, edge)

    def forward_ports(self) -> tuple[list[Expression], list[Expression]]:
        """Returns the expressions of all ports, and apart from them those that depend on incoming gradients."""
        if not self.inferred.expanded.rules:
            return list(self.ports.values()), []
        given = [port for port in self.ports if is_in_gradient(port.path)]
        return [item for port, item in self.ports.items() if not is_in_gradient(port.path)], [
            self.ports[port] for port in given
        ]

    @functools.cached_property
    def watch(self) -> BlockWatch:
        """Reporter of the blocks at work."""
        return BlockWatch(self.owners, lambda: self.backward.edges.items(), self.inferred.watch)
