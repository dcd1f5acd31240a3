"""A lowered graph brought up to date after an edit: only what the edit touches is lowered and differentiated again.

Expressions keep their identity wherever a tensor is the same port or gradient as before, whatever computes it now; so
what refers to them needs no change, and an edit goes no further than what it really changes.
"""

from __future__ import annotations

import heapq
import itertools
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from engine.block_type import Role
from engine.expand import PortName
from engine.expression import Application, Expression, applications_before
from engine.gradients import Edge, added_up, input_gradients, source_of
from engine.infer import Inferred
from engine.infer_again import Touched
from engine.lower import Lowered, lower_instance
from engine.primitives import Identity
from engine.status import Cuts, cut_at, is_cut

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class BeyondError(Exception):
    """An edit that only lowering the whole graph can follow; what was to follow it is of no use any more."""


@dataclass
class Moves:
    """What an edit did to the expressions of a graph.

    The blocks at `paths` were lowered anew or are gone. `ports` and `wires`, these by their targets, are not what they
    were, and `edges` and `items` may have other gradients. `claimed` are expressions that ports, edges and totals have
    now, `released` those that they had. `left` are applications that lost an output to another.
    """

    paths: set[str] = field(default_factory=set)
    ports: set[PortName] = field(default_factory=set)
    wires: set[PortName] = field(default_factory=set)
    edges: dict[Edge, None] = field(default_factory=dict)
    items: dict[Expression, None] = field(default_factory=dict)
    claimed: list[Expression] = field(default_factory=list)
    released: list[Expression] = field(default_factory=list)
    left: dict[Application, None] = field(default_factory=dict)


class _Part(NamedTuple):
    """A gradient that comes back to an expression, and the edge that it comes along; a seed comes along none."""

    edge: Edge | None
    gradient: Expression


class _Work(NamedTuple):
    """What one block is in a lowered graph."""

    ports: dict[PortName, Expression]
    edges: dict[PortName, Edge]
    applications: tuple[Application, ...]


