"""What a StopGradient changes: every port and wire with it and without it, and a verdict on the stop.

A stop is a block of the graph, or one that is only thought of on a wire.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine import edits
from engine.block_type import Role
from engine.evaluate import Evaluation
from engine.expand import Link, PortName
from engine.expression import Application, Expression
from engine.gradients import Edge
from engine.graph import Graph, Page, Port, Wire
from engine.lower import Lowered
from engine.paths import Ways, paths_from
from engine.ports import pages_along
from engine.snapshot import PortResult, Snapshot, WireResult
from engine.status import Status
from engine.tensor_spec import Array

# A gradient stays the same if it differs by no more than this many rounding errors of its largest element.
ROUNDING_ERRORS = 64
_NO_GRADIENT = {Status.ZERO, Status.BLOCKED, Status.NO_PATH, Status.NON_DIFFERENTIABLE}


class Verdict(enum.StrEnum):
    """What a stop does, in the order in which it is decided."""

    MUTED = "muted"
    UNUSED = "unused"
    NO_PATH = "no_path"
    UNKNOWN = "unknown"
    BLOCKED_AHEAD = "blocked_ahead"
    BLOCKED_BEHIND = "blocked_behind"
    NOTHING_ARRIVES = "nothing_arrives"
    CANCELS = "cancels"
    CHANGES_NOTHING = "changes_nothing"
    CHANGES = "changes"


@dataclass(frozen=True)
class Change:
    """The gradient of one port or wire before and after; it `is_rounding` where both mean the same number."""

    place: PortName | Link
    before: Array
    after: Array
    is_rounding: bool

    @property
    def difference(self) -> Array:
        """After less before; equal infinities and NaN differ by 0."""
        with np.errstate(all="ignore"):
            same = (self.before == self.after) | (np.isnan(self.before) & np.isnan(self.after))
            found: Array = np.where(same, 0, self.after - self.before)
        return found

    @property
    def largest(self) -> float:
        """The largest absolute difference of an element; infinite where one is not a number."""
        return _largest(self.difference)


@dataclass(frozen=True)
class StopEffect:
    """What happens when a stop is taken away, or when one is put on a wire.

    `changes` are all gradients that differ, even by rounding alone; the largest difference comes first. `by` names
    the blocks that make the stop redundant. Of `paths` from what lies behind to the loss, the stop removes `removed`.
    `variables` are those whose gradient really differs, None if the graph trains none. `has_other_values` says that
    a Gradients block differentiates through it, so that even values differ.
    """

    verdict: Verdict
    changes: tuple[Change, ...] = ()
    by: tuple[str, ...] = ()
    removed: int = 0
    paths: int = 0
    variables: tuple[str, ...] | None = None
    has_other_values: bool = False

    @property
    def real(self) -> tuple[Change, ...]:
        """The changes that are more than rounding."""
        return tuple(change for change in self.changes if not change.is_rounding)

    @property
    def largest(self) -> float:
        """The largest difference of all."""
        return max((change.largest for change in self.changes), default=0.0)


def stop_paths(run: Evaluation) -> list[str]:
    """The paths of all StopGradient blocks, in the order of evaluation."""
    instances = run.lowered.inferred.expanded.instances
    return [path for path, instance in instances.items() if instance.role is Role.STOP]


def effect_of_stop(run: Evaluation, path: str) -> StopEffect:
    """What a StopGradient block changes: `before` is with it, `after` without it.

    Raises: KeyError if there is no such block.
    """
    expanded = run.lowered.inferred.expanded
    if expanded.instances[path].is_muted:
        return StopEffect(Verdict.MUTED)
    if all(link.source.path != path for link in expanded.links):
        return StopEffect(Verdict.UNUSED)
    without = run.of_other(run.graph, frozenset((path,)))
    effect = _compared(run, without.snapshot)
    return _judged(effect, without=without, stopped=run, stop=path)


def effect_on_wire(run: Evaluation, link: Link) -> StopEffect:
    """What a StopGradient on a wire would change: `before` is without it, `after` with it.

    Raises: KeyError if there is no such wire.
    """
    graph, stop = with_stop(run.graph, link)
    stopped = run.of_other(graph)
    effect = _compared(run, _renamed(stopped.snapshot, run.snapshot, link, stop))
    return _judged(effect, without=run.of_other(graph, frozenset((stop,))), stopped=stopped, stop=stop)


def snapshot_with_stop(run: Evaluation, link: Link) -> Snapshot:
    """The results with a StopGradient on a wire, under the names that the run without it has.

    Raises: KeyError if there is no such wire.
    """
    graph, stop = with_stop(run.graph, link)
    return _renamed(run.of_other(graph).snapshot, run.snapshot, link, stop)


def _renamed(stopped: Snapshot, before: Snapshot, link: Link, stop: str) -> Snapshot:
    """A wire with a stop on it is the wire into the stop, in every use of its page."""
    block_id = stop.rpartition("/")[2]
    into = {each: Link(each.source, PortName(_beside(each, block_id), "x")) for each in before.wires}
    wires = {each: stopped.wires[each if each in stopped.wires else into[each]] for each in before.wires}
    return replace(stopped, ports={name: stopped.ports[name] for name in before.ports}, wires=wires)


def _beside(link: Link, block_id: str) -> str:
    return f"{link.target.path.rpartition('/')[0]}/{block_id}"


def with_stop(graph: Graph, link: Link) -> tuple[Graph, str]:
    """The graph with a StopGradient on a wire, in all uses of its page, and the path of the one asked for.

    Raises: KeyError if there is no such wire.
    """
    page, target = _page_of(graph, link), Port(link.target.path.rpartition("/")[2], link.target.port)
    wire = page.wires[target]
    changed, block_id = edits.add_block(graph, page.name, "StopGradient")
    changed = edits.connect(changed, page.name, wire.source, Port(block_id, "x"))
    changed = edits.connect(changed, page.name, Port(block_id, "y"), wire.target)
    return changed, _beside(link, block_id)


def wire_of(graph: Graph, link: Link) -> tuple[str, Wire]:
    """The page and the wire that a wire of a run is a use of.

    Raises: KeyError if there is no such wire.
    """
    page = _page_of(graph, link)
    return page.name, page.wires[Port(link.target.path.rpartition("/")[2], link.target.port)]


def _page_of(graph: Graph, link: Link) -> Page:
    pages = pages_along(graph, link.target.path.rpartition("/")[0])
    if not pages:
        raise KeyError(link)
    return pages[-1]


# The comparison


def _compared(run: Evaluation, after: Snapshot) -> StopEffect:
    before, parameters = run.snapshot, run.lowered.inferred.parameters
    trained = [path for path, values in parameters.items() if values.get("trainable")]
    effect = StopEffect(Verdict.CHANGES, _changes(before, after), has_other_values=_differ(before, after))
    changed = {change.place.path for change in effect.real if isinstance(change.place, PortName)}
    variables = tuple(path for path in trained if path in changed) if trained else None
    return replace(effect, variables=variables)


def _changes(before: Snapshot, after: Snapshot) -> tuple[Change, ...]:
    found = [*_changed_ports(before, after), *_changed_wires(before, after)]
    return tuple(sorted(found, key=lambda change: (-change.largest, str(change.place))))


def _changed_ports(before: Snapshot, after: Snapshot) -> Iterator[Change]:
    for name, port in before.ports.items():
        other = after.ports.get(name)
        yield from _change(name, port, other) if other is not None else ()


def _changed_wires(before: Snapshot, after: Snapshot) -> Iterator[Change]:
    for link, wire in before.wires.items():
        other = after.wires.get(link)
        yield from _change(link, wire, other) if other is not None else ()


def _differ(before: Snapshot, after: Snapshot) -> bool:
    """Whether a port has another value, as behind a Gradients block that differentiates through a stop."""
    others = after.ports
    return any(
        port.value is not None
        and port.value.dtype.kind == "f"
        and (other := others.get(name)) is not None
        and other.value is not None
        and not np.array_equal(port.value, other.value, equal_nan=True)
        for name, port in before.ports.items()
    )


def _change(
    place: PortName | Link, before: PortResult | WireResult, after: PortResult | WireResult
) -> Iterator[Change]:
    if before.gradient is None or after.gradient is None or before.gradient.shape != after.gradient.shape:
        return
    change = Change(place, before.gradient, after.gradient, False)
    if change.largest == 0:
        return
    are_nothing = before.status in _NO_GRADIENT and after.status in _NO_GRADIENT
    scale = max(_largest(before.gradient), _largest(after.gradient))
    allowed = ROUNDING_ERRORS * float(np.finfo(before.gradient.dtype).eps) * scale
    is_small = math.isfinite(scale) and change.largest <= allowed
    yield replace(change, is_rounding=are_nothing or is_small)


def _largest(array: Array) -> float:
    if array.size == 0:
        return 0.0
    top = float(np.abs(array).max())
    return math.inf if math.isnan(top) else top


# The verdict


def _judged(effect: StopEffect, without: Evaluation, stopped: Evaluation, stop: str) -> StopEffect:
    """The effect with its verdict; the two runs have the same blocks."""
    arriving = stopped.snapshot.ports[PortName(stop, "y")]
    if effect.has_other_values:
        return effect
    if arriving.status in (Status.BLOCKED, Status.NON_DIFFERENTIABLE):
        return replace(effect, verdict=Verdict.BLOCKED_AHEAD, by=arriving.by)
    if arriving.status is Status.NO_PATH:
        return replace(effect, verdict=Verdict.NO_PATH)
    if arriving.gradient is None:
        return replace(effect, verdict=Verdict.UNKNOWN)
    behind = _behind(without.lowered, stop)
    if behind.cuts and not behind.sources:
        return replace(effect, verdict=Verdict.BLOCKED_BEHIND, by=tuple(behind.cuts))
    stops = {application for application, owner in without.lowered.owners.items() if owner == stop}
    every, kept = (_count(without.lowered, behind.sources, avoided) for avoided in ((), stops))
    effect = replace(effect, removed=every - kept, paths=every)
    if effect.real:
        return effect
    if not np.any(arriving.gradient):
        carried = paths_from(stopped, PortName(stop, "y")).open_branches
        is_nothing = not any(branch.contribution is not None and np.any(branch.contribution) for branch in carried)
        return replace(effect, verdict=Verdict.NOTHING_ARRIVES if is_nothing else Verdict.CANCELS)
    return replace(effect, verdict=Verdict.CANCELS if effect.removed else Verdict.CHANGES_NOTHING)


@dataclass
class _Behind:
    """Where the ways back from a stop end: at sources, or at blocks that let nothing through, by their paths."""

    sources: dict[Expression, None]
    cuts: dict[str, None]


def _behind(lowered: Lowered, stop: str) -> _Behind:
    """Follows every way back from a stop that lets gradients pass."""
    found, seen = _Behind({}, {}), set[Application]()
    waiting = [application for application, owner in lowered.owners.items() if owner == stop]
    while waiting:
        application = waiting.pop()
        if application in seen:
            continue
        seen.add(application)
        sources = dict(enumerate(application.inputs))
        before = [item for slot, item in sources.items() if Edge(application, slot) in lowered.backward.edges]
        waiting += [item.application for item in before if item is not None]
        if not application.inputs:
            found.sources |= dict.fromkeys(application.outputs)
        elif not before and application in lowered.owners:
            found.cuts[lowered.owners[application]] = None
    return found


def _count(lowered: Lowered, sources: Iterable[Expression], avoided: Collection[Application] = ()) -> int:
    """How many paths lead from some sources to the loss."""
    counts = Ways(lowered, avoided).counts
    return sum(counts.get(source, 0) for source in sources)
