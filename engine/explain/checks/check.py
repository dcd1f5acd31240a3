"""Gradient checks by central differences: the value on one wire alone moves, and the loss is compared.

The output of a StopGradient stays frozen, as it does for the gradient. If the quotients from the left and from the
right disagree for every step, the element lies at a kink, a jump or a tie: the check skips it. It does so too where
they disagree for a value on the path to the loss, because two kinks can hide each other there. Before a block that
takes its matrix for symmetric, an element moves together with its mirror image.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.lower import infer_and_measure, lower
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.own_gradients import uses_among
from gradwire.engine.autodiff.status import find_cuts
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import read_only
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import Results, make_plan, run
from gradwire.engine.causes.deviations import Deviating, deviations_of
from gradwire.engine.explain.checks.differences import (
    ATOL,
    RTOL,
    STEP,
    Element,
    Quotients,
    meets_kink,
    mirrored,
    nudged,
    quotients,
)
from gradwire.engine.explain.checks.nudged_loss import NudgedLoss
from gradwire.engine.graph.block_parameters import with_numbers
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.graph.paths import is_in_gradient

ELEMENTS_PER_WIRE = 32
RUNS_OF_STEPS = 2_000_000
# All losses together read and write so much; so many elements are compared all the same. Units of the former: bytes.
MOST_BYTES, LEAST_ELEMENTS = 2**35, 16
# Losses for one element: two on each side.
LOSSES_PER_ELEMENT = 4
FLOATS = ("float16", "float32", "float64")


@dataclass(frozen=True)
class Mismatch:
    """Element whose gradient differs from its central difference.

    `by` is the block on the path to the loss whose rule is known to deviate from the derivative here, None without one.
    `own` is the use of a page on this path whose own gradient differs on purpose, "" without one.
    """

    link: Link
    index: tuple[int, ...]
    gradient: float
    difference: float
    by: Deviating | None = None
    own: str = ""


@dataclass(frozen=True)
class GradientCheck:
    """Outcome of a check: numbers of wires and elements compared and elements skipped, and the mismatches.

    `meant` are the elements that differ on purpose, because of the own gradient of a page. `left_out` is the number of
    wires that were not compared, because the graph is too heavy.
    """

    wires: int
    elements: int
    skipped: int
    mismatches: tuple[Mismatch, ...]
    meant: tuple[Mismatch, ...] = ()
    left_out: int = 0


def check_gradients(graph: Graph) -> GradientCheck:
    """Compares the gradient on every wire with central differences, in float64 throughout.

    Of a large tensor at most 32 elements, evenly spread, are moved, fewer where the graph is very large. Where even one
    on each wire would take long, some wires are compared, evenly spread.
    """
    lowered = lower(infer_and_measure(in_double(graph)))
    if not lowered.losses or lowered.is_partial:
        return GradientCheck(0, 0, 0, ())
    checker = _Checker(lowered)
    links = [link for link in lowered.inferred.expanded.links if not is_replaced(link, lowered)]
    edges = {link: edge for link in links if (edge := lowered.edges.get(link.target)) is not None}
    edges = {link: edge for link, edge in edges.items() if checker.can_check(edge)}
    chosen = set(np.linspace(0, len(edges) - 1, min(len(edges), checker.most)).astype(int).tolist())
    for place, (link, edge) in enumerate(edges.items()):
        if place in chosen:
            checker.check(link, edge)
        else:
            checker.leave_out(edge)
    mismatches, meant = checker.explained()
    left_out = len(edges) - len(chosen)
    return GradientCheck(checker.wires, checker.elements, checker.skipped, mismatches, meant, left_out)


def is_replaced(place: Link | PortName, lowered: Lowered) -> bool:
    """Returns whether a wire or port lies in a page whose own gradient replaces its gradient."""
    path = place.target.path if isinstance(place, Link) else place.path
    return any(path.startswith(f"{use}/") for use in lowered.inferred.expanded.rules)


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
    block, block_type = with_numbers(block), library.get(block.type)
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


@dataclass(frozen=True)
class _Wire:
    """Wire with its gradient and its value, and the loss: as a function of the value, and as it is."""

    link: Link
    edge: Edge
    gradient: Array
    value: Array
    loss: Callable[[Array], float]
    here: float

    def loss_at(self, element: Element, offset: float) -> float:
        """Returns the loss with one element, or two of them, moved by `offset`."""
        return self.loss(nudged(self.value, element, offset))


class _Checker:
    def __init__(self, lowered: Lowered) -> None:
        self.wires = self.elements = self.skipped = 0
        self.mismatches: list[Mismatch] = []
        # Pages with own gradients behind each mismatch, and those whose own gradient is not known as the derivative.
        self._passed: list[list[str]] = []
        self._doubtful = set(filter(is_in_gradient, lowered.inferred.expanded.rules))
        self._lowered = lowered
        self._cuts = find_cuts(lowered.backward)
        backward = lowered.backward
        self._results: Results = run(make_plan([*lowered.losses, *backward.edges.values(), *backward.totals.values()]))
        self._deviating = {item.application: item for item in deviations_of(lowered, self._results.__getitem__)}
        self._nudged = NudgedLoss(lowered)
        wires = max(1, len(lowered.inferred.expanded.links))
        per_element = 2 * max(1, self._nudged.steps)
        # On average, a loss takes half of the steps.
        self.most = max(LEAST_ELEMENTS, MOST_BYTES // max(1, LOSSES_PER_ELEMENT * self._nudged.weight // 2))
        of_steps = RUNS_OF_STEPS // (wires * per_element)
        self._limit = max(1, min(ELEMENTS_PER_WIRE, of_steps, self.most // wires))

    def can_check(self, edge: Edge) -> bool:
        """Returns whether a wire has a gradient and elements that can be moved."""
        gradient, value = self._gradient(edge), self._nudged.value(self._lowered.reader(edge))
        if gradient is None:
            return False
        if value is None or value.size == 0:
            if gradient.any():
                self.leave_out(edge)
            return False
        return True

    def leave_out(self, edge: Edge) -> None:
        """Notes that the gradient of a wire is not known as the derivative."""
        self._doubtful.update(uses_among([edge.application]))

    def check(self, link: Link, edge: Edge) -> None:
        """Compares the elements of one wire."""
        reader, gradient = self._lowered.reader(edge), self._gradient(edge)
        value = self._nudged.value(reader)
        assert gradient is not None
        assert value is not None
        self.wires += 1
        chosen = np.unique(np.linspace(0, value.size - 1, min(value.size, self._limit)).astype(int))
        loss = self._nudged.compile(reader, value, LOSSES_PER_ELEMENT * len(chosen))
        wire = _Wire(link, reader, gradient, value, loss, self._nudged.unmoved(reader, value))
        for index in chosen.tolist():
            if not self._check_element(wire, index):
                self.leave_out(edge)

    def explained(self) -> tuple[tuple[Mismatch, ...], tuple[Mismatch, ...]]:
        """Returns the mismatches, and those that are meant.

        A block is to blame only if its derivative equals the quotients at its own input, the own gradient of a page
        only if it does not equal them there.
        """
        wrong = {item.by.path for item in self.mismatches if item.by is not None and _is_elsewhere(item, item.by)}
        found = [
            dataclasses.replace(item, by=None) if item.by is not None and item.by.path in wrong else item
            for item in self.mismatches
        ]
        own = [next((use for use in uses if use in self._doubtful), "") for uses in self._passed]
        found = [dataclasses.replace(item, own=use) for item, use in zip(found, own, strict=True)]
        return tuple(item for item in found if not item.own), tuple(item for item in found if item.own)

    def _gradient(self, edge: Edge) -> Array | None:
        """Returns the gradient to compare: zeros behind a cut; None where no comparison is possible."""
        source = edge.application.inputs[edge.slot]
        if source is None or not source.spec.is_differentiable or edge in self._lowered.backward.hidden_edges:
            return None
        part = self._lowered.backward.edges.get(edge)
        if part is not None:
            return self._results[part]
        return np.zeros(source.shape) if edge in self._cuts.edges else None

    def _check_element(self, wire: _Wire, index: int) -> bool:
        """Compares one element; returns whether it agrees."""
        gradient, at = float(wire.gradient.flat[index]), float(wire.value.flat[index])
        if not all(map(math.isfinite, (gradient, wire.here, at))):
            self.skipped += 1
            return False
        found = self._quotients(wire, index, gradient, at)
        agrees = found.confirm(gradient)
        if not agrees and (mirror := self._mirror(wire, index)) is not None:
            # Both move by half, so that the quotient is the mean of the two derivatives.
            gradient = float(sum(wire.gradient.flat[item] for item in mirror) / 2)
            found = self._quotients(wire, mirror, gradient, at)
            agrees = found.confirm(gradient)
        is_kink = not found.is_smooth(gradient)
        if is_kink or (not agrees and meets_kink(self._nudged, wire.edge, wire.value, index, _step(at))):
            self.skipped += 1
            return False
        self.elements += 1
        if not agrees:
            place = tuple(int(item) for item in np.unravel_index(index, wire.value.shape))
            self._passed.append(self._own_gradients(wire))
            self.mismatches.append(Mismatch(wire.link, place, gradient, found.wide.slope, self._deviation(wire.edge)))
        return agrees

    def _quotients(self, wire: _Wire, element: Element, gradient: float, at: float) -> Quotients:
        share = 1 / len(element) if isinstance(element, tuple) else 1.0
        return quotients(lambda offset: wire.loss_at(element, share * offset), wire.here, _step(at), gradient)

    def _mirror(self, wire: _Wire, index: int) -> tuple[int, int] | None:
        """Returns an element and its mirror image, if a block on the path takes the matrix for symmetric."""
        pair = mirrored(wire.value, index)
        if pair is None or not any(item.type.takes_symmetric for item in self._nudged.applications_after(wire.edge)):
            return None
        return pair

    def _own_gradients(self, wire: _Wire) -> list[str]:
        """Returns the pages with own gradients on the path to the loss, first one where the wire ends."""
        here = self._lowered.edges[wire.link.target].application
        return uses_among([here, *self._nudged.applications_after(wire.edge)])

    def _deviation(self, edge: Edge) -> Deviating | None:
        """Returns the first block on the path to the loss whose rule deviates from the derivative."""
        after = self._nudged.applications_after(edge)
        return next((self._deviating[item] for item in after if item in self._deviating), None)


def _is_elsewhere(item: Mismatch, by: Deviating) -> bool:
    """Returns whether a mismatch at the input of a block differs from the derivative of its type, too."""
    if item.link.target != PortName(by.path, by.port):
        return False
    derivative = float(by.derivative[item.index])
    return abs(item.difference - derivative) > 10 * RTOL * abs(derivative) + 10 * ATOL


def _step(at: float) -> float:
    return STEP * max(1.0, abs(at))
