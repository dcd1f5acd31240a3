"""Gradient checks by central differences: the value on one wire alone moves, and the loss is compared.

The output of a StopGradient stays frozen, as it does for the gradient. If the quotients from the left and from the
right disagree for every step, the element lies at a kink, a jump or a tie: the check skips it. It does so too where
they disagree for a value on the way to the loss, because two kinks can hide each other there.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.autodiff.lower import Lowered, infer_and_measure, lower
from gradwire.engine.autodiff.status import find_cuts
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, read_only
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import Results, make_plan, run
from gradwire.engine.explain.nudged_loss import NudgedLoss, Place
from gradwire.engine.graph.graph import Block, Graph

STEP = float(np.cbrt(np.finfo(np.float64).eps))
RTOL = 1e-5
# The difference of two losses of size L has a rounding error of about eps * L, divided by the step.
ATOL = 1e-8
ELEMENTS_PER_WIRE = 32
RUNS_OF_STEPS = 2_000_000
# Losses for one element: two on each side.
LOSSES_PER_ELEMENT = 4
FLOATS = ("float16", "float32", "float64")


@dataclass(frozen=True)
class Mismatch:
    """Element whose gradient differs from its central difference."""

    link: Link
    index: tuple[int, ...]
    gradient: float
    difference: float


@dataclass(frozen=True)
class GradientCheck:
    """Outcome of a check: numbers of wires and elements compared and elements skipped, and the mismatches."""

    wires: int
    elements: int
    skipped: int
    mismatches: tuple[Mismatch, ...]


def check_gradients(graph: Graph) -> GradientCheck:
    """Compares the gradient on every wire with central differences, in float64 throughout.

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
    """Returns the graph with every floating-point tensor and dtype parameter in float64."""
    return _in_dtype(graph, "float64")


def in_single(graph: Graph) -> Graph:
    """Returns the graph with every floating-point tensor and dtype parameter in float32."""
    return _in_dtype(graph, "float32")


def _in_dtype(graph: Graph, dtype: str) -> Graph:
    pages = []
    for page in graph.pages:
        blocks = {name: _block_in_dtype(block, dtype) for name, block in page.blocks.items()}
        pages.append(dataclasses.replace(page, blocks=blocks))
    return dataclasses.replace(graph, pages=tuple(pages))


def _block_in_dtype(block: Block, dtype: str) -> Block:
    block_type = library.get(block.type)
    defaults = {} if block_type is None else {name: item.default for name, item in block_type.parameters.items()}
    changed = {name: _value_in_dtype(name, value, dtype) for name, value in block.parameters.items()}
    if isinstance(defaults.get("dtype"), str) and defaults["dtype"] in FLOATS:
        changed.setdefault("dtype", dtype)
    return dataclasses.replace(block, parameters=changed)


def _value_in_dtype(name: str, value: object, dtype: str) -> object:
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        with np.errstate(over="ignore"):
            return read_only(value.astype(dtype))
    return dtype if name == "dtype" and isinstance(value, str) and value in FLOATS else value


def nudged(value: Array, index: int, offset: float) -> Array:
    """Returns a copy of the array with one element moved by `offset`; `index` counts in the flat array."""
    moved = value.copy()
    with np.errstate(all="ignore"):
        moved.flat[index] += offset
    return moved


@dataclass(frozen=True)
class Differences:
    """Central difference quotient of a function, with the gap between its left and right quotients.

    Source: central differences, exact up to the square of the step; Nocedal and Wright, Numerical Optimization (2006),
    section 8.1. Cost: two values of the function.
    """

    slope: float
    bend: float

    @classmethod
    def around(cls, function: Callable[[float], float], here: float, step: float) -> Differences:
        """Returns the quotients of a function of an offset; `here` is its value at 0."""
        above, below = function(step), function(-step)
        return cls((above - below) / (2 * step), abs(above - 2 * here + below) / step)


def is_smooth(wide: Differences, narrow: Differences, gradient: float, noise: float) -> bool:
    """Returns whether the function is smooth here: as the step shrinks, the quotients settle and the bend vanishes.

    At a kink the bend stays, at a jump the quotient grows; rounding below `noise` counts as neither.
    """
    if not all(map(math.isfinite, (wide.slope, wide.bend, narrow.slope, narrow.bend))):
        return False
    scale = max(abs(gradient), abs(wide.slope), abs(narrow.slope))
    has_kink = narrow.bend > wide.bend / 3 and narrow.bend > max(noise, 1e-3 * scale)
    has_jump = abs(narrow.slope - wide.slope) > max(noise, 1e-2 * scale)
    return not (has_kink or has_jump)


