"""Forward half of an incremental lowering: blocks are lowered again in the place of their former expressions."""

from __future__ import annotations

import heapq
import itertools
from typing import NamedTuple

from gradwire.engine.autodiff.backward import Edge, source_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.autodiff.infer_update import Touched
from gradwire.engine.autodiff.lower import lower_instance
from gradwire.engine.base.errors import CannotUpdate
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression, are_same
from gradwire.engine.evaluation.lowered_diff import LoweredDiff, Pending
from gradwire.engine.evaluation.lowered_index import LoweredIndex, edges_of


class _Work(NamedTuple):
    """Part of a lowered graph that one block makes."""

    ports: dict[PortName, Expression]
    edges: dict[PortName, Edge]
    applications: tuple[Application, ...]


class ForwardUpdate:
    """One update of the forward expressions: it lowers the touched blocks, and the readers of what really changed.

    An expression stays while only its computation changes and not its spec; its readers then stay as well.
    """

    def __init__(self, index: LoweredIndex, diff: LoweredDiff, pending: Pending) -> None:
        self._index, self._diff, self._pending = index, diff, pending
        self._lowered, self._backward, self._cuts = index.lowered, index.backward, index.cuts

    def run(self, inferred: Inferred, touched: Touched) -> bool:
        """Lowers the changed blocks; returns whether wires changed, which decide the order of the backward pass.

        Cost: O(n log n) for n touched blocks and readers, beside numbering all blocks once.
        Raises: CannotUpdate if the whole graph must be lowered again.
        """
        before, self._lowered.inferred = self._lowered.inferred, inferred
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
            for edge in [edge for item in changed for edge in self._index.users.get(item, ())]:
                user = self._lowered.owners[edge.application]
                if user not in known:
                    known.add(user)
                    heapq.heappush(waiting, (places[user], user))
        return is_rewired

    def _taken_out(self, path: str, before: Inferred) -> _Work:
        """Removes a block; its expressions and edges stay until their substitutes are known."""
        lowered = self._lowered
        names = [PortName(path, name) for name in before.outputs.get(path, ())]
        ports = {name: lowered.ports.pop(name) for name in names if name in lowered.ports}
        targets = [arrival.target for arrival in before.inputs.get(path, ())]
        edges = {target: lowered.edges.pop(target) for target in targets if target in lowered.edges}
        self._diff.paths.add(path)
        self._diff.wires.update(targets)
        return _Work(ports, edges, self._index.take_out(path))

    def _put_in(self, path: str) -> _Work:
        """Lowers a block anew; the result is empty if it is gone or has an error."""
        lowered, inferred = self._lowered, self._lowered.inferred
        if not inferred.is_computable(path):
            if inferred.expanded.consumers.get(path):
                # Gradients behind an error are unknown.
                raise CannotUpdate
            return _Work({}, {}, ())
        count = len(lowered.owners)
        instance = inferred.expanded.instances[path]
        if instance.role in (Role.GRADIENTS, Role.PREVENT):
            raise CannotUpdate
        lower_instance(instance, lowered)
        made = tuple(itertools.islice(reversed(lowered.owners), len(lowered.owners) - count))[::-1]
        names = [PortName(path, name) for name in inferred.outputs[path]]
        targets = [arrival.target for arrival in inferred.inputs[path]]
        self._diff.wires.update(targets)
        return _Work(
            {name: lowered.ports[name] for name in names if name in lowered.ports},
            {target: edge for target in targets if (edge := lowered.edges.get(target)) is not None and _is_wired(edge)},
            made,
        )

    def _exchange(self, path: str, old: _Work) -> tuple[list[Expression], bool]:
        """Replaces a block.

        Returns the expressions without a substitute, and whether any application has other inputs.
        """
        new = self._put_in(path)
        for name, expression in new.ports.items():
            before = old.ports.get(name)
            if before is not None and before.spec == expression.spec:
                self._diff.identify(before, expression)
                self._lowered.ports[name] = before
            else:
                self._diff.claimed.append(expression)
                self._index.names[expression] = name
        self._diff.left |= dict.fromkeys(old.applications)
        for application in new.applications:
            self._index.enter(application, path)
            self._pending.again[application] = None
        self._index.targets |= {edge: target for target, edge in new.edges.items()}
        for application in old.applications:
            for edge in edges_of(application):
                self._replace_edge(edge, new)
        return self._dropped(old), not self._stands_in_order(old.applications, new.applications)

    def _replace_edge(self, old: Edge, new: _Work) -> None:
        self._diff.edges[old] = None
        source, target = source_of(old), self._index.targets.pop(old, None)
        part, cut = self._backward.edges.pop(old, None), self._cuts.edges.pop(old, None)
        edge = None if target is None else new.edges.get(target)
        if edge is None or source_of(edge) is not source:
            if part is not None or cut is not None:
                self._pending.stale[source] = None
            if edge is not None:
                self._pending.stale[source_of(edge)] = None
        if edge is not None and part is not None:
            self._pending.before[edge] = part
        elif part is not None:
            self._diff.released.append(part)

    def _dropped(self, old: _Work) -> list[Expression]:
        """Forgets the outputs of applications that are no more."""
        outputs = [item for application in old.applications for item in application.outputs]
        found = [item for item in outputs if item.application in old.applications]
        for item in found:
            self._diff.items[item] = None
            total = self._backward.totals.pop(item, None)
            self._diff.released += [] if total is None else [total]
            self._diff.released += [item] if item in self._index.names else []
            self._cuts.expressions.pop(item, None)
            self._index.parts.forget(item)
            self._index.names.pop(item, None)
        return found

    def _stands_in_order(self, old: tuple[Application, ...], new: tuple[Application, ...]) -> bool:
        """Gives applications the places of others in the backward pass; returns whether their inputs allow it."""
        if len(old) != len(new) or not all(map(are_same, *([item.inputs for item in part] for part in (old, new)))):
            return False
        if any(output.application in old for item in old for output in item.outputs):
            return False
        for before, after in zip(old, new, strict=True):
            self._index.substitute(before, after)
        return True


def _is_wired(edge: Edge) -> bool:
    return edge.application.inputs[edge.slot] is not None
