"""Backward half of an incremental lowering: the backward pass through all gradients that may have changed."""

from __future__ import annotations

import heapq
from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from gradwire.engine.autodiff.backward import Edge, input_gradients, source_of
from gradwire.engine.autodiff.status import cut_at, is_cut
from gradwire.engine.base.errors import CannotUpdate
from gradwire.engine.blocktypes.expression import Application, Expression, are_same, place_of, topological_order
from gradwire.engine.blocktypes.primitives import Identity
from gradwire.engine.evaluation.lowered_diff import LoweredDiff, Pending
from gradwire.engine.evaluation.lowered_index import LoweredIndex, edges_of, gradients_of

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class BackwardUpdate:
    """One update of the gradients after that of the forward expressions.

    Applications wait in a heap by their places, so each is visited once and after its consumers.
    Source: Alpern, Hoover, Rosen, Sweeney and Zadeck, Incremental Evaluation of Computational Circuits (1990). Cost:
    O(n log n) for n visits.
    """

    def __init__(self, index: LoweredIndex, diff: LoweredDiff, pending: Pending) -> None:
        self._index, self._diff, self._pending, self._parts = index, diff, pending, index.parts
        self._lowered, self._backward, self._cuts = index.lowered, index.backward, index.cuts
        self._waiting: list[int] = []
        self._queued: set[int] = set()

    def reorder(self) -> None:
        """Sorts the applications again; their order decides the order in which gradients are added."""
        before = self._index.places
        self._backward.order = topological_order(self._backward.seeds)
        self._index.renumber()
        places = self._index.places
        for application in before.keys() - places.keys():
            if application in self._lowered.owners:
                self._leave(application)
        self._pending.again |= dict.fromkeys(places.keys() - before.keys())
        self._pending.stale |= dict.fromkeys(self._parts.reordered())

    def run(self) -> None:
        """Visits all applications whose gradients may have changed.

        Raises: CannotUpdate if a gradient is unknown.
        """
        pending, places = self._pending, self._index.places
        for edge in list(pending.before):
            if edge.application not in places:
                pending.stale[source_of(edge)] = None
                self._diff.released.append(pending.before.pop(edge))
        for application in pending.again:
            if not self._queue(application):
                for edge in edges_of(application):
                    self._cuts.edges.pop(edge, None)
        for item in list(pending.stale):
            if not self._queue(item.application):
                self._collect(item)
        while self._waiting:
            application = self._index.order[heapq.heappop(self._waiting)]
            arrived = [self._backward.totals.get(output) for output in application.outputs]
            is_other = [self._collect(output) for output in application.outputs if output in pending.stale]
            if any(is_other) or application in pending.again:
                self._pass_on(application, arrived)

    def _leave(self, application: Application) -> None:
        """Removes the gradients of an application that no longer leads to the loss."""
        self._pending.stale |= dict.fromkeys(application.outputs)
        for edge in edges_of(application):
            self._diff.edges[edge] = None
            self._diff.exchange(self._backward.edges.pop(edge, None), None)
            self._cuts.edges.pop(edge, None)
            self._pending.stale[source_of(edge)] = None
            if edge in self._index.targets:
                self._diff.wires.add(self._index.targets[edge])

    def _queue(self, application: Application) -> bool:
        place = self._index.places.get(application)
        if place is not None and place not in self._queued:
            self._queued.add(place)
            heapq.heappush(self._waiting, place)
        return place is not None

    def _collect(self, item: Expression) -> bool:
        """Adds up the gradients of an expression; returns whether the sum or its cuts changed."""
        if item.application not in self._lowered.owners:
            return False
        parts, before = self._parts.arriving(item), self._parts.known(item)
        self._parts.keep(item, parts)
        old, old_cuts = self._backward.totals.get(item), self._cuts.expressions.get(item)
        is_other = not are_same(gradients_of(parts), gradients_of(before))
        total = self._parts.total(item, parts) if is_other else old
        found = [self._cuts.edges[edge] for edge in self._index.users.get(item, ()) if edge in self._cuts.edges]
        cuts = frozenset[Application]().union(*found) if found else None
        _put(self._backward.totals, item, total)
        _put(self._cuts.expressions, item, cuts)
        if total is not old:
            self._diff.exchange(old, total)
        if total is old and cuts == old_cuts:
            # An Identity passes on the parts instead of their sum.
            is_moved = [part.edge for part in parts] != [part.edge for part in before]
            return (is_other or is_moved) and item.application.type is Identity
        self._diff.items[item] = None
        if item in self._index.names:
            self._diff.ports.add(self._index.names[item])
        return True

    def _pass_on(self, application: Application, arrived: list[Expression | None]) -> None:
        """Runs the gradient rule of an application."""
        parts = dict(input_gradients(application, self._backward))
        if self._backward.hidden:
            raise CannotUpdate
        before = self._pending.before
        old = {edge: self._backward.edges.get(edge, before.pop(edge, None)) for edge in edges_of(application)}
        self._keep_identity(application, arrived, old, parts)
        for edge, part in old.items():
            self._diff.edges[edge] = None
            _put(self._backward.edges, edge, parts.get(edge.slot))
            if part is not parts.get(edge.slot):
                self._diff.exchange(part, parts.get(edge.slot))
        for edge, part in old.items():
            self._pass_along(edge, part)

    def _pass_along(self, edge: Edge, before: Expression | None) -> None:
        """Queues the source of an edge if its gradient may have changed, or comes along another edge than before."""
        application = edge.application
        cut = cut_at(application, self._backward, self._cuts) if is_cut(edge, self._backward) else None
        is_other = before is not self._backward.edges.get(edge) or cut != self._cuts.edges.get(edge)
        _put(self._cuts.edges, edge, cut)
        if is_other or application in self._pending.again or application.type is Identity:
            self._pending.stale[source_of(edge)] = None
            self._queue(source_of(edge).application)
            if edge in self._index.targets:
                self._diff.wires.add(self._index.targets[edge])

    def _keep_identity(
        self,
        application: Application,
        arrived: Sequence[Expression | None],
        old: Mapping[Edge, Expression | None],
        parts: dict[int, Expression],
    ) -> None:
        """Keeps the old expressions for new parts where the rule itself made both."""
        arriving = [self._backward.totals.get(output) for output in application.outputs]
        instead: dict[Expression | None, Expression] = {}
        for edge, before in old.items():
            after = parts.get(edge.slot)
            if before is None or after is None:
                continue
            is_used = after in instead or place_of(before, instead.values()) is not None
            is_free = not is_used and before.spec == after.spec
            if is_free and self._is_own(before, arrived) and self._is_own(after, arriving):
                self._diff.identify(before, after)
                instead[after] = before
            parts[edge.slot] = instead.get(after, after)
        if instead:
            ends = {item.application: None for item in arriving if item is not None}
            known = ChainMap[Application, Any](ends, self._lowered.owners)
            for made in topological_order(parts.values(), known=known):
                made.inputs = tuple(instead.get(item, item) for item in made.inputs)

    def _is_own(self, part: Expression, arriving: Sequence[Expression | None]) -> bool:
        return part.application not in self._lowered.owners and place_of(part, arriving) is None


def _put(table: dict[_Key, _Value], key: _Key, value: _Value | None) -> None:
    """Sets a value; None removes the entry."""
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value
