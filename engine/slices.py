"""The loss along one element of an input: a curve whose slope at the present place the gradient claims to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import NameUnknownError
from engine.expand import PortName
from engine.expression import Expression
from engine.graph import Graph
from engine.lower import Lowered, infer_and_measure, lower
from engine.plan import Plan, Results, Step, make_plan, run, run_step
from engine.tensor_spec import Array

# Half the way of the differences that tell the slopes, as a share of the place; a slope is told apart beyond SLACK.
STEP, SLACK = 1e-6, 1e-4


@dataclass(frozen=True)
class Slice:
    """The loss at some places of one element; NaN where it cannot be computed.

    `at` is the present place and `loss` the loss there; `slope` is the gradient, `left` and `right` are the true
    slopes to both sides, from differences. Shapes: `places` and `losses` (k,).
    """

    places: Array
    losses: Array
    at: float
    loss: float
    slope: float
    left: float
    right: float

    @property
    def has_kink(self) -> bool:
        """Whether the slopes to both sides differ."""
        return not _same(self.left, self.right)

    @property
    def is_tangent(self) -> bool:
        """Whether the gradient lies between the slopes to both sides: StopGradient and steps can make it another."""
        low, high = min(self.left, self.right), max(self.left, self.right)
        return low <= self.slope <= high or _same(self.slope, low) or _same(self.slope, high)


def slice_of(graph: Graph, port: str, index: Sequence[int], places: Sequence[float]) -> Slice:
    """The loss at `places` of one element of an output port named `page/block.port`, all else as it is.

    Raises: NameUnknownError if there is no such port, or nothing to differentiate depends on its element.
    """
    lowered = lower(infer_and_measure(graph))
    path, _, name = port.rpartition(".")
    expression = lowered.ports.get(PortName(path, name))
    if expression is None or expression.dtype.kind != "f" or len(index) != len(expression.shape):
        raise NameUnknownError(f'"{port}" has no element {list(index)} that the loss could depend on.')
    return _Course(lowered, expression, tuple(index)).slice(places)


class _Course:
    """Runs again and again only what depends on one port."""

    def __init__(self, lowered: Lowered, port: Expression, index: tuple[int, ...]) -> None:
        self._losses, self._index = lowered.losses, index
        total = lowered.backward.totals.get(port)
        self._plan = make_plan([port, *lowered.losses, *([] if total is None else [total])])
        self._base = run(self._plan)
        self._slot = self._plan.slots[port]
        self._steps = _steps_after(self._plan, self._slot)
        value, gradient = self._base[port], None if total is None else self._base[total]
        if value is None or not all(0 <= at < length for at, length in zip(index, value.shape, strict=True)):
            raise NameUnknownError(f"There is no value at {list(index)}.")
        self._value = value
        self._slope = 0.0 if total is None else np.nan if gradient is None else float(gradient[index])

    def slice(self, places: Sequence[float]) -> Slice:
        at = float(self._value[self._index])
        loss = self._loss(at)
        step = STEP * max(abs(at), 1.0)
        left, right = (loss - self._loss(at - step)) / step, (self._loss(at + step) - loss) / step
        losses = np.array([self._loss(place) for place in places], float)
        return Slice(np.array(places, float), losses, at, loss, self._slope, left, right)

    def _loss(self, place: float) -> float:
        moved = self._value.copy()
        moved[self._index] = place
        values = list(self._base.values)
        values[self._slot] = moved
        for step in self._steps:
            for slot in step.outputs:
                values[slot] = None
        results = Results(self._plan, values)
        with np.errstate(all="ignore"):
            for step in self._steps:
                run_step(step, values, results.failures)
        found = [results[loss] for loss in self._losses]
        known = [float(np.sum(loss)) for loss in found if loss is not None]
        return sum(known) if known and len(known) == len(found) else float("nan")


def _steps_after(plan: Plan, slot: int) -> list[Step]:
    """The steps whose results depend on a slot, in order."""
    reached, steps = {slot}, []
    for step in plan.steps:
        if any(item in reached for item in step.inputs):
            reached.update(step.outputs)
            steps.append(step)
    return steps


def _same(a: float, b: float) -> bool:
    return bool(np.isclose(a, b, rtol=SLACK, atol=SLACK, equal_nan=True))
