"""Evaluation of a graph: infer, lower, plan, run, and explain every gradient; the result is a snapshot."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gradwire.engine.autodiff.backward import Edge, source_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.explanation_errors import Faults
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.autodiff.lower import NOTHING_DRAWN, infer_and_measure, lower
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.own_gradients import OwnGradient
from gradwire.engine.autodiff.port_index import PortEntry, PortIndex
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.array_statistics import Survey
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Plan, Results, make_plan
from gradwire.engine.blocktypes.progress import Watch, unwatched
from gradwire.engine.causes.nonfinite_origins import Origins
from gradwire.engine.causes.term_sums import Sums
from gradwire.engine.causes.tolerances import Tolerances
from gradwire.engine.causes.upstream_roots import UpstreamRoots
from gradwire.engine.causes.zero_codes import Root
from gradwire.engine.causes.zero_roots import ZeroRoots
from gradwire.engine.evaluation.notices import notices_of, observations
from gradwire.engine.evaluation.snapshot import (
    InnerPart,
    Later,
    LossResult,
    PortResult,
    Snapshot,
    Tie,
    WireResult,
    ZeroCause,
)
from gradwire.engine.executors.magnitudes import NumberFacts
from gradwire.engine.executors.rematerialization import Keeping, Rematerialization, known_survey, run_within
from gradwire.engine.graph.graph import Graph

if TYPE_CHECKING:
    from gradwire.engine.executors.arena import Arena  # needed where other numbers are tried, not by one run


@dataclass(frozen=True)
class Structure:
    """Number-independent part of an evaluation: a graph's expressions, their plan, and caches of both."""

    lowered: Lowered
    plan: Plan

    @functools.cached_property
    def port_index(self) -> PortIndex:
        """Index of the arrays that belong to each port and wire."""
        return PortIndex(self.lowered)

    @functools.cached_property
    def sums(self) -> Sums:
        """Places at which gradients add up terms."""
        return Sums(self.lowered, self.plan)

    def with_plan(self, plan: Plan) -> Structure:
        """Returns the structure with another plan after an edit that already updated everything else."""
        structure = Structure(self.lowered, plan)
        structure.__dict__.update(port_index=self.port_index, sums=self.sums)
        return structure


@dataclass(frozen=True)
class Evaluation:
    """Finished run: the graph, its structure and all arrays; explanations are computed on demand.

    `survey` holds statistics of the arrays in the plan's slots, if they are known already. `keeping` limits the memory
    of runs beside this one; None keeps all arrays. `arena` is the memory of the arrays if other numbers can be tried
    there.
    """

    graph: Graph
    structure: Structure
    results: Results
    survey: Survey | None = None
    keeping: Keeping | None = None
    arena: Arena | None = None

    @property
    def lowered(self) -> Lowered:
        """Graph as expressions."""
        return self.structure.lowered

    @property
    def loss(self) -> LossResult | None:
        """Loss that is differentiated; None if there is none."""
        found, paths = self.lowered.losses, self.lowered.inferred.losses
        if not paths:
            return None
        values = [self.results[item] for item in found]
        known = [value for value in values if value is not None]
        is_hidden = self.lowered.is_partial or len(known) < len(values)
        with np.errstate(all="ignore"):
            total = None if is_hidden else np.array(sum(known[1:], start=known[0]))
        return LossResult(paths[0] if len(paths) == 1 else None, total)

    def of_other(self, graph: Graph, ignored_stops: Set[str] | None = frozenset()) -> Evaluation:
        """Runs another graph within the memory that this run may use."""
        return run_graph(graph, ignored_stops, keeping=self.keeping)

    def tensor(self, name: PortName | Link, is_gradient: bool) -> Array | None:
        """Returns the value or gradient of a port, or the gradient of a wire; None if there is none."""
        port_index = self.structure.port_index
        place = port_index.wires.get(name) if isinstance(name, Link) else port_index.ports.get(name)
        if place is None or place.value is None:
            return None
        value = self.results[place.value]
        return self.gradient(place) if is_gradient and value is not None else value

    def gradient(self, place: PortEntry) -> Array | None:
        """Returns the gradient of a port or wire: its array, or zeros if no path from the loss reaches it."""
        if place.gradient is not None:
            return self.results[place.gradient]
        value, has_none = place.value, place.status in (Status.UNKNOWN, Status.NO_GRADIENT_DTYPE)
        return None if value is None or has_none else zeros_of(value.spec)

    @functools.cached_property
    def facts(self) -> NumberFacts:
        """Magnitudes of the numbers in the arrays."""
        return NumberFacts(self.results, self.survey)

    @functools.cached_property
    def tolerances(self) -> Tolerances:
        """Bounds on the rounding errors of gradients."""
        return Tolerances(self.lowered, self.results, self.facts, self.structure.sums)

    @functools.cached_property
    def rounded(self) -> dict[Edge | Expression, Status]:
        """Statuses of edges and expressions that rounding changes."""
        return dict(self.tolerances.rounded())

    @functools.cached_property
    def zeros(self) -> ZeroRoots:
        """Roots of the zeros in gradients."""
        return ZeroRoots(self.lowered, self.results, self.facts, self.tolerances, self._faults)

    @functools.cached_property
    def snapshot(self) -> Snapshot:
        """Value and gradient of every port and wire, with the reasons."""
        with collection_paused():
            origins = Origins(self.lowered, self.results, self.facts, self._faults)
            return _Reader(self, origins, self._faults).snapshot()

    @functools.cached_property
    def _faults(self) -> Faults:
        return Faults()


