"""Check of one wire's or port's gradient: each element with a central difference and a verdict.

The output of a StopGradient stays frozen for the verdict, as it does for the gradient. The true change of the loss,
with nothing frozen, stands beside it.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from gradwire.engine.autodiff.backward import Edge, source_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.lower import infer_and_measure, lower
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.own_gradients import uses_among
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.executors.rematerialization import Keeping, run_within
from gradwire.engine.explain.checks.check import in_double, is_replaced
from gradwire.engine.explain.checks.differences import (
    ATOL,
    RTOL,
    STEP,
    Differences,
    Element,
    Quotients,
    jumps,
    meets_kink,
    mirrored,
    nudged,
    quotients,
)
from gradwire.engine.explain.checks.nudged_loss import NudgedLoss, Place
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.paths import is_in_gradient

ELEMENTS = 20
# Elements by which the own gradient of a page is judged, for each wire into the page.
OWN_ELEMENTS = 5
# Losses for one element: in the middle, two on each side, and two with nothing frozen.
LOSSES_PER_ELEMENT = 7
STEPS_IN_ALL = 200_000


class Verdict(enum.StrEnum):
    """Verdict of the comparison of one element; it is MEANT to differ where a page has a gradient of its own."""

    AGREES = "agrees"
    KINK = "kink"
    JUMP = "jump"
    DIFFERS = "differs"
    MEANT = "meant"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class ElementCheck:
    """One element: its gradient, the central difference with stops frozen, and `true` with nothing frozen.

    `step` is the distance by which the element moves to each side.
    """

    index: tuple[int, ...]
    gradient: float
    difference: float
    true: float
    step: float
    verdict: Verdict

    @property
    def withheld(self) -> float:
        """Part of the slope that StopGradients withhold: 0 where the true slope equals the difference."""
        noise = ATOL + RTOL * max(abs(self.true), abs(self.difference))
        gap = self.true - self.difference
        return gap if abs(gap) > noise else 0.0


@dataclass(frozen=True)
class PlaceCheck:
    """First elements of a wire or port with `size` elements; `has_stops` if the graph has StopGradients."""

    size: int
    elements: tuple[ElementCheck, ...]
    has_stops: bool

    def count(self, verdict: Verdict) -> int:
        """Returns the number of elements with a verdict."""
        return sum(element.verdict is verdict for element in self.elements)

    @property
    def is_withheld(self) -> bool:
        """True if a StopGradient withholds part of any element's gradient."""
        return self.has_stops and any(element.withheld for element in self.elements)


def check_place(graph: Graph, place: Link | PortName, keeping: Keeping | None = None) -> PlaceCheck:
    """Compares the gradient of a wire, or the sum at an output port, with central differences in float64.

    The check moves at most the first 20 elements, fewer where the graph is very large. `keeping` limits the memory for
    large arrays.
    Raises: GradwireError if there is no loss to watch, or no gradient to compare.
    """
    lowered = lower(infer_and_measure(in_double(graph)))
    if not lowered.losses or lowered.is_partial:
        raise GradwireError("There is no loss whose changes could be watched.")
    found = _place(lowered, place)
    frozen, free = (NudgedLoss(lowered, freezes, keeping) for freezes in (True, False))
    size, elements = _elements(lowered, found, ELEMENTS, frozen, free, keeping)
    if any(item.verdict is Verdict.DIFFERS for item in elements) and (
        is_replaced(place, lowered) or _passes_no_derivative(lowered, found, frozen, free, keeping)
    ):
        elements = [_meant(item) if item.verdict is Verdict.DIFFERS else item for item in elements]
    stops = any(item.role is Role.STOP for item in lowered.inferred.expanded.instances.values())
    return PlaceCheck(size, tuple(elements), stops)


