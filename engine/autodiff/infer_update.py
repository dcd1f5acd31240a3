"""Incremental inference: updates the specs of a graph after an edit and infers only what the edit affects."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from gradwire.engine.autodiff.expand import Expanded, PortName, sources_of
from gradwire.engine.autodiff.expand_update import ExpansionDiff, update_expansion
from gradwire.engine.autodiff.infer import infer_instance, infer_specs
from gradwire.engine.autodiff.inferred import (
    Inferred,
    all_problems,
    blocks_before,
    chosen_losses,
    connected,
    is_measured,
)
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Graph, differing
from gradwire.engine.graph.paths import is_in_loop


@dataclass(frozen=True)
class Touched:
    """Difference between two inferences.

    `paths` are the instances that are new, or whose type, muting, parameters, producers, input or output specs, names
    of outputs or computability changed; `removed` those that are gone.
    """

    paths: frozenset[str]
    removed: frozenset[str]


def update_inference(before: Inferred, graph: Graph) -> tuple[Inferred, Touched] | None:
    """Updates an inference to an edited graph; returns None if everything must be inferred anew.

    The result equals that of `infer_specs`. Instances that are the same object in both have equal specs. The function
    returns None where `update_expansion` does, and if another Loss is chosen, a derivative names a changed place, a
    measured block depends on a change, or specs change in a loop.
    """
    diff = update_expansion(before.expanded, before.graph, graph) if before.graph.loss == graph.loss else None
    # What is reported about a loop is found in its rounds.
    if diff is None or any(map(is_in_loop, diff.touched)):
        return None
    result = _copy(before, graph, diff.expanded)
    for path in diff.removed:
        _forget(path, result)
    touched = _follow(diff.touched, before, result)
    if any(map(is_in_loop, touched)):
        return None
    if _looks_at_any(result, touched | diff.removed) or _is_measured_after_any(result, touched):
        return None
    result.losses = connected(chosen_losses(graph, diff.expanded), diff.expanded)
    result.leading = _leading_again(before, result, diff)
    result.problems = all_problems(result)
    return result, Touched(touched, diff.removed)


def known_after(before: Inferred, graph: Graph) -> Inferred:
    """Infers a graph, incrementally from another one where possible, with no more blocks inside pages than there."""
    updated = update_inference(before, graph)
    return infer_specs(graph, inside=before.expanded.inside) if updated is None else updated[0]


def retold(before: Inferred, after: Inferred) -> set[str]:
    """Returns the instances whose inference may differ between two results, or that exist in only one of them."""
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
        shared={},
    )


def _forget(path: str, result: Inferred) -> None:
    for name in result.outputs.pop(path, ()):
        del result.specs[PortName(path, name)]
    for known in (result.parameters, result.inputs, result.passing, result.found):
        known.pop(path, None)


def _follow(touched: Iterable[str], before: Inferred, result: Inferred) -> frozenset[str]:
    """Infers some instances again, and their consumers as far as specs change; returns all that were inferred.

    Source: a heap by topological order, as in Alpern, Hoover, Rosen, Sweeney and Zadeck, Incremental Evaluation of
    Computational Circuits (1990). Cost: O(n log n) for n instances that it visits.
    """
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
    """Yields the consumers of the instance at `path` whose inputs changed."""
    names = {*before.outputs.get(path, ()), *result.outputs.get(path, ())}
    ports = {PortName(path, name) for name in names}
    changed = {port for port in ports if before.specs.get(port) != result.specs.get(port)}
    is_other = before.is_computable(path) != result.is_computable(path)
    if changed or is_other:
        for consumer in result.expanded.consumers.get(path, ()):
            if is_other or not changed.isdisjoint(result.expanded.instances[consumer].inputs.values()):
                yield consumer


def _looks_at_any(result: Inferred, changed: AbstractSet[str]) -> bool:
    """Returns whether a derivative names a changed place; it depends on that place without a wire."""
    for path in result.expanded.special:
        if result.expanded.instances[path].role is Role.GRADIENTS:
            names = result.parameters.get(path, {}).get("stop_gradients", ())
            prefix = path.rpartition("/")[0]
            if any(f"{prefix}/{name.partition('.')[0]}" in changed for name in names):
                return True
    return False


def _is_measured_after_any(result: Inferred, changed: AbstractSet[str]) -> bool:
    """Returns whether a block whose output shapes depend on values may receive other values."""
    if result.measure is None:
        return False
    expanded = result.expanded
    measured = [path for path in expanded.special if is_measured(expanded.instances[path])]
    return not changed.isdisjoint(blocks_before(expanded, measured))


def _leading_again(before: Inferred, result: Inferred, diff: ExpansionDiff) -> AbstractSet[str]:
    """Returns the blocks that the losses depend on, updated incrementally.

    A Loss leads itself; any other block leads if one of its consumers does.
    """
    expanded = result.expanded
    waiting = list(_perhaps_leading(before, result, diff))
    if not waiting:
        return before.leading
    leading, losses = set(before.leading - diff.removed), set(result.losses)
    heapq.heapify(waiting)
    done = ""
    while waiting:
        _, path = heapq.heappop(waiting)
        if path == done:  # One block is queued once per consumer, and these entries all precede it.
            continue
        done = path
        is_leading = path in losses or not leading.isdisjoint(expanded.consumers.get(path, ()))
        if is_leading != (path in leading):
            leading ^= {path}
            for source in sources_of(expanded.instances[path], expanded.instances):
                heapq.heappush(waiting, (-expanded.places[source], source))
    return leading


def _perhaps_leading(before: Inferred, result: Inferred, diff: ExpansionDiff) -> Iterator[tuple[int, str]]:
    """Yields the instances at both ends of new and removed wires, as keys of a heap, later ones first."""
    old, new, places = before.expanded.instances, result.expanded.instances, result.expanded.places
    found = {*before.losses, *result.losses} if before.losses != result.losses else set[str]()
    for path in diff.touched | diff.removed:
        ends = [sources_of(instances[path], instances) for instances in (old, new) if path in instances]
        if path not in old or path not in new or ends[0] != ends[1]:
            found.update({path}, *ends)
    return ((-places[path], path) for path in found if path in new)
