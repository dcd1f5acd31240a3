"""Index of a lowered graph by block, reader and place in the backward pass, updated with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gradwire.engine.autodiff.backward import Edge, added_up, source_of
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.status import Cuts
from gradwire.engine.blocktypes.expression import Application, Expression, are_same
from gradwire.engine.blocktypes.primitives import Identity


class LoweredIndex:
    """Index of the applications of each block, the users of each expression, and the order of the backward pass.

    `names` has the port of each expression, `targets` the wire of each edge. `order` and `places` begin at the loss.
    Cost: O(applications + edges) to build, O(1) to look up.
    """

    def __init__(self, lowered: Lowered, cuts: Cuts) -> None:
        self.lowered, self.cuts, self.backward = lowered, cuts, lowered.backward
        self._applications: dict[str, list[Application]] = {}
        self.users: dict[Expression, dict[Edge, None]] = {}
        for application, path in lowered.owners.items():
            self.enter(application, path)
        self.names = {expression: name for name, expression in lowered.ports.items()}
        self.targets = {edge: target for target, edge in lowered.edges.items()}
        self.renumber()
        self.parts = GradientParts(self)

    def enter(self, application: Application, path: str) -> None:
        """Adds an application of a block."""
        self._applications.setdefault(path, []).append(application)
        for edge in edges_of(application):
            self.users.setdefault(source_of(edge), {})[edge] = None

    def take_out(self, path: str) -> tuple[Application, ...]:
        """Removes the applications of a block, and returns them."""
        applications = tuple(self._applications.pop(path, ()))
        for application in applications:
            del self.lowered.owners[application]
            for edge in edges_of(application):
                del self.users[source_of(edge)][edge]
        return applications

    def edges_to(self, item: Expression) -> list[Edge]:
        """Returns the edges that bring a gradient back to an expression, in the order of the backward pass."""
        found = [edge for edge in self.users.get(item, ()) if edge in self.backward.edges]
        return sorted(found, key=lambda edge: (self.places[edge.application], edge.slot))

    def renumber(self) -> None:
        """Copies the order of the backward pass."""
        self.order = self.backward.order[::-1]
        self.places = {application: place for place, application in enumerate(self.order)}

    def substitute(self, before: Application, after: Application) -> None:
        """Gives an application the place of another one in the order, if that has one."""
        place = self.places.pop(before, None)
        if place is not None:
            self.places[after], self.order[place] = place, after
            self.backward.order[-1 - place] = after


class Part(NamedTuple):
    """Gradient that comes back to an expression along an edge; a seed has no edge."""

    edge: Edge | None
    gradient: Expression


Parts = tuple[Part, ...]


class GradientParts:
    """Incoming gradients of each expression, in the order in which the backward pass adds them."""

    def __init__(self, index: LoweredIndex) -> None:
        self._index = index
        self._known: dict[Expression, Parts] = {}
        for application in index.order:
            for output in application.outputs:
                self.keep(output, self.arriving(output))

    def known(self, item: Expression) -> Parts:
        """Returns the cached parts of an expression."""
        return self._known.get(item, ())

    def keep(self, item: Expression, parts: Parts) -> None:
        """Caches the parts of an expression."""
        self._known[item] = parts

    def forget(self, item: Expression) -> None:
        """Drops the parts of an expression."""
        self._known.pop(item, None)

    def arriving(self, item: Expression) -> Parts:
        """Collects the parts of an expression; an Identity passes on the parts of its output."""
        backward = self._index.backward
        seed = backward.seeds.get(item)
        parts = [] if seed is None else [Part(None, seed)]
        for edge in self._index.users.get(item, ()):
            gradient = backward.edges.get(edge)
            if gradient is not None and edge.application.type is Identity:
                parts += self._known[edge.application.outputs[0]]
            elif gradient is not None:
                parts.append(Part(edge, gradient))
        return tuple(sorted(parts, key=self._key))

    def total(self, item: Expression, parts: Parts) -> Expression | None:
        """Returns the sum of an expression's parts; an Identity with equal parts shares its sum."""
        terms = gradients_of(parts)
        for edge in self._index.users.get(item, ()):
            if edge.application.type is Identity:
                output = edge.application.outputs[0]
                if are_same(gradients_of(self.known(output)), terms):
                    return self._index.backward.totals.get(output)
        return added_up(terms) if terms else None

    def reordered(self) -> Iterator[Expression]:
        """Yields the expressions whose order of summation changed; updates the parts of all others."""
        places = self._index.places
        # The order of two terms does not matter.
        many = (item for item, parts in self._known.items() if len(parts) > 2)
        known = [item for item in many if item.application in places]
        for item in sorted(known, key=lambda item: places[item.application]):
            parts = self.arriving(item)
            if are_same(gradients_of(parts), gradients_of(self._known[item])):
                self._known[item] = parts
            else:
                yield item

    def _key(self, part: Part) -> tuple[int, ...]:
        return () if part.edge is None else (self._index.places.get(part.edge.application, -1), part.edge.slot)


def gradients_of(parts: Iterable[Part]) -> tuple[Expression, ...]:
    """Returns the gradients of some parts."""
    return tuple(part.gradient for part in parts)


def edges_of(application: Application) -> Iterator[Edge]:
    """Yields the edge of each input of an application that is wired."""
    return (Edge(application, slot) for slot, item in enumerate(application.inputs) if item is not None)