def jumps(wide: Differences, narrow: Differences, noise: float) -> bool:
    """Returns whether the function jumps here: an eighth of the step makes its quotients eight times as large."""
    pairs = (abs(wide.slope), abs(narrow.slope)), (wide.bend, narrow.bend)
    return any(after > max(4 * before, noise) for before, after in pairs)


def meets_kink(nudge: NudgedLoss, place: Place, value: Array, index: int, step: float) -> bool:
    """Returns whether a kink, a jump or a tie lies between an element of a place and the loss.

    Each value is judged as `is_smooth` judges the loss.
    """
    offsets = (0.0, step, -step, step / 8, -step / 8)
    for found in nudge.later_values(place, [nudged(value, index, offset) for offset in offsets]):
        arrays = [item for item in found if item is not None and item.dtype.kind == "f"]
        if len(arrays) == len(offsets) and _has_kink(arrays, step):
            return True
    return False


def _has_kink(values: Sequence[Array], step: float) -> bool:
    here, above, below, near_above, near_below = values
    with np.errstate(all="ignore"):
        wide, narrow = (
            np.abs(a - 2 * here + b) / h for a, b, h in ((above, below, step), (near_above, near_below, step / 8))
        )
        scale = np.maximum(ATOL * np.maximum(1, np.abs(here)), 1e-3 * np.abs(above - below) / (2 * step))
        return bool(np.any((narrow > wide / 3) & (narrow > scale)))


@dataclass(frozen=True)
class _Wire:
    """Wire with its gradient and its value, and the loss: as a function of the value, and as it is."""

    link: Link
    edge: Edge
    gradient: Array
    value: Array
    loss: Callable[[Array], float]
    here: float

    def loss_at(self, index: int, offset: float) -> float:
        """Returns the loss with one element moved by `offset`."""
        return self.loss(nudged(self.value, index, offset))


class _Checker:
    def __init__(self, lowered: Lowered) -> None:
        self.wires = self.elements = self.skipped = 0
        self.mismatches: list[Mismatch] = []
        self._lowered = lowered
        self._cuts = find_cuts(lowered.backward)
        backward = lowered.backward
        self._results: Results = run(make_plan([*lowered.losses, *backward.edges.values()]))
        self._nudged = NudgedLoss(lowered)
        wires = max(1, len(lowered.inferred.expanded.links))
        per_element = 2 * max(1, self._nudged.steps)
        self._limit = max(1, min(ELEMENTS_PER_WIRE, RUNS_OF_STEPS // (wires * per_element)))

    def check(self, link: Link, edge: Edge) -> None:
        """Compares the elements of one wire."""
        source = edge.application.inputs[edge.slot]
        gradient = self._gradient(edge, source)
        value = self._nudged.value(edge)
        if gradient is None or value is None or value.size == 0:
            return
        self.wires += 1
        chosen = np.unique(np.linspace(0, value.size - 1, min(value.size, self._limit)).astype(int))
        loss = self._nudged.compile(edge, value, LOSSES_PER_ELEMENT * len(chosen))
        wire = _Wire(link, edge, gradient, value, loss, self._nudged.unmoved(edge, value))
        for index in chosen.tolist():
            self._check_element(wire, index)

    def _gradient(self, edge: Edge, source: Expression | None) -> Array | None:
        """Returns the gradient to compare: zeros behind a cut; None where no comparison is possible."""
        if source is None or not source.spec.is_differentiable or edge in self._lowered.backward.hidden_edges:
            return None
        part = self._lowered.backward.edges.get(edge)
        if part is not None:
            return self._results[part]
        return np.zeros(source.shape) if edge in self._cuts.edges else None

    def _check_element(self, wire: _Wire, index: int) -> None:
        gradient, at, here = float(wire.gradient.flat[index]), float(wire.value.flat[index]), wire.here
        if not all(map(math.isfinite, (gradient, here, at))):
            self.skipped += 1
            return
        step, loss_at = STEP * max(1.0, abs(at)), functools.partial(wire.loss_at, index)
        wide, narrow = (Differences.around(loss_at, here, size) for size in (step, step / 8))
        noise = ATOL * max(1.0, abs(here))
        if not is_smooth(wide, narrow, gradient, noise):
            self.skipped += 1
            return
        agrees = min(abs(found.slope - gradient) for found in (wide, narrow)) <= RTOL * abs(gradient) + noise
        if not agrees and meets_kink(self._nudged, wire.edge, wire.value, index, step):
            self.skipped += 1
            return
        self.elements += 1
        if not agrees:
            place = tuple(int(item) for item in np.unravel_index(index, wire.value.shape))
            self.mismatches.append(Mismatch(wire.link, place, gradient, wide.slope))
