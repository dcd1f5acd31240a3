"""Loss along one element of an input, whose slope at the present value the gradient claims to be."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.lower import lower
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.executors.rematerialization import run_within
from gradwire.engine.explain.curve_breaks import find_breaks
from gradwire.engine.explain.losses_along import losses_along
from gradwire.engine.graph.graph import Graph

# A loss may be wrong by so many units in the last place.
PLACES, ROUNDING_ERRORS = 65, 64
# A jump keeps this share of its change at an eighth of the step; an infinite slope lets the quotient grow so much.
_STAYS, _GROWS = 0.9, 1.2
# Every eighth place first, then those between, while there is time.
_STRIDES = (8, 4, 2, 1)


@dataclass(frozen=True)
class Slice:
    """Loss at some values of one element; NaN where it cannot be computed.

    `at` is the present value and `loss` the loss there; `slope` is the gradient. `left` and `right` estimate the slopes
    to both sides, from differences with a relative error of `slack` and an absolute one of `noise`. They are NaN where
    the loss jumps, which `jumps` states for the left and the right, and infinite where the difference quotient grows as
    the step shrinks. `stops` names the StopGradient blocks between the element and the loss; `unstopped` is the
    gradient without any, if it was needed. `breaks` are places where the curve jumps or has a pole.
    Shapes: `places` and `losses` (k,).
    """

    places: Array
    losses: Array
    at: float
    loss: float
    slope: float
    left: float
    right: float
    slack: float
    noise: float
    stops: tuple[str, ...] = ()
    jumps: tuple[bool, bool] = (False, False)
    unstopped: float = math.nan
    breaks: tuple[float, ...] = ()

    @property
    def true_slope(self) -> float | None:
        """Estimate of the slope: the central difference, or the one known side; None at a kink or an infinite slope."""
        sides = self._sides
        return None if not sides or self.has_kink or self.is_infinite else sum(sides) / len(sides)

    @property
    def has_kink(self) -> bool:
        """True if the slopes to both sides differ; an unknown slope differs from none."""
        return len(self._sides) == 2 and not self._same(self.left, self.right)

    @property
    def is_tangent(self) -> bool:
        """True if the gradient lies between both one-sided slopes; StopGradients and steps can violate this."""
        return self._fits(self.slope)

    @property
    def is_due_to_stops(self) -> bool:
        """True if the gradient without StopGradients is known to be the slope of the curve."""
        return math.isfinite(self.unstopped) and self._fits(self.unstopped)

    @property
    def is_infinite(self) -> bool:
        """True if the difference quotient grows without bound on a side as the step shrinks."""
        return math.isinf(self.left) or math.isinf(self.right)

    def _fits(self, slope: float) -> bool:
        sides = self._sides
        if not sides:
            return True
        low, high = min(sides), max(sides)
        return low <= slope <= high or self._same(slope, low) or self._same(slope, high)

    @property
    def is_anywhere_finite(self) -> bool:
        """True if the loss is finite at the present value or at any other."""
        return math.isfinite(self.loss) or bool(np.isfinite(self.losses).any())

    @property
    def _sides(self) -> list[float]:
        return [side for side in (self.left, self.right) if math.isfinite(side)]

    def _same(self, a: float, b: float) -> bool:
        return abs(a - b) <= self.noise + self.slack * max(abs(a), abs(b))


def places_around(at: float, half: float) -> list[float]:
    """Returns evenly spaced places within `half` of a centre that stays fixed while `at` moves.

    The centre is a multiple of `half`.
    """
    middle = round(at / half) * half
    places: list[float] = np.linspace(middle - half, middle + half, PLACES).tolist()
    return places


def slice_of(graph: Graph, port: str, index: Sequence[int], places: Sequence[float]) -> Slice:
    """Returns the loss at `places` of one element of an output port named `page/block.port`.

    Raises: NameUnknownError if there is no such port, or nothing to differentiate depends on its element.
    """
    return _Course(run_graph(graph), _name_of(port), tuple(index)).slice(places)


def slice_around(
    run: Evaluation, port: PortName, index: Sequence[int], half: float, seconds: float = math.inf
) -> Slice:
    """Returns the loss around the present value of one element, with fewer places if time runs out.

    `seconds` limits the time. The run's arrays are in use meanwhile, and as they were afterwards.
    Raises: NameUnknownError as `slice_of` does, and where the element is not finite.
    """
    course = _Course(run, port, tuple(index))
    if not math.isfinite(course.at):
        raise NameUnknownError(f"The value at {list(index)} is not finite.")
    return course.slice(places_around(course.at, half), seconds)


def _name_of(port: str) -> PortName:
    path, _, name = port.rpartition(".")
    return PortName(path, name)


class _Course:
    """The loss of a run along one element, with the gradient there."""

    def __init__(self, run: Evaluation, name: PortName, index: tuple[int, ...]) -> None:
        lowered, port = run.lowered, run.lowered.ports.get(name)
        if port is None or port.dtype.kind != "f" or len(index) != len(port.shape):
            raise NameUnknownError(f'"{name}" has no element {list(index)} that the loss could depend on.')
        value, total = run.results[port], lowered.backward.totals.get(port)
        if value is None or not all(0 <= at < length for at, length in zip(index, value.shape, strict=True)):
            raise NameUnknownError(f"There is no value at {list(index)}.")
        self._run, self._name, self._index = run, name, index
        self._losses = [] if lowered.is_partial else lowered.losses
        self._stops = _stops_after(lowered, port)
        # A run that goes on in the same memory changes it: what is read of it is copied.
        self._dtype, self.at = value.dtype, float(value[index])
        gradient = None if total is None else run.results[total]
        slope = math.nan if port in lowered.backward.hidden or total is not None else 0.0
        self._slope = slope if gradient is None else float(gradient[index])
        self._loss = losses_along(run, port, index, self._losses)

    def slice(self, places: Sequence[float], seconds: float = math.inf) -> Slice:
        """Returns the losses at these places, or at every second, fourth or eighth of them."""
        try:
            made = self._slice(places, seconds)
        finally:
            self._loss.close()
        if made.stops and not made.is_tangent:
            # Only the gradient without stops proves that they are the reason.
            made = replace(made, unstopped=self._unstopped())
        return made

    def _slice(self, places: Sequence[float], seconds: float) -> Slice:
        found: dict[float, float] = {}
        start = time.perf_counter()
        for stride in _STRIDES:
            found |= {place: self._loss(place) for place in places[::stride] if place not in found}
            # The next stride takes as long as all before it.
            if 2 * (time.perf_counter() - start) > seconds:
                break
        at, loss = self.at, self._loss(self.at)
        share, step, rounding = self._precision(loss)
        jumps = self._jumps(-step, loss, share), self._jumps(step, loss, share)
        sides = [
            (math.nan, 0.0) if jump else self._side(way, loss, share)
            for jump, way in zip(jumps, (-step, step), strict=True)
        ]
        (left, left_bend), (right, right_bend) = sides
        noise = rounding / step + left_bend + right_bend
        kept = sorted(found)
        losses = np.array([found[place] for place in kept], float)
        known = np.array(kept, float), losses, at, loss, self._slope, left, right
        breaks = find_breaks(kept, losses.tolist(), self._loss, start + 2 * seconds)
        return Slice(*known, 10 * share, noise, self._stops, jumps, breaks=breaks)

    def _precision(self, loss: float) -> tuple[float, float, float]:
        """Returns a step for differences, relative and absolute, and the rounding error of the loss.

        Source: the step that balances both errors of a one-sided difference of second order is the cube root of eps.
        """
        dtypes = [self._dtype, *(item.dtype for item in self._losses if item.dtype.kind == "f")]
        eps = max(float(np.finfo(dtype).eps) for dtype in dtypes)
        share = eps ** (1 / 3)
        return share, share * max(abs(self.at), 1.0), ROUNDING_ERRORS * eps * abs(loss)

    def _jumps(self, step: float, loss: float, share: float) -> bool:
        """Returns whether the loss jumps: its change stays, though the step shrinks to an eighth and again.

        A smooth curve changes by an eighth, x^p at 0 by 8^-p each time. A change below the root of eps is rounding.
        """
        wide, narrow = (abs(self._loss(self.at + size) - loss) for size in (step / 64, step / 512))
        return narrow > _STAYS * wide and narrow > share**1.5 * max(1.0, abs(loss))

    def _is_infinite(self, step: float, loss: float, share: float) -> bool:
        """Returns whether the difference quotient grows each time as the step shrinks to an eighth, thrice."""
        changes = [self._loss(self.at + step / 8**times) - loss for times in range(4)]
        if not all(map(math.isfinite, changes)) or abs(changes[-1]) <= share**1.5 * max(1.0, abs(loss)):
            return False
        return all(8 * later / before > _GROWS for before, later in pairwise(changes))

    def _side(self, step: float, loss: float, share: float) -> tuple[float, float]:
        """Returns the one-sided slope to second order, and the size of its correction for curvature."""
        if self._is_infinite(step, loss, share):
            return math.copysign(math.inf, (self._loss(self.at + step) - loss) * step), 0.0
        first, second, third = (self._loss(self.at + times * step) for times in (0, 1, 2))
        crude, fine = (second - first) / step, (4 * second - 3 * first - third) / (2 * step)
        return fine, abs(fine - crude) if np.isfinite(fine) else 0.0

    def _unstopped(self) -> float:
        """Returns the gradient of the element without any StopGradient; NaN if there is none."""
        inferred = self._run.lowered.inferred
        stops = {path for path, instance in inferred.expanded.instances.items() if instance.role is Role.STOP}
        lowered = lower(inferred, stops)
        port = lowered.ports.get(self._name)
        total = None if port is None else lowered.backward.totals.get(port)
        gradient = None if total is None else run_within(make_plan([], then=[total]), self._run.keeping)[total]
        return math.nan if gradient is None else float(gradient[self._index])


def _stops_after(lowered: Lowered, port: Expression) -> tuple[str, ...]:
    """Returns the StopGradient blocks between a port and the loss."""
    if not any(instance.role is Role.STOP for instance in lowered.inferred.expanded.instances.values()):
        return ()
    reached, stops = {port}, dict[str, None]()
    for application in lowered.backward.order:
        if any(item in reached for item in application.inputs):
            reached.update(application.outputs)
            if application.type.role is Role.STOP:
                stops[lowered.owners[application]] = None
    return tuple(stops)
