"""Loss of a graph after moving the value on one wire or port; only dependent steps run again."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.lower import Lowered
from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import Plan, Results, Step, last_uses, make_plan, run_step
from gradwire.engine.executors.rematerialization import Keeping, Overlay, run_within

Place = Edge | Expression


class NudgedLoss:
    """Evaluator of the loss for moved values; `freezes_stops` keeps the outputs of StopGradients constant.

    `keeping` limits the memory for large arrays.
    """

    def __init__(self, lowered: Lowered, freezes_stops: bool = True, keeping: Keeping | None = None) -> None:
        self._losses, self._freezes = lowered.losses, freezes_stops
        self._plan: Plan = make_plan(lowered.losses)
        self._base: Results = run_within(self._plan, keeping)
        self._positions = {step.application: index for index, step in enumerate(self._plan.steps)}
        # Maps a place to the steps that depend on it, each with the slots that it is the last to use.
        self._affected: dict[Place, dict[int, list[int]]] = {}
        self._consumers = self._find_consumers()

    @property
    def steps(self) -> int:
        """Number of steps of the whole loss."""
        return len(self._plan.steps)

    def value(self, place: Place) -> Array | None:
        """Returns the value at a place; None if the loss does not depend on it or it cannot be computed."""
        if isinstance(place, Edge) and place.application not in self._positions:
            return None
        source = place.application.inputs[place.slot] if isinstance(place, Edge) else place
        return self._base[source] if source is not None and source in self._plan.slots else None

    def steps_after(self, place: Place) -> int:
        """Returns the number of steps for one more loss."""
        return len(self._steps_after(place))

    def loss(self, place: Place, moved: Array) -> float:
        """Returns the loss with `moved` at a place; NaN if it cannot be computed."""
        values = self._values(place, moved)
        failures: dict[Application, BlockError] = {}
        with np.errstate(all="ignore"):
            for index, unused in self._steps_after(place).items():
                run_step(self._step(index, place), values, failures)
                values.update(dict.fromkeys(unused))
        found = [values[self._plan.slots[loss]] for loss in self._losses]
        return math.nan if failures else sum(float(item) for item in found if item is not None)

    def later_values(self, place: Place, moved: Sequence[Array]) -> Iterator[tuple[Array | None, ...]]:
        """Yields every value that depends on a place, once for each of the arrays that stand there in turn.

        Costs as much as a loss for each array, and no more memory.
        """
        runs = [self._values(place, item) for item in moved]
        for index, unused in self._steps_after(place).items():
            step, failures = self._step(index, place), dict[Application, BlockError]()
            with np.errstate(all="ignore"):
                for values in runs:
                    run_step(step, values, failures)
            if failures:
                return
            for slot in step.outputs:
                yield tuple(values[slot] for values in runs)
            for values in runs:
                values.update(dict.fromkeys(unused))

    def _values(self, place: Place, moved: Array) -> Overlay:
        values = Overlay(self._base.values, {len(self._base.values): moved})
        if isinstance(place, Expression) and place in self._plan.slots:
            values[self._plan.slots[place]] = moved
        return values

    def _step(self, index: int, place: Place) -> Step:
        """Returns a step; the one at the end of a moved wire reads an extra slot behind all others."""
        step = self._plan.steps[index]
        if not isinstance(place, Edge) or step.application is not place.application:
            return step
        inputs = (*step.inputs[: place.slot], len(self._base.values), *step.inputs[place.slot + 1 :])
        return dataclasses.replace(step, inputs=inputs)

    def _steps_after(self, place: Place) -> dict[int, list[int]]:
        if place not in self._affected:
            first = [place.application] if isinstance(place, Edge) else self._consumers.get(place, ())
            stack = [application for application in first if application in self._positions]
            found: set[int] = set()
            while stack:
                application = stack.pop()
                position = self._positions[application]
                if position not in found and not self._is_frozen(application):
                    found.add(position)
                    stack += [item for output in application.outputs for item in self._consumers.get(output, ())]
            self._affected[place] = self._with_last_uses(sorted(found))
        return self._affected[place]

    def _with_last_uses(self, positions: list[int]) -> dict[int, list[int]]:
        steps, slots = [self._plan.steps[position] for position in positions], self._plan.slots
        made = {slot for step in steps for slot in step.outputs} - {slots[loss] for loss in self._losses}
        found = last_uses([step.application for step in steps], slots)
        return {
            position: [slot for slot in found.get(number, ()) if slot in made]
            for number, position in enumerate(positions)
        }

    def _is_frozen(self, application: Application) -> bool:
        return self._freezes and application.type.role is Role.STOP

    def _find_consumers(self) -> dict[Expression, list[Application]]:
        consumers: dict[Expression, list[Application]] = {}
        for step in self._plan.steps:
            for item in step.application.inputs:
                if item is not None:
                    consumers.setdefault(item, []).append(step.application)
        return consumers
