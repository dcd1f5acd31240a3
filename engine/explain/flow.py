"""How much of a gradient each block passes on, and how much of it is left along the way back from the loss."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.block_type import Role
from engine.evaluate import Evaluation
from engine.expand import Link
from engine.expression import Application, Expression
from engine.gradients import Edge
from engine.norms import norm_of
from engine.primitives import Identity
from engine.status import Status, number_status
from engine.tensor_spec import Array

# Source: Iglewicz and Hoaglin, How to Detect and Handle Outliers (1993): their limit and their scale.
UNUSUAL = 3.5
OF_MEDIAN = 1.4826
# Where all ratios are nearly the same, one is unusual only from twice or half the typical one on.
LEAST_SCALE = math.log(2) / UNUSUAL
LOOKED_AT = ("Variable", "Input")


@dataclass(frozen=True)
class FlowStep:
    """What a block sends back along one wire of the gradient that arrives at it.

    `steps` counts the blocks from the loss to here along the way that most of the gradient came, `left` is the norm
    that is left, as a share of the loss's own gradient of 1. `unusual` says by how many deviations the ratio is off
    the graph's typical one: below 0 it shrinks more, above it grows more. Where only rounding errors are sent,
    `sent` is 0 and `is_rounded` says so.
    """

    link: Link
    arriving: float
    sent: float
    steps: int
    unusual: float = 0.0
    is_rounded: bool = False

    @property
    def ratio(self) -> float:
        """How much of what arrives is sent back: below 1 it shrinks."""
        return self.sent / self.arriving

    @property
    def per_step(self) -> float:
        """The geometric mean of all ratios from the loss to here."""
        return per_step(self.sent, self.steps)

    @property
    def is_unusual(self) -> bool:
        """Whether the ratio is far from what is typical of the graph."""
        return abs(self.unusual) > UNUSUAL


@dataclass(frozen=True)
class FlowEnd:
    """A source that the gradient reaches after so many blocks, and the norm that is left of it there."""

    path: str
    steps: int
    left: float

    @property
    def per_step(self) -> float:
        """The geometric mean of all ratios from the loss to here."""
        return per_step(self.left, self.steps)


@dataclass(frozen=True)
class Flow:
    """All steps of a run, the most unusual first.

    `typical` is the median of the ratios above 0, None if there is none; `end` the source that lies farthest from the
    loss, None if no gradient passes any block; `broken` counts the wires with NaN or infinity, which have no ratio.
    """

    steps: tuple[FlowStep, ...]
    typical: float | None
    end: FlowEnd | None
    broken: int


def per_step(left: float, steps: int) -> float:
    """The factor that, taken `steps` times, leaves as much."""
    return float(left ** (1 / steps))


def flow_of(run: Evaluation) -> Flow:
    """How the gradient of a run shrinks and grows block by block.

    Blocks that only pass on count for nothing: the Loss, points on wires, borders of pages, muted blocks.
    """
    walk = _Walk(run)
    found = list(walk.steps())
    known = [step for step in found if math.isfinite(step.arriving) and math.isfinite(step.sent)]
    logs = np.array([math.log(step.ratio) for step in known if step.sent > 0])
    typical = float(np.median(logs)) if len(logs) else None
    # Where no block passes anything on, none is unlike the rest.
    rated = known if typical is None else _rated(known, typical, _scale(np.abs(logs - typical)))
    rated.sort(key=lambda step: (-abs(step.unusual), -_size(step.ratio), step.steps))
    ratio = None if typical is None else math.exp(typical)
    return Flow(tuple(rated), ratio, _farthest(walk.ends()), len(found) - len(known))


def _scale(deviations: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    """How far the logarithms of ratios usually are from the typical one."""
    return max(LEAST_SCALE, OF_MEDIAN * float(np.median(deviations)))


def _rated(steps: Sequence[FlowStep], typical: float, scale: float) -> list[FlowStep]:
    unusual = ((math.log(step.ratio) - typical) / scale if step.sent > 0 else -math.inf for step in steps)
    return [replace(step, unusual=number) for step, number in zip(steps, unusual, strict=True)]


def _size(ratio: float) -> float:
    return abs(math.log(ratio)) if ratio > 0 else math.inf


def _farthest(ends: Iterable[tuple[int, FlowEnd]]) -> FlowEnd | None:
    """The end with the most steps; of several one to which few wires lead: sums of many say little of each step."""
    found = [(end.steps, -wires, _size(end.left), end) for wires, end in ends if end.steps]
    return max(found, key=lambda item: item[:3])[3] if found else None


class _Walk:
    """Follows the gradients from the loss back, the way that most of each came."""

    def __init__(self, run: Evaluation) -> None:
        self._lowered, self._results, self._backward = run.lowered, run.results, run.lowered.backward
        self._instances, self._tolerances = run.lowered.inferred.expanded.instances, run.tolerances
        self._norms: dict[Expression | Edge, float] = {}
        self._steps: dict[Expression, int] = dict.fromkeys(self._lowered.losses, 0)
        self._arrived: dict[Expression, list[tuple[float, int]]] = {}
        for application in reversed(self._backward.order):
            self._take(application)

    def steps(self) -> Iterable[FlowStep]:
        """A step for each wire along which a block sends back something of what arrives."""
        for link in self._lowered.inferred.expanded.links:
            edge = self._lowered.edges.get(link.target)
            if edge is None or edge not in self._backward.edges or not self._counts(edge.application):
                continue
            arriving, steps = self._arriving(edge.application)
            if arriving != 0:
                sent = self._edge_norm(edge)
                is_rounded = sent == 0 and bool(np.any(self._results[self._backward.edges[edge]]))
                yield FlowStep(link, arriving, sent, steps + 1, is_rounded=is_rounded)

    def ends(self) -> Iterable[tuple[int, FlowEnd]]:
        """The Variables and Inputs that a gradient reaches, or all sources if it reaches none of them.

        With each comes the number of wires that lead there.
        """
        found = list(self._ends())
        looked_at = [item for item in found if self._instances[item[1].path].block.type in LOOKED_AT]
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
        for slot, item in enumerate(application.inputs):
            edge = Edge(application, slot)
            if item is not None and edge in self._backward.edges:
                found = self._edge_norm(edge), steps + self._counts(application)
                self._arrived.setdefault(item, []).append(found)

    def _arriving(self, application: Application) -> tuple[float, int]:
        """The norm of what arrives at all outputs together, and the steps to the output with most of it."""
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
    """The norm of a gradient, 0 if it is nothing but rounding errors; NaN if it is not known."""
    if gradient is None:
        return math.nan
    return 0.0 if number_status(gradient, tolerance) is Status.ZERO else norm_of(gradient)
