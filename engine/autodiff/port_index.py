"""Index of ports and wires: the expressions of their values and gradients, or the structural reason for absence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import Instance, Link, PortName
from gradwire.engine.autodiff.lower import is_lowered
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.status import Status, cut_status, find_cuts
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression


class PortEntry(NamedTuple):
    """Port or wire, with the expressions of its value and its gradient.

    `arrival` is the expression or edge that the gradient belongs to; without one `status` gives the reason, and `by`
    names the blocks that cut the gradient. `withheld` is the output of a StopGradient whose gradient the wire does not
    receive.
    """

    value: Expression | None
    status: Status | None = None
    by: tuple[str, ...] = ()
    arrival: Expression | Edge | None = None
    gradient: Expression | None = None
    withheld: Expression | None = None


class PortIndex:
    """Places of all ports and wires of a graph; they do not depend on numbers."""

    def __init__(self, lowered: Lowered) -> None:
        self.lowered, self._backward = lowered, lowered.backward
        self.cuts = find_cuts(lowered.backward)
        expanded = lowered.inferred.expanded
        self.ports = {name: self.place_of_port(name) for name in self._port_names()}
        self.wires = {link: self.place_of_wire(link) for link in expanded.links}
        self.wires |= {link: PortEntry(None, Status.UNKNOWN) for link in expanded.broken}

    def _port_names(self) -> Iterable[PortName]:
        """Yields every output port: those that a block has, and those of a faulty block that a wire names."""
        wired: dict[str, dict[str, None]] = {}
        inferred = self.lowered.inferred
        for link in inferred.expanded.links:
            wired.setdefault(link.source.path, {})[link.source.port] = None
        for path, instance in inferred.expanded.instances.items():
            names = dict.fromkeys(declared_outputs(instance, inferred.outputs.get(path)))
            for name in names | wired.get(path, {}):
                yield PortName(path, name)

    def place_of_port(self, name: PortName) -> PortEntry:
        """Returns the place of an output port."""
        value = self.lowered.ports.get(name)
        if value is None:
            return PortEntry(None, Status.UNKNOWN)
        if not value.spec.is_differentiable:
            return PortEntry(value, Status.NO_GRADIENT_DTYPE)
        if value in self._backward.hidden:
            return PortEntry(value, Status.UNKNOWN)
        total = self._backward.totals.get(value)
        if total is not None:
            return PortEntry(value, arrival=value, gradient=total)
        return self._cut(value, self.cuts.expressions.get(value))

    def place_of_wire(self, link: Link) -> PortEntry:
        """Returns the place of a wire."""
        value, edge = self.lowered.ports.get(link.source), self.lowered.edges.get(link.target)
        if value is None:
            return PortEntry(None, Status.UNKNOWN)
        if not value.spec.is_differentiable:
            return PortEntry(value, Status.NO_GRADIENT_DTYPE)
        if edge is None:
            is_lost = link.target.path in self.lowered.inferred.leading and not is_lowered(
                link.target.path, self.lowered
            )
            return PortEntry(value, Status.UNKNOWN) if is_lost else self._cut(value, None)
        if edge in self._backward.hidden_edges:
            return PortEntry(value, Status.UNKNOWN)
        part = self._backward.edges.get(edge)
        if part is not None:
            return PortEntry(value, arrival=edge, gradient=part)
        return self._cut(value, self.cuts.edges.get(edge), edge)

    def _cut(self, value: Expression, cuts: frozenset[Application] | None, edge: Edge | None = None) -> PortEntry:
        if cuts is None:
            return PortEntry(value, Status.NO_PATH)
        by, status = tuple(sorted({self.lowered.owners[cut] for cut in cuts})), cut_status(cuts)
        return PortEntry(value, status, by, withheld=self._withheld(edge) if status is Status.BLOCKED else None)

    def _withheld(self, edge: Edge | None) -> Expression | None:
        if edge is None or edge.application.type.role is not Role.STOP:
            return None
        output = edge.application.outputs[0]
        return None if output in self._backward.hidden else output


def declared_outputs(instance: Instance, known: list[str] | None) -> list[str]:
    """Returns the names of the output ports of a block; `known` are those of a computable one."""
    if instance.role is Role.PAGE_OUTPUT or instance.is_helper:
        return []
    if known is not None:
        return known
    if instance.is_entered:
        return list(instance.inputs)
    return [port.name for port in instance.type.outputs if not port.variadic] if instance.type is not None else []
