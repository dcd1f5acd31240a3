"""Effect of a StopGradient: all ports and wires with and without it, and a verdict.

The stop is a block of the graph, or a hypothetical one on a wire.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from gradwire.engine.autodiff.backward import source_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.snapshot import PortResult, Snapshot, WireResult
from gradwire.engine.explain.paths import PathCounts, paths_from
from gradwire.engine.graph.graph import Graph, Page, Port
from gradwire.engine.graph.ports import pages_along

# Gradients are equal if they differ by at most this many rounding errors of the largest element.
ROUNDING_ERRORS = 64
_NO_GRADIENT = {Status.ZERO, Status.BLOCKED, Status.NO_PATH, Status.NON_DIFFERENTIABLE}


class Verdict(enum.StrEnum):
    """Effect of a stop, in the order of the decision."""

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
    """Gradient of one port or wire before and after; it `is_rounding` if both mean the same number."""

    place: PortName | Link
    before: Array
    after: Array
    is_rounding: bool

    @property
    def difference(self) -> Array:
        """Difference after minus before; equal infinities and NaN differ by 0."""
        with np.errstate(all="ignore"):
            same = (self.before == self.after) | (np.isnan(self.before) & np.isnan(self.after))
            found: Array = np.where(same, 0, self.after - self.before)
        return found

    @property
    def largest(self) -> float:
        """Largest absolute difference of an element; infinite if one is NaN."""
        return _largest(self.difference)


@dataclass(frozen=True)
class StopEffect:
    """Effect of removing a stop, or of putting one on a wire.

    `changes` are all gradients that differ, even by rounding alone; the largest difference comes first. `by` names the
    blocks that make the stop redundant. Of `paths` from the sources behind the stop to the loss, the stop removes
    `removed`. `variables` are those whose gradient really differs, None if the graph trains none. `has_other_values` is
    True if a Gradients block differentiates through the stop, so that even values differ.
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
        """Changes beyond rounding."""
        return tuple(change for change in self.changes if not change.is_rounding)

    @property
    def largest(self) -> float:
        """Largest difference of all."""
        return max((change.largest for change in self.changes), default=0.0)


def effect_of_stop(run: Evaluation, path: str) -> StopEffect:
    """Returns the effect of a StopGradient block: `before` is with it, `after` without it.

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
    """Returns the effect of a hypothetical StopGradient on a wire: `before` is without it, `after` with it.

    Raises: KeyError if there is no such wire.
    """
    graph, stop = with_stop(run.graph, link)
    stopped = run.of_other(graph)
    effect = _compared(run, _renamed(stopped.snapshot, run.snapshot, link, stop))
    return _judged(effect, without=run.of_other(graph, frozenset((stop,))), stopped=stopped, stop=stop)


def snapshot_with_stop(run: Evaluation, link: Link) -> Snapshot:
    """Returns the results with a StopGradient on a wire, under the names of the run without it.

    Raises: KeyError if there is no such wire.
    """
    graph, stop = with_stop(run.graph, link)
    return _renamed(run.of_other(graph).snapshot, run.snapshot, link, stop)


def _renamed(stopped: Snapshot, before: Snapshot, link: Link, stop: str) -> Snapshot:
    """Renames results: in every use of its page, the wire with the stop is the wire into the stop."""
    block_id = stop.rpartition("/")[2]
    into = {each: Link(each.source, PortName(_beside(each, block_id), "x")) for each in before.wires}
    wires = {each: stopped.wires[each if each in stopped.wires else into[each]] for each in before.wires}
    return replace(stopped, ports={name: stopped.ports[name] for name in before.ports}, wires=wires)


def _beside(link: Link, block_id: str) -> str:
    return f"{link.target.path.rpartition('/')[0]}/{block_id}"


def with_stop(graph: Graph, link: Link) -> tuple[Graph, str]:
    """Returns the graph with a StopGradient on a wire, and the path of the requested one.

    All uses of the wire's page receive it.
    Raises: KeyError if there is no such wire.
    """
    page, target = _page_of(graph, link), Port(link.target.path.rpartition("/")[2], link.target.port)
    wire = page.wires[target]
    changed, block_id = edits.add_block(graph, page.name, library.with_role(Role.STOP).name)
    changed = edits.connect(changed, page.name, wire.source, Port(block_id, "x"))
    changed = edits.connect(changed, page.name, Port(block_id, "y"), wire.target)
    return changed, _beside(link, block_id)


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
    """Returns whether any value differs, as behind a Gradients block that differentiates through a stop."""
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
    """Returns the effect with its verdict; the two runs have the same blocks."""
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
    """Ends of the paths back from a stop: sources, or the paths of blocks that pass no gradient."""

    sources: dict[Expression, None]
    cuts: dict[str, None]


def _behind(lowered: Lowered, stop: str) -> _Behind:
    """Follows every path back from a stop that lets gradients pass."""
    found, seen = _Behind({}, {}), set[Application]()
    waiting = [application for application, owner in lowered.owners.items() if owner == stop]
    while waiting:
        application = waiting.pop()
        if application in seen:
            continue
        seen.add(application)
        before = [source_of(edge) for edge in lowered.backward.edges_into(application)]
        waiting += [item.application for item in before]
        if not application.inputs:
            found.sources |= dict.fromkeys(application.outputs)
        elif not before and application in lowered.owners:
            found.cuts[lowered.owners[application]] = None
    return found


def _count(lowered: Lowered, sources: Iterable[Expression], avoided: Collection[Application] = ()) -> int:
    """Counts the paths from some sources to the loss."""
    counts = PathCounts(lowered, avoided).counts
    return sum(counts.get(source, 0) for source in sources)
