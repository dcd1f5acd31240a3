"""Measurements beside a training: norms of the gradients on wires, and what shares of the activations pass none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace

import numpy as np

from gradwire.engine.autodiff.backward import Backward, Edge, input_gradients, ones
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.norms import norm_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.causes.zero_roots import FAINT
from gradwire.engine.graph.graph import Graph
from gradwire.engine.step_compiler.training_plan import TrainingPlan
from gradwire.engine.training.draws import Draws
from gradwire.engine.training.lowering import faultless, lowered_for_training, uses_of_sources
from gradwire.engine.training.plan import Plan, Step

ACTIVATIONS = "Activations"
# So many expressions of a slope are looked at.
WORK = 64


@dataclass(frozen=True)
class Measured:
    """Norms of gradients by wire, and by activation the share of its units that are dead, or of saturated elements.

    A unit, one place along the last axis, is dead if its slope is 0 for every row. An element is saturated if its slope
    is below the limit of the cause of that name.
    """

    norms: Mapping[str, float] = field(default_factory=dict)
    dead: Mapping[str, float] = field(default_factory=dict)
    saturated: Mapping[str, float] = field(default_factory=dict)


class Probe:
    """Graph of a plan, compiled apart from its steps, so that no bit of the training depends on what is measured.

    `wires` are named by their targets, `page/block.port`; the name of an output port stands for its whole gradient. It
    is that of the first step whose loss reaches it; the activations are those before any step.
    Raises: GradwireError if the graph has an error.
    """

    def __init__(
        self, graph: Graph, plan: Plan, wires: Iterable[str] = (), ignored_stops: Set[str] = frozenset()
    ) -> None:
        waiting = dict.fromkeys(wires)
        self._parts: list[_Part] = []
        for step in plan.steps:
            if step.rule is None or (self._parts and not waiting):
                continue
            part = _Part(graph, plan.seed, step, waiting, ignored_stops, has_slopes=not self._parts)
            waiting = dict.fromkeys(name for name in waiting if name not in part.wires)
            if part.wires or part.slopes:
                self._parts.append(part)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to measure."""
        return not self._parts

    def measured(self, n: int, values: Mapping[str, Array]) -> Measured:
        """Returns the measurements in a round, with these values of the sources."""
        found = Measured({}, {}, {})
        for part in self._parts:
            newest = part.measured(n, values)
            found = Measured(
                {**found.norms, **newest.norms}, {**found.dead, **newest.dead}, {**found.saturated, **newest.saturated}
            )
        return found


class _Part:
    """Probe of one step: `wires` that its loss reaches, and `slopes` of activations."""

    def __init__(
        self,
        graph: Graph,
        seed: int,
        step: Step,
        wires: Iterable[str],
        ignored_stops: Set[str],
        has_slopes: bool,
    ) -> None:
        inferred = faultless(replace(graph, loss=step.loss))
        draws = Draws(inferred, seed, step.name)
        lowered = lowered_for_training(inferred, True, ignored_stops, draws)
        self._sources = uses_of_sources(lowered)
        gradients = {name: _gradient(lowered, name) for name in wires}
        self.wires = {name: gradient for name, gradient in gradients.items() if gradient is not None}
        self.slopes = _slopes(lowered) if has_slopes else {}
        self._limits = {path: FAINT * (item.application.type.max_slope or 0) for path, (item, _) in self.slopes.items()}
        keep = [*self.wires.values(), *(slope for _, slope in self.slopes.values())]
        self._plan = TrainingPlan(keep, given=draws.sources)
        draws.attach(self._plan)
        self._draw = draws.draw

    def measured(self, n: int, values: Mapping[str, Array]) -> Measured:
        for name, value in values.items():
            for use in self._sources.get(name, ()):
                if self._plan.has_source(use):
                    np.copyto(self._plan.source(use), value)
        self._draw(n, 0)
        self._plan.compute()
        dead, saturated = dict[str, float](), dict[str, float]()
        for path, (_, slope) in self.slopes.items():
            array, limit = self._plan[slope], self._limits[path]
            if limit:
                saturated[path] = float(np.mean(np.abs(array) < limit))
            else:
                zeros = np.atleast_1d(array == 0)
                dead[path] = float(zeros.reshape(-1, zeros.shape[-1]).all(0).mean())
        return Measured({name: norm_of(self._plan[item]) for name, item in self.wires.items()}, dead, saturated)


def _gradient(lowered: Lowered, target: str) -> Expression | None:
    """Returns the gradient of a wire or an output port; None if no path from the loss reaches it."""
    path, _, port = target.rpartition(".")
    output, edge = lowered.ports.get(PortName(path, port)), lowered.edges.get(PortName(path, port))
    if output is not None:
        return lowered.backward.totals.get(output)
    return None if edge is None else lowered.backward.edges.get(edge)


def _slopes(lowered: Lowered) -> dict[str, tuple[Expression, Expression]]:
    """Returns output and slope of the activations that can be dead or saturated, by path."""
    found = {}
    for path in lowered.inferred.expanded.instances:
        output = lowered.ports.get(PortName(path, "y"))
        if output is None or lowered.owners.get(output.application) != path:
            continue
        slope = _slope(output.application) if 0 not in output.shape else None
        if slope is not None:
            found[path] = output, slope
    return found


def _slope(application: Application) -> Expression | None:
    """Returns the derivative of an activation, element by element; None of what is none."""
    block_type, outputs = application.type, application.outputs
    can_saturate, can_die = block_type.max_slope is not None, block_type.category == ACTIVATIONS
    if not (can_saturate or can_die) or not block_type.by_element or len(application.inputs) != 1:
        return None
    alone = Backward([application], totals={output: ones(output.spec) for output in outputs})
    slope = dict(input_gradients(application, alone)).get(Edge(application, 0).slot)
    return slope if slope is not None and (can_saturate or _is_chosen(slope, application)) else None


def _is_chosen(slope: Expression, application: Application) -> bool:
    """Returns whether a slope depends on a comparison, as that of Relu does."""
    waiting = [slope]
    for item in waiting:
        if item.dtype.kind == "b":
            return True
        if item.application is not application:
            waiting += [before for before in item.application.inputs if before is not None]
        if len(waiting) > WORK:
            break
    return False
