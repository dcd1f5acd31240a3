"""Backpropagation block by block: incoming gradients, outgoing gradients and partial sums."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.expand import Instance, Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.snapshot import PortResult

# Edges with these statuses carry a gradient, if only zeros; on all others a cut blocks the gradient, or no path exists.
CARRYING = (Status.FLOW, Status.ZERO, Status.NONFINITE, Status.UNKNOWN)


class Kind(enum.StrEnum):
    """Roles of a block in the backward pass: it begins, passes on, ends, stops or cannot differentiate the gradient."""

    SEED = "seed"
    SENDS = "sends"
    ENDS = "ends"
    STOPS = "stops"
    CUT = "cut"


@dataclass(frozen=True)
class Part:
    """Contribution of a step to the gradient of an output port.

    `link` is None for a port that a derivative reads without a wire. The part is the `place`-th of `count`
    contributions to the port's gradient, 0 if nothing is carried. `next_step` is the number of the step that adds the
    next one. `withheld` is the gradient that a StopGradient withholds.
    """

    port: PortName
    link: Link | None
    gradient: Array | None
    status: Status
    withheld: Array | None = None
    place: int = 0
    count: int = 0
    next_step: int | None = None

    @property
    def is_carried(self) -> bool:
        """True if a gradient comes back, if only zeros."""
        return self.status in CARRYING


@dataclass(frozen=True)
class BackStep:
    """Turn of one block: `arrives` has the results of its output ports, `parts` its contributions to earlier blocks."""

    number: int
    path: str
    kind: Kind
    arrives: Mapping[str, PortResult]
    parts: tuple[Part, ...]


def back_steps(run: Evaluation) -> tuple[BackStep, ...]:
    """Returns all steps of a run in reverse order: each block from which a loss is reachable, the losses first.

    A constant, whose gradient nobody uses, has no step.
    """
    lowered = run.lowered
    waiting, inner = _links_by_block(run), _inner_parts(run)
    reached = {lowered.owners[item] for item in lowered.backward.order if item in lowered.owners}
    instances, steps = lowered.inferred.expanded.instances, list[BackStep]()
    for path in reversed(instances):
        if path in reached:
            step = _step(run, path, waiting.get(path, []), inner.get(path, []))
            is_told = step.kind is not Kind.ENDS or _may_change(instances[path])
            steps += [step] if is_told and _has_gradients(step) else []
    return _counted(dataclasses.replace(step, number=number) for number, step in enumerate(steps, start=1))


def sum_so_far(steps: Sequence[BackStep], port: PortName, number: int) -> Array | None:
    """Returns the partial sum of a port's gradient after the first `number` steps; None if it is not known yet."""
    parts = [part for step in steps[:number] for part in step.parts if part.port == port and part.is_carried]
    total: Array | None = None
    for part in parts:
        if part.gradient is None:
            return None
        with np.errstate(all="ignore"):
            total = part.gradient if total is None else np.asarray(total + part.gradient)
    return total


def _links_by_block(run: Evaluation) -> dict[str, list[Link]]:
    """Groups the wires by the block that sends a gradient along them.

    A wire into a page belongs to the block inside that reads it.
    """
    found: dict[str, list[Link]] = {}
    for link in run.snapshot.wires:
        edge = run.lowered.edges.get(link.target)
        path = link.target.path if edge is None else run.lowered.owners[edge.application]
        found.setdefault(path, []).append(link)
    return found


def _inner_parts(run: Evaluation) -> dict[str, list[Part]]:
    """Returns the contributions of each derivative to the ports that it reads without a wire."""
    found: dict[str, list[Part]] = {}
    for port, result in run.snapshot.ports.items():
        for part in result.inner:
            status = Status.UNKNOWN if part.gradient is None else Status.FLOW
            found.setdefault(part.by, []).append(Part(port, None, part.gradient, status))
    return found


def _step(run: Evaluation, path: str, links: Iterable[Link], inner: Iterable[Part]) -> BackStep:
    arrives = _arrivals(run, path)
    inputs = run.lowered.inferred.inputs.get(path, [])
    order = {arrival.target: place for place, arrival in enumerate(inputs)}
    links = sorted(links, key=lambda link: order.get(link.target, len(order)))
    wires = [(link, run.snapshot.wires[link]) for link in links]
    parts = [Part(link.source, link, wire.gradient, wire.status, wire.withheld) for link, wire in wires]
    parts = [part for part in parts if part.status is not Status.NO_GRADIENT_DTYPE]
    parts += inner
    return BackStep(0, path, _kind(run, path, arrives, parts), arrives, tuple(parts))


def _arrivals(run: Evaluation, path: str) -> dict[str, PortResult]:
    """Returns the results of a block's outputs. The output of a page's port has one too, although no wire leaves it."""
    names = run.lowered.inferred.outputs.get(path, [])
    found = {name: run.snapshot.ports.get(PortName(path, name)) or _inside(run, PortName(path, name)) for name in names}
    return {name: result for name, result in found.items() if result is not None}


def _inside(run: Evaluation, name: PortName) -> PortResult | None:
    expression = run.lowered.ports.get(name)
    total = None if expression is None else run.lowered.backward.totals.get(expression)
    if expression is None or total is None:
        return None
    return PortResult(run.results[expression], run.results[total], Status.FLOW)


def _kind(run: Evaluation, path: str, arrives: Mapping[str, PortResult], parts: Sequence[Part]) -> Kind:
    instance = run.lowered.inferred.expanded.instances[path]
    has_arrived = any(result.status in CARRYING for result in arrives.values())
    if path in run.lowered.inferred.losses:
        return Kind.SEED
    if instance.role is Role.STOP and any(part.status is Status.BLOCKED for part in parts):
        return Kind.STOPS
    if not has_arrived:
        return Kind.CUT
    if instance.is_entered or any(part.is_carried for part in parts):
        return Kind.SENDS
    return Kind.CUT if parts else Kind.ENDS


def _may_change(instance: Instance) -> bool:
    """Returns whether anybody can use the gradient of a block: constants and data stay as they are."""
    kind = instance.type
    return kind is None or kind.role is not Role.SOURCE or kind.is_variable or kind.is_input


def _has_gradients(step: BackStep) -> bool:
    """Returns whether a step concerns gradients at all; integer sources do not."""
    statuses = [result.status for result in step.arrives.values()] + [part.status for part in step.parts]
    return any(status is not Status.NO_GRADIENT_DTYPE for status in statuses)


def _counted(steps: Iterable[BackStep]) -> tuple[BackStep, ...]:
    """Returns the steps with the contributions to each port numbered."""
    steps = list(steps)
    numbers: dict[PortName, list[int]] = {}
    for step in steps:
        for part in step.parts:
            if part.is_carried:
                numbers.setdefault(part.port, []).append(step.number)
    seen: dict[PortName, int] = {}

    def counted(part: Part) -> Part:
        if not part.is_carried:
            return part
        seen[part.port] = place = seen.get(part.port, 0) + 1
        all_of_port = numbers[part.port]
        next_step = all_of_port[place] if place < len(all_of_port) else None
        return dataclasses.replace(part, place=place, count=len(all_of_port), next_step=next_step)

    return tuple(dataclasses.replace(step, parts=tuple(map(counted, step.parts))) for step in steps)