class Relowering:
    """A lowered graph that follows edits; it is changed in place.

    Raises: BeyondError for a graph with gradients that are unknown, or with derivatives among its blocks.
    """

    def __init__(self, lowered: Lowered, cuts: Cuts) -> None:
        self.lowered, self.cuts, self._backward = lowered, cuts, lowered.backward
        if lowered.is_partial or self._is_unknown() or lowered.prevented:
            raise BeyondError
        if any(item.role is Role.GRADIENTS for item in lowered.inferred.expanded.instances.values()):
            raise BeyondError
        self._applications: dict[str, list[Application]] = {}
        self._users: dict[Expression, dict[Edge, None]] = {}
        for application, path in lowered.owners.items():
            self._enter(application, path)
        self._names = {expression: name for name, expression in lowered.ports.items()}
        self._targets = {edge: target for target, edge in lowered.edges.items()}
        self.order = self._backward.order[::-1]
        self.places = {application: place for place, application in enumerate(self.order)}
        self._parts: dict[Expression, tuple[_Part, ...]] = {}
        # To which more than two come: of two numbers the sum is the same either way.
        self._many: set[Expression] = set()
        for application in self.order:
            for output in application.outputs:
                self._set_parts(output, self._arriving(output))

    def follow(self, inferred: Inferred, touched: Touched) -> Moves:
        """Makes the lowered graph that of `inferred`, which differs where `touched` says.

        Raises: BeyondError if only lowering all of it can tell.
        """
        self._moves = Moves()
        # Expressions to which other parts come back, and applications whose rule is to be asked again.
        self._stale: dict[Expression, None] = {}
        self._again: dict[Application, None] = {}
        # What came back along the edges that stand in the place of others now.
        self._before: dict[Edge, Expression] = {}
        self._relower(inferred, touched)
        if [self.lowered.ports.get(PortName(path, "y")) for path in inferred.losses] != self.lowered.losses:
            raise BeyondError
        self._differentiate()
        return self._moves

    def edges_to(self, item: Expression) -> list[Edge]:
        """The edges that bring a gradient back to an expression, in the order of the walk."""
        found = [edge for edge in self._users.get(item, ()) if edge in self._backward.edges]
        return sorted(found, key=lambda edge: (self.places[edge.application], edge.slot))

    def _is_unknown(self) -> bool:
        return bool(self._backward.hidden or self._backward.failed or self._backward.prevented)

    # Forward

    def _relower(self, inferred: Inferred, touched: Touched) -> None:
        before, self.lowered.inferred = self.lowered.inferred, inferred
        for path in touched.removed:
            self._exchange(path, self._taken_out(path, before))
        places = {path: place for place, path in enumerate(inferred.expanded.instances)}
        waiting = [(places[path], path) for path in touched.paths]
        heapq.heapify(waiting)
        known = set(touched.paths)
        is_rewired = bool(touched.removed)
        while waiting:
            _, path = heapq.heappop(waiting)
            old = self._taken_out(path, before)
            changed, is_other = self._exchange(path, old)
            is_rewired |= is_other
            for edge in [edge for item in changed for edge in self._users.get(item, ())]:
                user = self.lowered.owners[edge.application]
                if user not in known:
                    known.add(user)
                    heapq.heappush(waiting, (places[user], user))
        if is_rewired:
            self._reorder()

    def _taken_out(self, path: str, before: Inferred) -> _Work:
        """Removes a block; its expressions and edges stay until it is known what stands in their place."""
        lowered = self.lowered
        names = [PortName(path, name) for name in before.outputs.get(path, ())]
        ports = {name: lowered.ports.pop(name) for name in names if name in lowered.ports}
        targets = [arrival.target for arrival in before.inputs.get(path, ())]
        edges = {target: lowered.edges.pop(target) for target in targets if target in lowered.edges}
        applications = tuple(self._applications.pop(path, ()))
        for application in applications:
            del lowered.owners[application]
            for edge in _edges_of(application):
                del self._users[source_of(edge)][edge]
        self._moves.paths.add(path)
        self._moves.wires.update(targets)
        return _Work(ports, edges, applications)

    def _put_in(self, path: str) -> _Work:
        """Lowers a block anew; one that is gone or has an error comes to nothing."""
        lowered, inferred = self.lowered, self.lowered.inferred
        if not inferred.is_computable(path):
            if inferred.expanded.consumers.get(path):
                # What an error keeps from the loss cannot be known.
                raise BeyondError
            return _Work({}, {}, ())
        count = len(lowered.owners)
        instance = inferred.expanded.instances[path]
        if instance.role in (Role.GRADIENTS, Role.PREVENT):
            raise BeyondError
        lower_instance(instance, lowered)
        made = tuple(itertools.islice(reversed(lowered.owners), len(lowered.owners) - count))[::-1]
        names = [PortName(path, name) for name in inferred.outputs[path]]
        targets = [arrival.target for arrival in inferred.inputs[path]]
        self._moves.wires.update(targets)
        return _Work(
            {name: lowered.ports[name] for name in names if name in lowered.ports},
            {target: edge for target in targets if (edge := lowered.edges.get(target)) is not None and _is_wired(edge)},
            made,
        )

    def _exchange(self, path: str, old: _Work) -> tuple[list[Expression], bool]:
        """Puts a block in the place of the old one: the expressions that nothing stands for now, and whether any
        application is wired otherwise.
        """
        new = self._put_in(path)
        for name, expression in new.ports.items():
            before = old.ports.get(name)
            if before is not None and before.spec == expression.spec:
                self._become(before, expression)
                self.lowered.ports[name] = before
            else:
                self._moves.claimed.append(expression)
                self._names[expression] = name
        self._moves.left |= dict.fromkeys(old.applications)
        for application in new.applications:
            self._enter(application, path)
            self._again[application] = None
        self._targets |= {edge: target for target, edge in new.edges.items()}
        for application in old.applications:
            for edge in _edges_of(application):
                self._replace_edge(edge, new)
        return self._dropped(old), not self._stands_in_order(old.applications, new.applications)

    def _become(self, old: Expression, new: Expression) -> None:
        """Lets an expression be computed as another one is, which nothing refers to afterwards."""
        self._moves.left[old.application] = None
        application = new.application
        application.outputs = tuple(old if output is new else output for output in application.outputs)
        old.application, old.index = application, new.index

    def _replace_edge(self, old: Edge, new: _Work) -> None:
        self._moves.edges[old] = None
        source, target = source_of(old), self._targets.pop(old, None)
        part, cut = self._backward.edges.pop(old, None), self.cuts.edges.pop(old, None)
        edge = None if target is None else new.edges.get(target)
        if edge is None or source_of(edge) is not source:
            if part is not None or cut is not None:
                self._stale[source] = None
            if edge is not None:
                self._stale[source_of(edge)] = None
        if edge is not None and part is not None:
            self._before[edge] = part
        elif edge is not None and cut is not None:
            self.cuts.edges[edge] = cut
        elif part is not None:
            self._moves.released.append(part)

    def _dropped(self, old: _Work) -> list[Expression]:
        """Forgets the outputs of applications that are no more."""
        outputs = [item for application in old.applications for item in application.outputs]
        found = [item for item in outputs if item.application in old.applications]
        for item in found:
            self._moves.items[item] = None
            total = self._backward.totals.pop(item, None)
            self._moves.released += [] if total is None else [total]
            self._moves.released += [item] if item in self._names else []
            self.cuts.expressions.pop(item, None)
            self._parts.pop(item, None)
            self._many.discard(item)
            self._names.pop(item, None)
        return found

    def _stands_in_order(self, old: tuple[Application, ...], new: tuple[Application, ...]) -> bool:
        """Puts applications in the order of the walk where others stood, if they are wired alike."""
        is_alike = [item.inputs for item in old] == [item.inputs for item in new]
        if not is_alike or any(output.application in old for item in old for output in item.outputs):
            return False
        for before, after in zip(old, new, strict=True):
            place = self.places.pop(before, None)
            if place is not None:
                self.places[after], self.order[place] = place, after
                self._backward.order[-1 - place] = after
        return True

    def _enter(self, application: Application, path: str) -> None:
        self._applications.setdefault(path, []).append(application)
        for edge in _edges_of(application):
            self._users.setdefault(source_of(edge), {})[edge] = None

    # Backward

    def _reorder(self) -> None:
        """Finds the order of the walk anew: wires decide it, and it decides in which order gradients are added."""
        before = self.places
        self._backward.order = applications_before(self._backward.seeds)
        self.order = self._backward.order[::-1]
        self.places = {application: place for place, application in enumerate(self.order)}
        for application in before.keys() - self.places.keys():
            if application in self.lowered.owners:
                self._leave(application)
        self._again |= dict.fromkeys(self.places.keys() - before.keys())
        known = [item for item in self._many if item.application in self.places]
        for item in sorted(known, key=lambda item: self.places[item.application]):
            parts = self._arriving(item)
            if _gradients(parts) == _gradients(self._parts[item]):
                self._parts[item] = parts
            else:
                self._stale[item] = None

    def _leave(self, application: Application) -> None:
        """No way leads from here to the loss any more."""
        self._stale |= dict.fromkeys(application.outputs)
        for edge in _edges_of(application):
            self._moves.edges[edge] = None
            self._set_aside(self._backward.edges.pop(edge, None))
            self.cuts.edges.pop(edge, None)
            self._stale[source_of(edge)] = None
            if edge in self._targets:
                self._moves.wires.add(self._targets[edge])

    def _differentiate(self) -> None:
        """Walks back through all that may have another gradient than before."""
        for edge in list(self._before):
            if edge.application not in self.places:
                self._stale[source_of(edge)] = None
                self._moves.released.append(self._before.pop(edge))
        self._waiting: list[int] = []
        self._queued: set[int] = set()
        for application in self._again:
            if not self._queue(application):
                for edge in _edges_of(application):
                    self.cuts.edges.pop(edge, None)
        for item in list(self._stale):
            if not self._queue(item.application):
                self._collect(item)
        while self._waiting:
            application = self.order[heapq.heappop(self._waiting)]
            arrived = [self._backward.totals.get(output) for output in application.outputs]
            is_other = [self._collect(output) for output in application.outputs if output in self._stale]
            if any(is_other) or application in self._again:
                self._pass_on(application, arrived)

    def _queue(self, application: Application) -> bool:
        place = self.places.get(application)
        if place is not None and place not in self._queued:
            self._queued.add(place)
            heapq.heappush(self._waiting, place)
        return place is not None

    def _collect(self, item: Expression) -> bool:
        """Adds up what comes back to an expression now; whether that is something else than before."""
        if item.application not in self.lowered.owners:
            return False
        parts, before = self._arriving(item), self._parts.get(item, ())
        self._set_parts(item, parts)
        old, old_cuts = self._backward.totals.get(item), self.cuts.expressions.get(item)
        total = old if _gradients(parts) == _gradients(before) else self._total(item, parts)
        found = [self.cuts.edges[edge] for edge in self._users.get(item, ()) if edge in self.cuts.edges]
        cuts = frozenset[Application]().union(*found) if found else None
        _put(self._backward.totals, item, total)
        _put(self.cuts.expressions, item, cuts)
        if total is not old:
            self._note(old, total)
        if total is old and cuts == old_cuts:
            # An Identity passes on the parts themselves.
            return parts != before and item.application.type is Identity
        self._moves.items[item] = None
        if item in self._names:
            self._moves.ports.add(self._names[item])
        return True

    def _set_parts(self, item: Expression, parts: tuple[_Part, ...]) -> None:
        self._parts[item] = parts
        if len(parts) > 2:
            self._many.add(item)
        else:
            self._many.discard(item)

    def _arriving(self, item: Expression) -> tuple[_Part, ...]:
        seed = self._backward.seeds.get(item)
        parts = [] if seed is None else [_Part(None, seed)]
        for edge in self._users.get(item, ()):
            gradient = self._backward.edges.get(edge)
            if gradient is not None and edge.application.type is Identity:
                parts += self._parts[edge.application.outputs[0]]
            elif gradient is not None:
                parts.append(_Part(edge, gradient))
        return tuple(sorted(parts, key=self._key))

    def _key(self, part: _Part) -> tuple[int, int]:
        return (-1, 0) if part.edge is None else (self.places.get(part.edge.application, -1), part.edge.slot)

    def _total(self, item: Expression, parts: tuple[_Part, ...]) -> Expression | None:
        terms = _gradients(parts)
        for edge in self._users.get(item, ()):
            if edge.application.type is Identity:
                output = edge.application.outputs[0]
                if _gradients(self._parts.get(output, ())) == terms:
                    return self._backward.totals.get(output)
        return added_up(terms) if terms else None

    def _pass_on(self, application: Application, arrived: list[Expression | None]) -> None:
        """Asks the rule of an application what comes back to its inputs."""
        parts = dict(input_gradients(application, self._backward))
        if self._is_unknown():
            raise BeyondError
        old = {edge: self._backward.edges.get(edge, self._before.pop(edge, None)) for edge in _edges_of(application)}
        self._keep_identity(application, arrived, old, parts)
        for edge, before in old.items():
            self._moves.edges[edge] = None
            after = parts.get(edge.slot)
            _put(self._backward.edges, edge, after)
            if before is not after:
                self._note(before, after)
        for edge, before in old.items():
            cut = cut_at(application, self._backward, self.cuts) if is_cut(edge, self._backward) else None
            is_other = before is not self._backward.edges.get(edge) or cut != self.cuts.edges.get(edge)
            _put(self.cuts.edges, edge, cut)
            # The same gradient may come along another edge than before.
            if is_other or application in self._again or application.type is Identity:
                self._stale[source_of(edge)] = None
                self._queue(source_of(edge).application)
                if edge in self._targets:
                    self._moves.wires.add(self._targets[edge])

    def _keep_identity(
        self,
        application: Application,
        arrived: Sequence[Expression | None],
        old: Mapping[Edge, Expression | None],
        parts: dict[int, Expression],
    ) -> None:
        """Lets the new parts be the old expressions, where both are of the rule's own making."""
        arriving = [self._backward.totals.get(output) for output in application.outputs]
        instead: dict[Expression, Expression] = {}
        for edge, before in old.items():
            after = parts.get(edge.slot)
            if before is None or after is None or before is after:
                continue
            is_free = after not in instead and before not in instead.values() and before.spec == after.spec
            if is_free and self._is_own(before, arrived) and self._is_own(after, arriving):
                self._become(before, after)
                instead[after] = before
            parts[edge.slot] = instead.get(after, after)
        if instead:
            ends = {item.application: None for item in arriving if item is not None}
            known = ChainMap[Application, Any](ends, self.lowered.owners)
            for made in applications_before(parts.values(), known=known):
                made.inputs = tuple(item if item is None else instead.get(item, item) for item in made.inputs)

    def _is_own(self, part: Expression, arriving: Sequence[Expression | None]) -> bool:
        return part.application not in self.lowered.owners and part not in arriving

    def _set_aside(self, part: Expression | None) -> None:
        self._moves.released += [] if part is None else [part]

    def _note(self, before: Expression | None, after: Expression | None) -> None:
        self._moves.claimed += [] if after is None else [after]
        self._set_aside(before)


def _edges_of(application: Application) -> Iterator[Edge]:
    return (Edge(application, slot) for slot, item in enumerate(application.inputs) if item is not None)


def _is_wired(edge: Edge) -> bool:
    return edge.application.inputs[edge.slot] is not None


def _gradients(parts: Iterable[_Part]) -> tuple[Expression, ...]:
    return tuple(part.gradient for part in parts)


def _put(table: dict[_Key, _Value], key: _Key, value: _Value | None) -> None:
    """Enters a value, or removes what is there."""
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value
