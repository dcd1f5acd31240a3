"""Check of one wire's or port's gradient: each element with a central difference and a verdict.

The output of a StopGradient stays frozen for the verdict, as it does for the gradient. The true change of the loss,
with nothing frozen, stands beside it.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.lower import Lowered, infer_and_measure, lower
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.executors.rematerialization import Keeping, run_within
from gradwire.engine.explain.checks.check import in_double
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

ELEMENTS = 20
# Losses for one element: in the middle, two on each side, and two with nothing frozen.
LOSSES_PER_ELEMENT = 7
STEPS_IN_ALL = 200_000


class Verdict(enum.StrEnum):
    """Verdict of the comparison of one element."""

    AGREES = "agrees"
    KINK = "kink"
    JUMP = "jump"
    DIFFERS = "differs"
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
    gradient, value = _gradient_and_value(lowered, found, keeping)
    frozen, free = (NudgedLoss(lowered, freezes, keeping) for freezes in (True, False))
    steps = max(1, free.steps_after(found)) * LOSSES_PER_ELEMENT
    count = min(value.size, ELEMENTS, max(1, STEPS_IN_ALL // steps))
    elements = (_compared(found, value, gradient, index, frozen, free) for index in range(count))
    stops = any(item.role is Role.STOP for item in lowered.inferred.expanded.instances.values())
    return PlaceCheck(value.size, tuple(elements), stops)


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