def _elements(
    lowered: Lowered, place: Place, most: int, frozen: NudgedLoss, free: NudgedLoss, keeping: Keeping | None
) -> tuple[int, list[ElementCheck]]:
    """Returns the size of a place and its first elements, compared."""
    gradient, value = _gradient_and_value(lowered, place, keeping)
    read = lowered.reader(place) if isinstance(place, Edge) else place
    steps = max(1, free.steps_after(read)) * LOSSES_PER_ELEMENT
    count = min(value.size, most, max(1, STEPS_IN_ALL // steps))
    return value.size, [_compared(read, value, gradient, index, frozen, free) for index in range(count)]


def _passes_no_derivative(
    lowered: Lowered, place: Place, frozen: NudgedLoss, free: NudgedLoss, keeping: Keeping | None
) -> bool:
    """Returns whether a page between a place and the loss has an own gradient that is not the derivative.

    Of a page on one that gives a gradient, which is met by a second derivative, this is not known.
    """
    here = [place.application] if isinstance(place, Edge) else []
    read = lowered.reader(place) if isinstance(place, Edge) else place
    uses = set(uses_among([*here, *free.applications_after(read)]))
    edges = [edge for edge in lowered.readers if lowered.owners.get(edge.application) in uses]
    return any(map(is_in_gradient, uses)) or not all(
        _is_derivative(lowered, edge, frozen, free, keeping) for edge in edges
    )


def _is_derivative(lowered: Lowered, edge: Edge, frozen: NudgedLoss, free: NudgedLoss, keeping: Keeping | None) -> bool:
    """Returns whether the own gradient of a page is the derivative where a wire leads into the page."""
    if not source_of(edge).spec.is_differentiable or edge in lowered.backward.hidden_edges:
        return True
    _, elements = _elements(lowered, edge, OWN_ELEMENTS, frozen, free, keeping)
    return all(item.verdict is Verdict.AGREES for item in elements)


def _meant(element: ElementCheck) -> ElementCheck:
    return replace(element, verdict=Verdict.MEANT)


def _place(lowered: Lowered, place: Link | PortName) -> Place:
    found = lowered.edges.get(place.target) if isinstance(place, Link) else lowered.ports.get(place)
    if found is None:
        raise GradwireError("Not computed until the error or missing input on this path is fixed.")
    return found


def _gradient_and_value(lowered: Lowered, place: Place, keeping: Keeping | None) -> tuple[Array, Array]:
    """Returns the gradient at a place, zeros if no path from the loss reaches it, and the value there."""
    backward = lowered.backward
    if isinstance(place, Edge):
        source, part = place.application.inputs[place.slot], backward.edges.get(place)
        is_hidden = place in backward.hidden_edges
    else:
        source, part = place, backward.totals.get(place)
        is_hidden = place in backward.hidden
    if source is None or is_hidden or not source.spec.is_differentiable:
        raise GradwireError("There is no gradient here to compare with.")
    results = run_within(make_plan([source], then=[] if part is None else [part]), keeping)
    value, gradient = results[source], np.zeros(source.shape) if part is None else results[part]
    if value is None or gradient is None:
        raise GradwireError("There is no gradient here to compare with.")
    return gradient, value


def _compared(
    place: Place, value: Array, gradient: Array, index: int, frozen: NudgedLoss, free: NudgedLoss
) -> ElementCheck:
    expected, at = float(gradient.flat[index]), float(value.flat[index])
    step = STEP * max(1.0, abs(at))
    found, true = _quotients(place, value, index, step, expected, frozen, free)
    pair = (
        mirrored(value, index) if any(item.type.takes_symmetric for item in frozen.applications_after(place)) else None
    )
    if pair is not None and not found.confirm(expected):
        # Both move by half, so that the quotient is the mean of the two derivatives.
        expected = float(sum(gradient.flat[item] for item in pair) / 2)
        found, true = _quotients(place, value, pair, step, expected, frozen, free)
    verdict = Verdict.UNKNOWN
    if all(map(math.isfinite, (expected, at, found.wide.slope, found.narrow.slope))):
        verdict = _verdict(expected, found)
    if verdict is Verdict.DIFFERS and meets_kink(frozen, place, value, index, step):
        verdict = Verdict.KINK
    own = tuple(int(item) for item in np.unravel_index(index, value.shape))
    return ElementCheck(own, float(gradient.flat[index]), found.wide.slope, true, found.wide.step, verdict)


def _quotients(
    place: Place, value: Array, element: Element, step: float, gradient: float, frozen: NudgedLoss, free: NudgedLoss
) -> tuple[Quotients, float]:
    """Returns the quotients with stops frozen, and the slope of as long a step with nothing frozen."""
    share = 1 / len(element) if isinstance(element, tuple) else 1.0

    def loss_at(nudge: NudgedLoss) -> Callable[[float], float]:
        return lambda offset: nudge.loss(place, nudged(value, element, share * offset))

    here = loss_at(frozen)(0.0)
    found = quotients(loss_at(frozen), here, step, gradient)
    return found, Differences.around(loss_at(free), here, found.wide.step).slope


def _verdict(gradient: float, found: Quotients) -> Verdict:
    if not found.is_smooth(gradient):
        return Verdict.JUMP if jumps(found.wide, found.narrow, found.noise) else Verdict.KINK
    return Verdict.AGREES if found.confirm(gradient) else Verdict.DIFFERS
