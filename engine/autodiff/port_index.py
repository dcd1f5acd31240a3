"""Where the numbers of every port and wire of a graph come from: which arrays, or why there is none, by structure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.block_type import Role
from engine.expand import Instance, Link, PortName
from engine.expression import Application, Expression
from engine.gradients import Edge
from engine.lower import Lowered, is_lowered
from engine.status import Status, cut_status, find_cuts


@dataclass(frozen=True)
class Place:
    """A port or wire: the expressions of its value and its gradient.

    `arrival` is the expression or edge that the gradient comes back to or along; without one `status` says why there
    is none, and `by` names the blocks that cut it off. `withheld` is what a StopGradient keeps back from a wire.
    """

    value: Expression | None
    status: Status | None = None
    by: tuple[str, ...] = ()
    arrival: Expression | Edge | None = None
    gradient: Expression | None = None
    withheld: Expression | None = None


class Outline:
    """The places of all ports and wires of a graph; numbers change none of them."""

    def __init__(self, lowered: Lowered) -> None:
        self.lowered, self._backward = lowered, lowered.backward
        self.cuts = find_cuts(lowered.backward)
        expanded = lowered.inferred.expanded
        self.ports = {name: self.place_of_port(name) for name in self._port_names()}
        self.wires = {link: self.place_of_wire(link) for link in expanded.links}
        self.wires |= {link: Place(None, Status.UNKNOWN) for link in expanded.broken}

    def _port_names(self) -> Iterable[PortName]:
        """Every output port: those that a block has, and those that a wire claims of one with an error."""
        wired: dict[str, dict[str, None]] = {}
        inferred = self.lowered.inferred
        for link in inferred.expanded.links:
            wired.setdefault(link.source.path, {})[link.source.port] = None
        for path, instance in inferred.expanded.instances.items():
            names = dict.fromkeys(declared_outputs(instance, inferred.outputs.get(path)))
            for name in names | wired.get(path, {}):
                yield PortName(path, name)

    def place_of_port(self, name: PortName) -> Place:
        """Where the numbers of an output port come from."""
        value = self.lowered.ports.get(name)
        if value is None:
            return Place(None, Status.UNKNOWN)
        if not value.spec.is_differentiable:
            return Place(value, Status.NO_GRADIENT_DTYPE)
        if value in self._backward.hidden:
            return Place(value, Status.UNKNOWN)
        total = self._backward.totals.get(value)
        if total is not None:
            return Place(value, arrival=value, gradient=total)
        return self._cut(value, self.cuts.expressions.get(value))

    def place_of_wire(self, link: Link) -> Place:
        """Where the numbers of a wire come from."""
        value, edge = self.lowered.ports.get(link.source), self.lowered.edges.get(link.target)
        if value is None:
            return Place(None, Status.UNKNOWN)
        if not value.spec.is_differentiable:
            return Place(value, Status.NO_GRADIENT_DTYPE)
        if edge is None:
            is_lost = link.target.path in self.lowered.inferred.leading and not is_lowered(
                link.target.path, self.lowered
            )
            return Place(value, Status.UNKNOWN) if is_lost else self._cut(value, None)
        if edge in self._backward.hidden_edges:
            return Place(value, Status.UNKNOWN)
        part = self._backward.edges.get(edge)
        if part is not None:
            return Place(value, arrival=edge, gradient=part)
        return self._cut(value, self.cuts.edges.get(edge), edge)

    def _cut(self, value: Expression, cuts: frozenset[Application] | None, edge: Edge | None = None) -> Place:
        if cuts is None:
            return Place(value, Status.NO_PATH)
        by, status = tuple(sorted({self.lowered.owners[cut] for cut in cuts})), cut_status(cuts)
        return Place(value, status, by, withheld=self._withheld(edge) if status is Status.BLOCKED else None)

    def _withheld(self, edge: Edge | None) -> Expression | None:
        if edge is None or edge.application.type.role is not Role.STOP:
            return None
        output = edge.application.outputs[0]
        return None if output in self._backward.hidden else output


def declared_outputs(instance: Instance, known: list[str] | None) -> list[str]:
    """The names of the output ports of a block; `known` are those of one that can be computed."""
    if instance.role is Role.PAGE_OUTPUT:
        return []
    if known is not None:
        return known
    if instance.is_entered:
        return list(instance.inputs)
    return [port.name for port in instance.type.outputs if not port.variadic] if instance.type is not None else []