def evaluate(graph: Graph, ignored_stops: Set[str] | None = frozenset()) -> Snapshot:
    """Returns the value and gradient of every port and wire of a graph; see `run_graph`."""
    return run_graph(graph, ignored_stops).snapshot


def run_graph(
    graph: Graph,
    ignored_stops: Set[str] | None = frozenset(),
    take_values: Callable[[Evaluation], object] | None = None,
    watch: Watch = unwatched,
    keeping: Keeping | None = None,
    before: Evaluation | None = None,
    drawn: Mapping[str, Sequence[Expression]] = NOTHING_DRAWN,
) -> Evaluation:
    """Evaluates a graph and keeps the data from which explanations are computed.

    `ignored_stops` names StopGradient blocks, by their paths, that let gradients pass; None stands for all of them.
    `take_values` receives a run of the same graph without its losses first: this takes half the time. `watch` learns
    which blocks that may take long are running.
    With `keeping`, the run rematerialises large arrays that do not fit. It then takes over equal arrays of the run
    `before`, whose graph this one was made from.
    Mistakes in the graph become problems of the snapshot, and everything that does not depend on them is computed.
    `drawn` has the numbers of blocks that draw, where these are given from outside.
    """
    with collection_paused():
        inferred = infer_and_measure(graph, watch)
        if take_values is not None:
            take_values(_run(dataclasses.replace(inferred, losses=[]), frozenset(), keeping, None, drawn))
        return _run(inferred, ignored_stops, keeping, before, drawn)


def _run(
    inferred: Inferred,
    ignored_stops: Set[str] | None,
    keeping: Keeping | None,
    before: Evaluation | None,
    drawn: Mapping[str, Sequence[Expression]],
) -> Evaluation:
    if ignored_stops is None:
        instances = inferred.expanded.instances.items()
        ignored_stops = {path for path, instance in instances if instance.role is Role.STOP}
    lowered = lower(inferred, ignored_stops, drawn)
    backward = lowered.backward
    ports, giving = lowered.forward_ports()
    plan = make_plan(ports, then=[*backward.totals.values(), *backward.edges.values(), *giving])
    structure = Structure(lowered, plan)
    results = run_within(plan, keeping, lowered.watch, None if before is None else before.results)
    beside = results.values.keeping if isinstance(results.values, Rematerialization) else keeping
    return Evaluation(inferred.graph, structure, results, known_survey(results), beside)


