"""Loss along one element of an input, whose slope at the present value the gradient claims to be."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.autodiff.lower import Lowered, infer_and_measure, lower
from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.plan import Step, last_uses, make_plan, run_step
from gradwire.engine.executors.rematerialization import Keeping, Overlay, run_within
from gradwire.engine.explain.curve_breaks import find_breaks
from gradwire.engine.graph.graph import Graph

PLACES = 65
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
    return _course_of(graph, port, index, None).slice(places)


def slice_around(
    graph: Graph,
    port: str,
    index: Sequence[int],
    half: float,
    seconds: float = math.inf,
    keeping: Keeping | None = None,
) -> Slice:
    """Returns the loss around the present value of one element, with fewer places if time runs out.

    `seconds` limits the time; `keeping` limits the memory for large arrays.
    Raises: NameUnknownError as `slice_of` does, and where the element is not finite.
    """
    course = _course_of(graph, port, index, keeping)
    if not math.isfinite(course.at):
        raise NameUnknownError(f"The value at {list(index)} is not finite.")
    return course.slice(places_around(course.at, half), seconds)


def _course_of(graph: Graph, port: str, index: Sequence[int], keeping: Keeping | None) -> _Course:
    inferred = infer_and_measure(graph)
    lowered = lower(inferred)
    path, _, name = port.rpartition(".")
    expression = lowered.ports.get(PortName(path, name))
    if expression is None or expression.dtype.kind != "f" or len(index) != len(expression.shape):
        raise NameUnknownError(f'"{port}" has no element {list(index)} that the loss could depend on.')
    name_of_port = PortName(path, name)
    return _Course(lowered, expression, tuple(index), keeping, partial(_unstopped, inferred, name_of_port, keeping))


class _Course:
    """Evaluator that reruns only the steps depending on one port."""

    def __init__(
        self,
        lowered: Lowered,
        port: Expression,
        index: tuple[int, ...],
        keeping: Keeping | None,
        unstopped: Callable[[tuple[int, ...]], float],
    ) -> None:
        self._unstopped = unstopped
        self._losses, self._index = [] if lowered.is_partial else lowered.losses, index
        self._stops = _stops_after(lowered, port)
        total = lowered.backward.totals.get(port)
        self._plan = make_plan([port, *lowered.losses], then=[] if total is None else [total])
        self._base = run_within(self._plan, keeping)
        self._slot = self._plan.slots[port]
        # No loss depends on a gradient that is only shown.
        self._steps = _steps_after(self._plan.steps[: self._plan.forward], self._slot)
        self._last_uses = last_uses([step.application for step in self._steps], self._plan.slots)
        value, gradient = self._base[port], None if total is None else self._base[total]
        if value is None or not all(0 <= at < length for at, length in zip(index, value.shape, strict=True)):
            raise NameUnknownError(f"There is no value at {list(index)}.")
        self._value = value
        slope = math.nan if port in lowered.backward.hidden or total is not None else 0.0
        self._slope = slope if gradient is None else float(gradient[index])

    @property
    def at(self) -> float:
        """Present value of the element."""
        return float(self._value[self._index])

    def slice(self, places: Sequence[float], seconds: float = math.inf) -> Slice:
        """Returns the losses at these places, or at every second, fourth or eighth of them."""
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
        made = Slice(*known, 10 * share, noise, self._stops, jumps, breaks=breaks)
        if self._stops and not made.is_tangent:
            # Only the gradient without stops proves that they are the reason.
            made = replace(made, unstopped=self._unstopped(self._index))
        return made

    def _precision(self, loss: float) -> tuple[float, float, float]:
        """Returns a step for differences, relative and absolute, and the rounding error of the loss.

        Source: the step that balances both errors of a one-sided difference of second order is the cube root of eps.
        """
        dtypes = [self._value.dtype, *(item.dtype for item in self._losses if item.dtype.kind == "f")]
        eps = max(float(np.finfo(dtype).eps) for dtype in dtypes)
        share = eps ** (1 / 3)
        return share, share * max(abs(self.at), 1.0), 64 * eps * abs(loss)

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

    def _loss(self, place: float) -> float:
        moved = self._value.copy()
        moved[self._index] = place
        nothing = {slot: None for step in self._steps for slot in step.outputs}
        values = Overlay(self._base.values, {**nothing, self._slot: moved})
        losses = [self._plan.slots[loss] for loss in self._losses]
        with np.errstate(all="ignore"):
            for place, step in enumerate(self._steps):
                run_step(step, values, {})
                for slot in self._last_uses.get(place, ()):
                    if slot in nothing and slot not in losses:
                        values[slot] = None
        found = [values[slot] for slot in losses]
        known = [float(np.sum(loss)) for loss in found if loss is not None]
        return sum(known) if known and len(known) == len(found) else float("nan")


def _unstopped(inferred: Inferred, name: PortName, keeping: Keeping | None, index: tuple[int, ...]) -> float:
    """Returns the gradient of an element without any StopGradient; NaN if there is none."""
    stops = {path for path, instance in inferred.expanded.instances.items() if instance.role is Role.STOP}
    lowered = lower(inferred, stops)
    port = lowered.ports.get(name)
    total = None if port is None else lowered.backward.totals.get(port)
    gradient = None if total is None else run_within(make_plan([], then=[total]), keeping)[total]
    return math.nan if gradient is None else float(gradient[index])


def _steps_after(steps: Iterable[Step], slot: int) -> list[Step]:
    """Returns the steps whose results depend on a slot, in order."""
    reached, found = {slot}, []
    for step in steps:
        if any(item in reached for item in step.inputs):
            reached.update(step.outputs)
            found.append(step)
    return found


def _stops_after(lowered: Lowered, port: Expression) -> tuple[str, ...]:
    """Returns the StopGradient blocks between a port and the loss."""
    reached, stops = {port}, dict[str, None]()
    for application in lowered.backward.order:
        if any(item in reached for item in application.inputs):
            reached.update(application.outputs)
            if application.type.role is Role.STOP:
                stops[lowered.owners[application]] = None
    return tuple(stops)
