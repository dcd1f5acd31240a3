"""From a graph to a snapshot: infer, lower, plan, run, and say of every port and wire why it has its gradient."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

import numpy as np

from engine.block_type import Role
from engine.cause import Cause
from engine.expand import Instance, Link, PortName
from engine.expression import Application, Expression
from engine.faults import Faults
from engine.garbage import collection_paused
from engine.gradients import Edge
from engine.graph import Graph
from engine.infer import blocks_before
from engine.lower import Lowered, infer_and_measure, is_lowered, lower
from engine.notices import notices_of, observations
from engine.number_facts import NumberFacts
from engine.origins import Origins
from engine.plan import Results, make_plan, run_in_passes
from engine.problems import Problem
from engine.snapshot import InnerPart, LossResult, PortResult, Snapshot, Tie, WireResult, ZeroCause
from engine.status import Cuts, Status, Tolerances, cut_status, find_cuts
from engine.tensor_spec import Array, TensorSpec
from engine.zero_codes import Root
from engine.zero_roots import ZeroRoots


@dataclass(frozen=True)
class Evaluation:
    """A finished run: what was run, as graph and as expressions, every array, and what they say."""

    graph: Graph
    lowered: Lowered
    results: Results
    tolerances: Tolerances
    zeros: ZeroRoots
    snapshot: Snapshot


def evaluate(graph: Graph, ignored_stops: Set[str] | None = frozenset()) -> Snapshot:
    """The value and gradient of every port and wire of a graph; see `run_graph`."""
    return run_graph(graph, ignored_stops).snapshot


def run_graph(graph: Graph, ignored_stops: Set[str] | None = frozenset()) -> Evaluation:
    """Evaluates a graph, and keeps what explanations are made from.

    `ignored_stops` names StopGradient blocks, by their paths, that let gradients pass; None stands for all of them.
    Mistakes in the graph become problems of the snapshot, and all that does not depend on them is computed.
    """
    with collection_paused():
        return _run_graph(graph, ignored_stops)


def _run_graph(graph: Graph, ignored_stops: Set[str] | None) -> Evaluation:
    inferred = infer_and_measure(graph)
    if ignored_stops is None:
        instances = inferred.expanded.instances.items()
        ignored_stops = {path for path, instance in instances if instance.role is Role.STOP}
    lowered = lower(inferred, ignored_stops)
    backward = lowered.backward
    plan = make_plan([*lowered.ports.values(), *backward.totals.values(), *backward.edges.values()])
    results = run_in_passes(plan, lowered.ports.values())
    facts, faults = NumberFacts(results), Faults()
    tolerances = Tolerances(lowered, results, facts)
    zeros = ZeroRoots(lowered, results, facts, tolerances, faults)
    origins = Origins(lowered, results, facts, faults)
    snapshot = _Reader(lowered, results, tolerances, zeros, origins, faults).snapshot()
    return Evaluation(graph, lowered, results, tolerances, zeros, snapshot)


@dataclass(frozen=True)
class _Gradient:
    """A gradient with its status, as ports and wires have it."""

    array: Array | None
    status: Status
    by: tuple[str, ...] = ()
    zero: ZeroCause | None = None


class _Reader:
    """Reads a finished run port by port and wire by wire."""

    def __init__(
        self,
        lowered: Lowered,
        results: Results,
        tolerances: Tolerances,
        zeros: ZeroRoots,
        origins: Origins,
        faults: Faults,
    ) -> None:
        self._lowered, self._results, self._tolerances = lowered, results, tolerances
        self._zeros, self._origins, self._faults = zeros, origins, faults
        self._backward, self._inferred = lowered.backward, lowered.inferred
        self._cuts: Cuts = find_cuts(lowered.backward)
        self._leading = blocks_before(self._inferred.expanded, self._inferred.losses)
        self._inner = self._inner_parts()
        self._seen = observations(lowered, results, faults)

    def snapshot(self) -> Snapshot:
        """All that the run found."""
        ports = {name: self._port(name) for name in self._port_names()}
        wires = {link: self._wire(link) for link in self._inferred.expanded.links}
        wires |= {link: WireResult(None, Status.UNKNOWN) for link in self._inferred.expanded.broken}
        notices = notices_of(self._lowered, self._origins, self._seen)
        problems = (*self._inferred.problems, *self._run_problems(), *notices)
        return Snapshot(self._loss(), ports, wires, problems)

    def _loss(self) -> LossResult | None:
        if not self._inferred.losses:
            return None
        name = self._inferred.losses[0] if len(self._inferred.losses) == 1 else None
        values = [self._results[loss] for loss in self._lowered.losses]
        known = [value for value in values if value is not None]
        if self._lowered.is_partial or len(known) < len(values):
            return LossResult(name, None)
        return LossResult(name, np.asarray(sum(known[1:], start=known[0])))

    def _port_names(self) -> Iterable[PortName]:
        """Every output port: those that a block has, and those that a wire claims of one with an error."""
        wired: dict[str, dict[str, None]] = {}
        for link in self._inferred.expanded.links:
            wired.setdefault(link.source.path, {})[link.source.port] = None
        for path, instance in self._inferred.expanded.instances.items():
            names = dict.fromkeys(_declared_outputs(instance, self._inferred.outputs.get(path)))
            for name in names | wired.get(path, {}):
                yield PortName(path, name)

    def _port(self, name: PortName) -> PortResult:
        expression = self._lowered.ports.get(name)
        value = None if expression is None else self._results[expression]
        if expression is None or value is None:
            return PortResult(value, None, Status.UNKNOWN)
        gradient, inner = self._port_gradient(expression), tuple(self._inner.get(expression, ()))
        ties = [self._tie(edge.application) for edge in self._zeros.arriving(expression)]
        tie = next((tie for tie in ties if tie is not None), None)
        origin = self._origins.of_port(expression)
        return PortResult(value, gradient.array, gradient.status, gradient.by, inner, gradient.zero, tie, origin)

    def _port_gradient(self, expression: Expression) -> _Gradient:
        if not expression.spec.is_differentiable:
            return _Gradient(None, Status.NO_GRADIENT_DTYPE)
        if expression in self._backward.hidden:
            return _Gradient(None, Status.UNKNOWN)
        total = self._backward.totals.get(expression)
        if total is not None:
            roots, status = self._zeros.of_total(expression), self._tolerances.status_of_total(expression)
            return self._arrived(self._results[total], status, roots)
        return self._cut(expression.spec, self._cuts.expressions.get(expression))

    def _wire(self, link: Link) -> WireResult:
        source = self._lowered.ports.get(link.source)
        if source is None or self._results[source] is None:
            return WireResult(None, Status.UNKNOWN)
        gradient = self._wire_gradient(link, source)
        withheld, edge = self._withheld(link, gradient.status), self._lowered.edges.get(link.target)
        tie = None if edge is None else self._tie(edge.application)
        origin = self._origins.of_wire(source, edge)
        return WireResult(gradient.array, gradient.status, gradient.by, withheld, gradient.zero, tie, origin)

    def _tie(self, application: Application) -> Tie | None:
        seen = self._seen.get(application)
        return Tie(self._lowered.owners[application], seen.count) if seen is not None and seen.code == "tie" else None

    def _arrived(self, gradient: Array | None, status: Status, roots: Mapping[Root, int]) -> _Gradient:
        is_finite = status in (Status.ZERO, Status.FLOW)
        return _Gradient(gradient, status, zero=self._cause(roots) if roots and is_finite else None)

    def _cause(self, roots: Mapping[Root, int]) -> ZeroCause:
        """The cause of most elements; of equally many, the first in the order of causes."""
        if len(roots) == 1:
            ((root, count),) = roots.items()
            return ZeroCause(root.cause, self._lowered.owners[root.application], {root.cause: count})
        counts: dict[Cause, int] = {}
        for root, count in roots.items():
            counts[root.cause] = counts.get(root.cause, 0) + count
        details = {cause: counts[cause] for cause in Cause if cause in counts}
        cause = max(details, key=lambda cause: details[cause])
        main = max((root for root in roots if root.cause is cause), key=lambda root: roots[root])
        return ZeroCause(cause, self._lowered.owners[main.application], details)

    def _wire_gradient(self, link: Link, source: Expression) -> _Gradient:
        edge = self._lowered.edges.get(link.target)
        if not source.spec.is_differentiable:
            return _Gradient(None, Status.NO_GRADIENT_DTYPE)
        if edge is None:
            is_lost = link.target.path in self._leading and not is_lowered(link.target.path, self._lowered)
            return _Gradient(None, Status.UNKNOWN) if is_lost else self._cut(source.spec, None)
        if edge in self._backward.hidden_edges:
            return _Gradient(None, Status.UNKNOWN)
        part = self._backward.edges.get(edge)
        if part is not None:
            roots, status = self._zeros.of_edge(edge), self._tolerances.status_of_edge(edge)
            return self._arrived(self._results[part], status, roots)
        return self._cut(source.spec, self._cuts.edges.get(edge))

    def _cut(self, spec: TensorSpec, cuts: frozenset[Application] | None) -> _Gradient:
        zeros = np.broadcast_to(np.zeros((), spec.dtype), spec.shape)
        if cuts is None:
            return _Gradient(zeros, Status.NO_PATH)
        by = sorted({self._lowered.owners[cut] for cut in cuts})
        return _Gradient(zeros, cut_status(cuts), tuple(by))

    def _withheld(self, link: Link, status: Status) -> Array | None:
        edge = self._lowered.edges.get(link.target)
        if edge is None or edge.application.type.role is not Role.STOP or status is not Status.BLOCKED:
            return None
        output = edge.application.outputs[0]
        total = self._backward.totals.get(output)
        if total is not None:
            return self._results[total]
        is_known = output not in self._backward.hidden
        return np.broadcast_to(np.zeros((), output.dtype), output.shape) if is_known else None

    def _inner_parts(self) -> dict[Expression, list[InnerPart]]:
        """What flows back into ports through derivatives, which read them without a wire."""
        wired = set(self._lowered.edges.values())
        ports = set(self._lowered.ports.values())
        sums: dict[tuple[Expression, str], Array | None] = {}
        for edge, part in self._backward.edges.items():
            target = edge.application.inputs[edge.slot]
            if edge in wired or target is None or target not in ports or not self._is_derivative(edge):
                continue
            key, gradient = (target, self._lowered.owners[edge.application]), self._results[part]
            before = sums.get(key, np.zeros((), target.dtype))
            sums[key] = None if before is None or gradient is None else before + gradient
        found: dict[Expression, list[InnerPart]] = {}
        for (target, owner), gradient in sums.items():
            found.setdefault(target, []).append(InnerPart(owner, gradient))
        return found

    def _is_derivative(self, edge: Edge) -> bool:
        owner = self._lowered.owners[edge.application]
        return self._inferred.expanded.instances[owner].role is Role.GRADIENTS

    def _run_problems(self) -> Iterable[Problem]:
        for application in self._lowered.prevented:
            said, owner = application.parameters.get("message", ""), self._lowered.owners[application]
            is_block = self._inferred.expanded.instances[owner].type is application.type
            who = "this block" if is_block else f"its step of type {application.type.name}"
            message = f"A gradient arrives, and {who} forbids it" + (f": {said.rstrip('.')}." if said else ".")
            yield Problem("error", owner, "prevented", message)
        for application, error in self._backward.failed.items():
            yield Problem("error", self._lowered.owners.get(application, ""), error.code, error.sentence)
        yield from self._failures()
        yield from self._faults.problems(self._lowered.owners)

    def _failures(self) -> Iterable[Problem]:
        """Blocks that could not run; steps of the gradient only where no block is to blame."""
        failures = [(self._lowered.owners.get(item), item, error) for item, error in self._results.failures.items()]
        owned = [(owner, error) for owner, _, error in failures if owner is not None]
        for owner, error in owned:
            yield Problem("error", owner, error.code, error.sentence)
        for _, application, error in failures if not owned else []:
            message = f"A gradient cannot be computed, in a step of type {application.type.name}. {error.sentence}"
            yield Problem("error", "", error.code, message)


def _declared_outputs(instance: Instance, known: list[str] | None) -> list[str]:
    if instance.role is Role.PAGE_OUTPUT:
        return []
    if known is not None:
        return known
    if instance.is_entered:
        return list(instance.inputs)
    return [port.name for port in instance.type.outputs if not port.variadic] if instance.type is not None else []