class _Reader:
    """Reader of a finished run, port by port and wire by wire."""

    def __init__(self, run: Evaluation, origins: Origins, faults: Faults) -> None:
        self._run, self._lowered, self._results = run, run.lowered, run.results
        self._port_index = run.structure.port_index
        self._tolerances, self._zeros, self._origins, self._faults = run.tolerances, run.zeros, origins, faults
        self._backward, self._inferred, self._loss = run.lowered.backward, run.lowered.inferred, run.loss
        self._upstream_roots = UpstreamRoots(run.zeros, run.lowered.backward.totals)
        self._inner = self._inner_parts()
        self._seen = observations(run.lowered, run.results, faults)

    def snapshot(self) -> Snapshot:
        """Returns everything that the run found."""
        ports = {name: self._port(place) for name, place in self._port_index.ports.items()}
        wires = {link: self._wire(link, place) for link, place in self._port_index.wires.items()}
        notices = notices_of(self._lowered, self._origins, self._seen)
        problems = (*self._inferred.problems, *self._run_problems(), *notices)
        return Snapshot(self._loss, ports, wires, problems)

    def _port(self, place: PortEntry) -> PortResult:
        if place.value is None or not self._results.has(place.value):
            return PortResult()
        value = self._results.later(place.value)
        gradient, status, zero = self._gradient(place)
        inner = tuple(self._inner.get(place.value, ()))
        ties = [self._tie(edge.application) for edge in self._zeros.arriving(place.value)]
        tie = next((tie for tie in ties if tie is not None), None)
        return PortResult(value, gradient, status, place.by, inner, zero, tie, self._origins.of_port(place.value))

    def _wire(self, link: Link, place: PortEntry) -> WireResult:
        edge = self._lowered.edges.get(link.target)
        is_own = edge is not None and edge.application.type is OwnGradient
        own = self._lowered.owners[edge.application] if edge is not None and is_own else None
        if place.value is None or not self._results.has(place.value):
            return WireResult(own=own)
        gradient, status, zero = self._gradient(place)
        withheld = None if place.withheld is None else self._arriving(place.withheld)
        tie = None if edge is None else self._tie(edge.application)
        origin = self._origins.of_wire(place.value, edge)
        return WireResult(gradient, status, place.by, withheld, zero, tie, origin, own)

    def _gradient(self, place: PortEntry) -> tuple[Later, Status, ZeroCause | None]:
        """Returns the gradient of a port or wire, its status, and the cause of its zeros."""
        gradient = self._run.gradient(place) if place.gradient is None else self._results.later(place.gradient)
        if place.arrival is None:
            assert place.status is not None
            return gradient, place.status, None
        if isinstance(place.arrival, Edge):
            status, roots = self._tolerances.status_of_edge(place.arrival), self._zeros.of_edge(place.arrival)
        else:
            status, roots = self._tolerances.status_of_total(place.arrival), self._zeros.of_total(place.arrival)
        is_finite = status in (Status.ZERO, Status.FLOW)
        return gradient, status, self._cause(roots) if roots and is_finite else None

    def _arriving(self, output: Expression) -> Later:
        total = self._backward.totals.get(output)
        return zeros_of(output.spec) if total is None else self._results.later(total)

    def _tie(self, application: Application) -> Tie | None:
        seen = self._seen.get(application)
        return Tie(self._lowered.owners[application], seen.count) if seen is not None and seen.code == "tie" else None

    def _cause(self, roots: Mapping[Root, int]) -> ZeroCause:
        """Returns the cause of most elements; ties go to the first in the order of causes."""
        counts: dict[Cause, int] = {}
        for root, count in roots.items():
            counts[root.cause] = counts.get(root.cause, 0) + count
        details = {cause: counts[cause] for cause in Cause if cause in counts}
        cause = max(details, key=lambda cause: details[cause])
        main = max((root for root in roots if root.cause is cause), key=lambda root: roots[root])
        return self._zero_cause(main, details)

    def _zero_cause(self, root: Root, details: Mapping[Cause, int]) -> ZeroCause:
        owners, further = self._lowered.owners, self._upstream_roots.end(root)
        upstream = None if further is None else (further.cause, owners[further.application])
        return ZeroCause(root.cause, owners[root.application], details, upstream)

    def _inner_parts(self) -> dict[Expression, list[InnerPart]]:
        """Returns the gradients that reach ports through derivatives, which read them without a wire."""
        wired = set(self._lowered.edges.values())
        ports = set(self._lowered.ports.values())
        parts: dict[tuple[Expression, str], list[Expression]] = {}
        for edge, part in self._backward.edges.items():
            target = source_of(edge)
            if edge not in wired and target in ports and self._is_derivative(edge):
                parts.setdefault((target, self._lowered.owners[edge.application]), []).append(part)
        found: dict[Expression, list[InnerPart]] = {}
        for (target, owner), items in parts.items():
            gradient = functools.partial(_sum, self._results, items, target.dtype)
            found.setdefault(target, []).append(InnerPart(owner, gradient))
        return found

    def _is_derivative(self, edge: Edge) -> bool:
        owner = self._lowered.owners[edge.application]
        return self._inferred.expanded.instances[owner].role is Role.GRADIENTS

    def _run_problems(self) -> Iterable[Problem]:
        for application in self._lowered.prevented:
            said, owner = application.parameters.get("message", ""), self._lowered.owners[application]
            is_block = self._inferred.expanded.instances[owner].type is application.type
            who = "this block" if is_block else "its derivative"
            message = f"{who} forbids a gradient here" + (f": {said.rstrip('.')}." if said else ".")
            yield Problem("error", owner, "prevented", message)
        yield from self._failing_rules()
        yield from self._failures()
        yield from self._faults.problems(self._lowered.owners)

    def _failing_rules(self) -> Iterable[Problem]:
        """Returns problems of failing gradient rules, each mistake once per block for all steps of a derivative."""
        found: dict[Problem, None] = {}
        faulty = {problem.at for problem in self._inferred.problems if problem.severity == "error"}
        for application, error in self._lowered.failed.items():
            if self._lowered.owners.get(application) in faulty:
                continue
            owner, sentence = self._lowered.owners[application], application.type.sentence(error)
            found[Problem("error", owner, error.code, sentence, plugin=error.plugin)] = None
        return found

    def _failures(self) -> Iterable[Problem]:
        """Yields problems of blocks that could not run; steps of the gradient only where no block is to blame."""
        failures = [(self._lowered.owners.get(item), item, error) for item, error in self._results.failures.items()]
        owned = [(owner, item, error) for owner, item, error in failures if owner is not None]
        for owner, application, error in owned:
            sentence = application.type.sentence(error)
            yield Problem("error", owner, error.code, sentence, plugin=error.plugin)
        for application, error in self._results.failures.items() if not owned else ():
            name = "a gradient rule" if application.type.is_part else application.type.name
            message = f"A gradient cannot be computed, in a step of {name}. {error.sentence}"
            owner = self._lowered.watch.owner_of(application)
            yield Problem("error", owner, error.code, message, plugin=error.plugin)


def _sum(results: Results, items: Iterable[Expression], dtype: np.dtype[Any]) -> Array | None:
    """Returns the sum of some gradients, None if one is unknown."""
    found: Array | None = np.zeros((), dtype)
    for item in items:
        part = results[item]
        found = None if found is None or part is None else found + part
    return found


def zeros_of(spec: TensorSpec) -> Array:
    """Returns zeros for a gradient that does not exist; they take no memory."""
    return np.broadcast_to(np.zeros((), spec.dtype), spec.shape)
