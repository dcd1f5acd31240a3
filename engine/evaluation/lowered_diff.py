"""Difference that an edit makes to a lowered graph, and the work that it leaves to the backward pass."""

from __future__ import annotations

from dataclasses import dataclass, field

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.expression import Application, Expression


@dataclass
class LoweredDiff:
    """Difference that an edit makes to the expressions of a graph.

    The blocks at `paths` were lowered anew or are gone. `ports` and `wires`, by their targets, have changed. `edges`
    and `items` may have other gradients. `claimed` are new expressions of ports, edges and totals, `released` their
    former ones. `left` are applications that lost an output to another.
    """

    paths: set[str] = field(default_factory=set)
    ports: set[PortName] = field(default_factory=set)
    wires: set[PortName] = field(default_factory=set)
    edges: dict[Edge, None] = field(default_factory=dict)
    items: dict[Expression, None] = field(default_factory=dict)
    claimed: list[Expression] = field(default_factory=list)
    released: list[Expression] = field(default_factory=list)
    left: dict[Application, None] = field(default_factory=dict)

    def exchange(self, old: Expression | None, new: Expression | None) -> None:
        """Records the exchange of a gradient; None stands for none."""
        self.claimed += [] if new is None else [new]
        self.released += [] if old is None else [old]

    def identify(self, old: Expression, new: Expression) -> None:
        """Gives an expression the computation of another one, to which nothing refers afterwards."""
        self.left[old.application] = None
        application = new.application
        application.outputs = tuple(old if output is new else output for output in application.outputs)
        old.application, old.index = application, new.index


@dataclass
class Pending:
    """Work that an edit leaves to the backward pass.

    `stale` expressions have other incoming gradients, and the rules of `again` must run again. `before` has the former
    gradients of edges that replace others.
    """

    stale: dict[Expression, None] = field(default_factory=dict)
    again: dict[Application, None] = field(default_factory=dict)
    before: dict[Edge, Expression] = field(default_factory=dict)
