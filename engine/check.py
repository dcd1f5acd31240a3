"""Gradients compared with central differences: the value on each wire alone is moved, and the loss watched.

What a StopGradient gives stays frozen, as it does for the gradient. An element whose difference quotients from the
left and from the right disagree however small the step lies at a kink, a jump or a tie: it is skipped, not failed.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from engine.block_type import Role
from engine.errors import BlockError
from engine.expand import Link
from engine.expression import Application, Expression, read_only
from engine.gradients import Edge
from engine.graph import Block, Graph
from engine.lower import Lowered, infer_and_measure, lower
from engine.plan import Plan, Results, make_plan, run, run_step
from engine.status import find_cuts
from engine.tensor_spec import Array

STEP = float(np.cbrt(np.finfo(np.float64).eps))
RTOL = 1e-5
# A difference of two losses of size L carries a rounding error of about eps * L, divided by the step.
ATOL = 1e-8
ELEMENTS_PER_WIRE = 32
RUNS_OF_STEPS = 2_000_000


@dataclass(frozen=True)
class Mismatch:
    """One element whose gradient differs from its central difference."""

    link: Link
    index: tuple[int, ...]
    gradient: float
    difference: float


@dataclass(frozen=True)
class GradientCheck:
    """The outcome: how many wires and elements were compared, how many elements were skipped, and what differs."""

    wires: int
    elements: int
    skipped: int
    mismatches: tuple[Mismatch, ...]


def check_gradients(graph: Graph) -> GradientCheck:
    """Compares the gradient on every wire with central differences, everything in float64.

    Of a large tensor at most 32 elements, evenly spread, are moved, fewer where the graph is very large.
    """
    lowered = lower(infer_and_measure(in_double(graph)))
    if not lowered.losses or lowered.is_partial:
        return GradientCheck(0, 0, 0, ())
    checker = _Checker(lowered)
    for link in lowered.inferred.expanded.links:
        edge = lowered.edges.get(link.target)
        if edge is not None:
            checker.check(link, edge)
    return GradientCheck(checker.wires, checker.elements, checker.skipped, tuple(checker.mismatches))


def in_double(graph: Graph) -> Graph:
    """The same graph with every floating-point tensor and dtype parameter in float64."""
    pages = []
    for page in graph.pages:
        blocks = {name: _block_in_double(block) for name, block in page.blocks.items()}
        pages.append(dataclasses.replace(page, blocks=blocks))
    return dataclasses.replace(graph, pages=tuple(pages))


def _block_in_double(block: Block) -> Block:
    changed = {name: _value_in_double(name, value) for name, value in block.parameters.items()}
    return dataclasses.replace(block, parameters=changed)


def _value_in_double(name: str, value: object) -> object:
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return read_only(value.astype(np.float64))
    return "float64" if name == "dtype" and value in ("float16", "float32") else value


@dataclass(frozen=True)
class _Differences:
    """The central difference quotient of a function, and how far those from the left and the right disagree."""

    slope: float
    bend: float

    @classmethod
    def around(cls, function: Callable[[float], float], here: float, step: float) -> _Differences:
        above, below = function(step), function(-step)
        return cls((above - below) / (2 * step), abs(above - 2 * here + below) / step)


def _is_smooth(wide: _Differences, narrow: _Differences, gradient: float, noise: float) -> bool:
    """Whether the function has a slope here: as the step shrinks, the quotients settle and the bend goes away.

    At a kink the bend stays, at a jump the quotient grows; rounding below `noise` counts as neither.
    """
    if not all(map(math.isfinite, (wide.slope, wide.bend, narrow.slope, narrow.bend))):
        return False
    scale = max(abs(gradient), abs(wide.slope), abs(narrow.slope))
    has_kink = narrow.bend > wide.bend / 3 and narrow.bend > max(noise, 1e-3 * scale)
    has_jump = abs(narrow.slope - wide.slope) > max(noise, 1e-2 * scale)
    return not (has_kink or has_jump)


class _Checker:
    def __init__(self, lowered: Lowered) -> None:
        self.wires = self.elements = self.skipped = 0
        self.mismatches: list[Mismatch] = []
        self._lowered = lowered
        self._cuts = find_cuts(lowered.backward)
        backward = lowered.backward
        self._results: Results = run(make_plan([*lowered.losses, *backward.edges.values()]))
        self._plan: Plan = make_plan(lowered.losses)
        self._base: Results = run(self._plan)
        self._positions = {step.application: index for index, step in enumerate(self._plan.steps)}
        self._affected: dict[Application, list[int]] = {}
        self._consumers = self._find_consumers()
        wires = max(1, len(lowered.inferred.expanded.links))
        per_element = 2 * max(1, len(self._plan.steps))
        self._limit = max(1, min(ELEMENTS_PER_WIRE, RUNS_OF_STEPS // (wires * per_element)))

    def check(self, link: Link, edge: Edge) -> None:
        """Compares the elements of one wire."""
        source = edge.application.inputs[edge.slot]
        gradient = self._gradient(edge, source)
        if source is None or gradient is None or edge.application not in self._positions:
            return
        value = self._base[source]
        if value is None or value.size == 0:
            return
        self.wires += 1
        chosen = np.unique(np.linspace(0, value.size - 1, min(value.size, self._limit)).astype(int))
        for index in chosen:
            self._check_element(link, edge, value, int(index), float(gradient.flat[index]))

    def _gradient(self, edge: Edge, source: Expression | None) -> Array | None:
        """The gradient to compare with: zeros where the way is cut; None where nothing can be compared."""
        if source is None or not source.spec.is_differentiable or edge in self._lowered.backward.hidden_edges:
            return None
        part = self._lowered.backward.edges.get(edge)
        if part is not None:
            return self._results[part]
        return np.zeros(source.shape) if edge in self._cuts.edges else None

    def _check_element(self, link: Link, edge: Edge, value: Array, index: int, gradient: float) -> None:
        def loss_at(offset: float) -> float:
            moved = value.copy()
            moved.flat[index] += offset
            return self._loss_with(edge, moved)

        here = self._loss_with(edge, value)
        if not (math.isfinite(gradient) and math.isfinite(here) and math.isfinite(value.flat[index])):
            self.skipped += 1
            return
        step = STEP * max(1.0, abs(float(value.flat[index])))
        wide, narrow = (_Differences.around(loss_at, here, size) for size in (step, step / 8))
        noise = ATOL * max(1.0, abs(here))
        if not _is_smooth(wide, narrow, gradient, noise):
            self.skipped += 1
            return
        self.elements += 1
        if min(abs(found.slope - gradient) for found in (wide, narrow)) > RTOL * abs(gradient) + noise:
            place = tuple(int(item) for item in np.unravel_index(index, value.shape))
            self.mismatches.append(Mismatch(link, place, gradient, wide.slope))

    def _loss_with(self, edge: Edge, moved: Array) -> float:
        """The loss if this one input of this one application were `moved`, StopGradient outputs frozen."""
        values = [*self._base.values, moved]
        failures: dict[Application, BlockError] = {}
        first, *rest = self._steps_after(edge.application)
        step = self._plan.steps[first]
        inputs = (*step.inputs[: edge.slot], len(values) - 1, *step.inputs[edge.slot + 1 :])
        with np.errstate(all="ignore"):
            run_step(dataclasses.replace(step, inputs=inputs), values, failures)
            for index in rest:
                run_step(self._plan.steps[index], values, failures)
        found = [values[self._plan.slots[loss]] for loss in self._lowered.losses]
        return math.nan if failures else sum(float(item) for item in found if item is not None)

    def _steps_after(self, application: Application) -> list[int]:
        """The steps to run again, this one first, when an input of `application` moves."""
        if application not in self._affected:
            found = {self._positions[application]}
            stack = [application] if application.type.role is not Role.STOP else []
            while stack:
                for consumer in self._consumers.get(stack.pop(), ()):
                    position = self._positions[consumer]
                    if position not in found and consumer.type.role is not Role.STOP:
                        found.add(position)
                        stack.append(consumer)
            self._affected[application] = sorted(found)
        return self._affected[application]

    def _find_consumers(self) -> Mapping[Application, list[Application]]:
        consumers: dict[Application, list[Application]] = {}
        for step in self._plan.steps:
            for item in step.application.inputs:
                if item is not None:
                    consumers.setdefault(item.application, []).append(step.application)
        return consumers
