"""Gradient flow: the ratio by which each block scales the gradient, and the norm that remains along the path."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gradwire.engine.autodiff.backward import Edge, source_of
from gradwire.engine.autodiff.expand import Instance, Link
from gradwire.engine.autodiff.status import Status, number_status
from gradwire.engine.base.norms import norm_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.primitives import Identity
from gradwire.engine.evaluation.evaluate import Evaluation

# Source: Iglewicz and Hoaglin, How to Detect and Handle Outliers (1993): their limit and their scale.
UNUSUAL = 3.5
OF_MEDIAN = 1.4826
# If all ratios are nearly equal, only twice or half the typical one counts as unusual.
LEAST_SCALE = math.log(2) / UNUSUAL


@dataclass(frozen=True)
class FlowStep:
    """Norms of the gradient that arrives at a block and of the part that it sends along one wire.

    `steps` counts the blocks between the loss and this one along the path of the largest contributions. `sent` is
    relative to the loss's own gradient of 1. `unusual` is the deviation of the ratio from the graph's typical one, in
    robust standard deviations: below 0 it shrinks more, above it grows more. If the block sends only rounding errors,
    `sent` is 0, `is_rounded` is True, and nothing is unusual: the true gradient is zero.
    """

    link: Link
    arriving: float
    sent: float
    steps: int
    unusual: float = 0.0
    is_rounded: bool = False

    @property
    def ratio(self) -> float:
        """Norm sent divided by norm received; below 1 the gradient shrinks."""
        return self.sent / self.arriving

    @property
    def per_step(self) -> float:
        """Geometric mean of all ratios from the loss to this block."""
        return per_step(self.sent, self.steps)

    @property
    def is_unusual(self) -> bool:
        """True if the ratio is far from the graph's typical one."""
        return abs(self.unusual) > UNUSUAL


@dataclass(frozen=True)
class FlowEnd:
    """Source that the gradient reaches after `steps` blocks, with the norm that remains there."""

    path: str
    steps: int
    left: float

    @property
    def per_step(self) -> float:
        """Geometric mean of all ratios from the loss to the source."""
        return per_step(self.left, self.steps)


@dataclass(frozen=True)
class BlockFlow:
    """Share of the norm received that a block passes on, and whether one of its wires is far from the typical one."""

    ratio: float
    is_unusual: bool


@dataclass(frozen=True)
class Flow:
    """All steps of a run, the most unusual first.

    `typical` is the median of the ratios above 0, None if there is none. `end` is the source farthest from the loss,
    None if no gradient passes any block. `broken` counts the wires with NaN or infinity, which have no ratio.
    """

    steps: tuple[FlowStep, ...]
    typical: float | None
    end: FlowEnd | None
    broken: int

    def by_block(self) -> dict[str, BlockFlow]:
        """Returns, by the path of each block, what it passes on along all its wires together."""
        found: dict[str, BlockFlow] = {}
        for step in self.steps:
            path = step.link.target.path
            before = found.get(path, BlockFlow(0.0, False))
            found[path] = BlockFlow(math.hypot(before.ratio, step.ratio), before.is_unusual or step.is_unusual)
        return found


def per_step(left: float, steps: int) -> float:
    """Returns the constant factor per step that leaves the norm `left` after `steps` steps."""
    return float(left ** (1 / steps))


def flow_of(run: Evaluation) -> Flow:
    """Returns how the gradient of a run shrinks and grows block by block.

    Blocks that only forward it do not count: the Loss, points on wires, borders of pages, muted blocks.
    """
    walk = _Walk(run)
    found = list(walk.steps())
    known = [step for step in found if math.isfinite(step.arriving) and math.isfinite(step.sent)]
    logs = np.array([math.log(step.ratio) for step in known if step.sent > 0])
    typical = float(np.median(logs)) if len(logs) else None
    # If no block passes a gradient on, none can be unusual.
    rated = known if typical is None else _rated(known, typical, _scale(np.abs(logs - typical)))
    rated.sort(key=lambda step: (-abs(step.unusual), -_size(step.ratio), step.steps))
    ratio = None if typical is None else math.exp(typical)
    return Flow(tuple(rated), ratio, _farthest(walk.ends()), len(found) - len(known))


