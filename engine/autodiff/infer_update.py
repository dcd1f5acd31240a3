"""What is known of a graph after an edit, out of what was known before: only what the edit changes is inferred anew."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from engine.block_type import Role
from engine.expand import Expanded, PortName, sources_of
from engine.expand_again import Again, expand_again
from engine.graph import Graph, differing
from engine.infer import infer_instance, infer_specs
from engine.inferred import Inferred, all_problems, blocks_before, chosen_losses, connected, is_measured


@dataclass(frozen=True)
class Touched:
    """How an edit changed what is known of a graph.

    `paths` are the instances that are new, or whose type, muting, parameters, arrivals, input or output specs, names
    of outputs or computability changed; `removed` those that are gone.
    """

    paths: frozenset[str]
    removed: frozenset[str]


def infer_again(before: Inferred, graph: Graph) -> tuple[Inferred, Touched] | None:
    """What `infer_specs` finds in a graph, if `before` is what is known of another; None if all has to be inferred.

    What is known of an instance that is the same object in both has not changed. None is given where `expand_again`
    gives None, where another Loss is chosen, where a derivative names a place that changed, and where a block is
    measured that depends on what changed.
    """
    again = expand_again(before.expanded, before.graph, graph) if before.graph.loss == graph.loss else None
    if again is None:
        return None
    result = _copy(before, graph, again.expanded)
    for path in again.removed:
        _forget(path, result)
    touched = _follow(again.touched, before, result)
    if _looks_at_any(result, touched | again.removed) or _is_measured_after_any(result, touched):
        return None
    result.losses = connected(chosen_losses(graph, again.expanded), again.expanded)
    result.leading = _leading_again(before, result, again)
    result.problems = all_problems(result)
    return result, Touched(touched, again.removed)


def known_after(before: Inferred, graph: Graph) -> Inferred:
    """What `infer_specs` finds in a graph, with as much as possible out of what is known of another."""
    again = infer_again(before, graph)
    return infer_specs(graph) if again is None else again[0]


def retold(before: Inferred, after: Inferred) -> set[str]:
    """The instances of which something else may be known, or that came or went; all if all was inferred anew."""
    old, new = differing(before.expanded.instances.values(), after.expanded.instances.values())
    return {item.path for item in (*old, *new)} | (before.awaiting ^ after.awaiting)


def _copy(before: Inferred, graph: Graph, expanded: Expanded) -> Inferred:
    return replace(
        before,
        graph=graph,
        expanded=expanded,
        specs=before.specs.copy(),
        parameters=before.parameters.copy(),
        inputs=before.inputs.copy(),
        outputs=before.outputs.copy(),
        passing=before.passing.copy(),
        found=before.found.copy(),
    )


def _forget(path: str, result: Inferred) -> None:
    for name in result.outputs.pop(path, ()):
        del result.specs[PortName(path, name)]
    for known in (result.parameters, result.inputs, result.passing, result.found):
        known.pop(path, None)


def _follow(touched: Iterable[str], before: Inferred, result: Inferred) -> frozenset[str]:
    """Infers some instances and those behind them, as far as what arrives there changes; gives all of them."""
    expanded, done = result.expanded, set[str]()
    waiting = [(expanded.places[path], path) for path in touched]
    heapq.heapify(waiting)
    while waiting:
        _, path = heapq.heappop(waiting)
        if path not in done:
            done.add(path)
            _forget(path, result)
            instance = expanded.instances[path] = expanded.instances[path].again()
            infer_instance(instance, result)
            for consumer in _concerned(path, before, result):
                heapq.heappush(waiting, (expanded.places[consumer], consumer))
    return frozenset(done)


def _concerned(path: str, before: Inferred, result: Inferred) -> Iterator[str]:
    """The instances at which something else arrives now from the one at `path`."""
    names = {*before.outputs.get(path, ()), *result.outputs.get(path, ())}
    ports = {PortName(path, name) for name in names}
    changed = {port for port in ports if before.specs.get(port) != result.specs.get(port)}
    is_other = before.is_computable(path) != result.is_computable(path)
    if changed or is_other:
        for consumer in result.expanded.consumers.get(path, ()):
            if is_other or not changed.isdisjoint(result.expanded.instances[consumer].inputs.values()):
                yield consumer


def _looks_at_any(result: Inferred, changed: AbstractSet[str]) -> bool:
    """Whether a derivative names a place that changed: it depends on that without a wire."""
    for path in result.expanded.special:
        if result.expanded.instances[path].role is Role.GRADIENTS:
            names = result.parameters.get(path, {}).get("stop_gradients", ())
            prefix = path.rpartition("/")[0]
            if any(f"{prefix}/{name.partition('.')[0]}" in changed for name in names):
                return True
    return False


def _is_measured_after_any(result: Inferred, changed: AbstractSet[str]) -> bool:
    """Whether a block whose output shapes depend on values gets, or may get, other values."""
    if result.measure is None:
        return False
    expanded = result.expanded
    measured = [path for path in expanded.special if is_measured(expanded.instances[path])]
    return not changed.isdisjoint(blocks_before(expanded, measured))


def _leading_again(before: Inferred, result: Inferred, again: Again) -> AbstractSet[str]:
    """The blocks that the losses depend on: a Loss leads itself, any other block where something behind it does."""
    expanded = result.expanded
    waiting = list(_perhaps_leading(before, result, again))
    if not waiting:
        return before.leading
    leading, losses = set(before.leading - again.removed), set(result.losses)
    heapq.heapify(waiting)
    done = ""
    while waiting:
        _, path = heapq.heappop(waiting)
        if path == done:  # it is there once for each of its consumers, and those all come before it
            continue
        done = path
        is_leading = path in losses or not leading.isdisjoint(expanded.consumers.get(path, ()))
        if is_leading != (path in leading):
            leading ^= {path}
            for source in sources_of(expanded.instances[path], expanded.instances):
                heapq.heappush(waiting, (-expanded.places[source], source))
    return leading


def _perhaps_leading(before: Inferred, result: Inferred, again: Again) -> Iterator[tuple[int, str]]:
    """The instances at which wires begin or end that came or went, those that come later first."""
    old, new, places = before.expanded.instances, result.expanded.instances, result.expanded.places
    found = {*before.losses, *result.losses} if before.losses != result.losses else set[str]()
    for path in again.touched | again.removed:
        ends = [sources_of(instances[path], instances) for instances in (old, new) if path in instances]
        if path not in old or path not in new or ends[0] != ends[1]:
            found.update({path}, *ends)
    return ((-places[path], path) for path in found if path in new)