def _scale(deviations: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    """Returns the scale of the ratios' logarithms around the typical one (scaled median absolute deviation)."""
    return max(LEAST_SCALE, OF_MEDIAN * float(np.median(deviations)))


def _rated(steps: Sequence[FlowStep], typical: float, scale: float) -> list[FlowStep]:
    return [replace(step, unusual=_deviation(step, typical, scale)) for step in steps]


def _deviation(step: FlowStep, typical: float, scale: float) -> float:
    """Returns the deviation of a ratio's logarithm in units of the scale; 0 for rounding errors."""
    if step.sent > 0:
        return (math.log(step.ratio) - typical) / scale
    return 0.0 if step.is_rounded else -math.inf


def _size(ratio: float) -> float:
    return abs(math.log(ratio)) if ratio > 0 else math.inf


def _farthest(ends: Iterable[tuple[int, FlowEnd]]) -> FlowEnd | None:
    """Returns the end with the most steps; of several, one with few incoming wires.

    Sums over many wires say little about each step.
    """
    found = [(end.steps, -wires, _size(end.left), end) for wires, end in ends if end.steps]
    return max(found, key=lambda item: item[:3])[3] if found else None


class _Walk:
    """Walk over the gradients from the loss backwards, along the largest contributions."""

    def __init__(self, run: Evaluation) -> None:
        self._lowered, self._results, self._backward = run.lowered, run.results, run.lowered.backward
        self._instances, self._tolerances = run.lowered.inferred.expanded.instances, run.tolerances
        self._norms: dict[Expression | Edge, float] = {}
        self._steps: dict[Expression, int] = dict.fromkeys(self._lowered.losses, 0)
        self._arrived: dict[Expression, list[tuple[float, int]]] = {}
        for application in reversed(self._backward.order):
            self._take(application)

    def steps(self) -> Iterable[FlowStep]:
        """Yields a step for each wire along which a block sends part of its gradient."""
        for link in self._lowered.inferred.expanded.links:
            edge = self._lowered.edges.get(link.target)
            if edge is None or edge not in self._backward.edges or not self._counts(edge.application):
                continue
            arriving, steps = self._arriving(edge.application)
            if arriving != 0:
                sent = self._edge_norm(edge)
                is_rounded = sent == 0 and self._tolerances.is_rounded(edge)
                yield FlowStep(link, arriving, sent, steps + 1, is_rounded=is_rounded)

    def ends(self) -> Iterable[tuple[int, FlowEnd]]:
        """Returns the Variables and Inputs that a gradient reaches, or all sources if it reaches none of them.

        With each comes the number of wires that lead there.
        """
        found = list(self._ends())
        looked_at = [item for item in found if _is_looked_at(self._instances[item[1].path])]
        return looked_at or found

    def _ends(self) -> Iterable[tuple[int, FlowEnd]]:
        for name, expression in self._lowered.ports.items():
            instance, is_reached = self._instances[name.path], expression in self._backward.totals
            if instance.role is not Role.SOURCE or not is_reached or expression not in self._steps:
                continue
            left = self._total_norm(expression)
            if math.isfinite(left):
                yield len(self._arrived.get(expression, ())), FlowEnd(name.path, self._steps[expression], left)

    def _take(self, application: Application) -> None:
        for output in application.outputs:
            if output in self._arrived:
                self._steps.setdefault(output, max(self._arrived[output])[1])
        _, steps = self._arriving(application)
        for edge in self._backward.edges_into(application):
            found = self._edge_norm(edge), steps + self._counts(application)
            self._arrived.setdefault(source_of(edge), []).append(found)

    def _arriving(self, application: Application) -> tuple[float, int]:
        """Returns the norm of the gradients of all outputs together, and the steps to the output with the largest."""
        found = [
            (self._total_norm(output), self._steps.get(output, 0))
            for output in application.outputs
            if output in self._backward.totals
        ]
        return (math.hypot(*(norm for norm, _ in found)), max(found)[1]) if found else (0.0, 0)

    def _counts(self, application: Application) -> bool:
        if application.type is Identity or application.type.role is not Role.ORDINARY:
            return False
        return self._instances[self._lowered.owners[application]].role is not Role.GRADIENTS

    def _edge_norm(self, edge: Edge) -> float:
        if edge not in self._norms:
            self._norms[edge] = _norm(self._results[self._backward.edges[edge]], self._tolerances.of_edge(edge))
        return self._norms[edge]

    def _total_norm(self, expression: Expression) -> float:
        if expression not in self._norms:
            total = self._results[self._backward.totals[expression]]
            self._norms[expression] = _norm(total, self._tolerances.of_total(expression))
        return self._norms[expression]


def _norm(gradient: Array | None, tolerance: Array | float) -> float:
    """Returns the norm of a gradient, 0 if it is only rounding errors; NaN if it is unknown."""
    if gradient is None:
        return math.nan
    return 0.0 if number_status(gradient, tolerance) is Status.ZERO else norm_of(gradient)


def _is_looked_at(instance: Instance) -> bool:
    return instance.type is not None and (instance.type.is_variable or instance.type.is_input)
