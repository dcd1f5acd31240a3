"""Loss of a graph after moving the value on one wire or port; only dependent steps run again."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression, constant
from gradwire.engine.blocktypes.plan import NEVER_LIGHT, Plan, Results, Step, last_uses, make_plan, run_step, step_of
from gradwire.engine.executors.arena import Arena, Trial
from gradwire.engine.executors.rematerialization import Keeping, Overlay, run_within
from gradwire.engine.executors.tracing import Recordings
from gradwire.engine.explain.checks.wire_arena import WireArena

Place = Edge | Expression
# For fewer runs, and for heavier steps, an arena takes longer than it saves. Units of the latter: bytes.
_LEAST_RUNS, _HEAVIEST = 16, 2**22


class NudgedLoss:
    """Evaluator of the loss for moved values; `freezes_stops` keeps the outputs of StopGradients constant.

    `keeping` limits the memory for large arrays.
    """

    def __init__(self, lowered: Lowered, freezes_stops: bool = True, keeping: Keeping | None = None) -> None:
        self._losses, self._freezes = lowered.losses, freezes_stops
        self._plan: Plan = make_plan(lowered.losses)
        self._base: Results = run_within(self._plan, keeping)
        self._positions = {step.application: index for index, step in enumerate(self._plan.steps)}
        self._affected: dict[Place, list[int]] = {}
        self._unused: dict[Place, dict[int, list[int]]] = {}
        self._consumers = self._find_consumers()
        self._recordings = Recordings()

    @property
    def steps(self) -> int:
        """Number of steps of the whole loss."""
        return len(self._plan.steps)

    @property
    def weight(self) -> int:
        """Sizes of all tensors that the steps of the whole loss read and write. Units: bytes."""
        return sum(step.weight for step in self._plan.steps if step.weight < NEVER_LIGHT)

    def value(self, place: Place) -> Array | None:
        """Returns the value at a place; None if the loss does not depend on it or it cannot be computed."""
        if isinstance(place, Edge) and place.application not in self._positions:
            return None
        source = place.application.inputs[place.slot] if isinstance(place, Edge) else place
        return self._base[source] if source is not None and source in self._plan.slots else None

    def steps_after(self, place: Place) -> int:
        """Returns the number of steps for one more loss."""
        return len(self._positions_after(place))

    def applications_after(self, place: Place) -> list[Application]:
        """Returns what depends on a place and counts for the loss, in topological order."""
        return [self._plan.steps[position].application for position in self._positions_after(place)]

    def loss(self, place: Place, moved: Array) -> float:
        """Returns the loss with `moved` at a place; NaN if it cannot be computed."""
        values = self._values(place, moved)
        failures: dict[Application, BlockError] = {}
        with np.errstate(all="ignore"):
            for index, unused in self._steps_after(place).items():
                run_step(self._step(index, place), values, failures)
                values.update(dict.fromkeys(unused))
        return math.nan if failures else _sum(values[self._plan.slots[loss]] for loss in self._losses)

    def unmoved(self, place: Place, value: Array) -> float:
        """Returns the loss with `value` at a place, where it stands now; NaN if a step after it fails."""
        return self.loss(place, value) if self._base.failures else _sum(map(self._base.__getitem__, self._losses))

    def compile(self, place: Place, value: Array, runs: int) -> Callable[[Array], float]:
        """Returns the loss as a function of the array at a place, where `value` stands now.

        If it pays for so many runs, it lays out what depends on the place in an arena, once; the bits are the same.
        """
        usual = functools.partial(self.loss, place)
        found = self._whole.loss(place) if isinstance(place, Edge) and self._whole is not None else None
        if found is not None:
            return _with_fallback(found, usual)
        plan = self._plan_after(place, value) if runs >= _LEAST_RUNS else None
        if plan is None:
            return usual
        try:
            arena = Arena(plan, recordings=self._recordings)
        except BlockError:
            return usual
        losses = [arena.results[loss] if loss in plan.slots else self._base[loss] for loss in self._losses]
        return _LaidOut(arena.trial(self._slot(place)), losses, usual)

    @functools.cached_property
    def _whole(self) -> WireArena | None:
        """The losses of all wires in one arena; None where that is impossible, or gains nothing."""
        if not WireArena.suits(self._plan, self._base):
            return None
        try:
            return WireArena(self._plan, self._base, self._losses, self._is_frozen)
        except BlockError:
            return None

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

    def _plan_after(self, place: Place, value: Array) -> Plan | None:
        """Returns the plan of all steps that depend on a place, from arrays that stay and that of the place.

        None if an arena would change or not shorten a run: its sources lie in C order, and large arrays gain nothing.
        """
        steps = [self._step(index, place) for index in self._positions_after(place)]
        if not steps or self._base.failures or sum(step.weight for step in steps) > _HEAVIEST:
            return None
        made = {slot for step in steps for slot in step.outputs} | {self._slot(place)}
        given = sorted({slot for step in steps for slot in step.inputs if slot is not None} - made)
        arrays = {slot: self._base.values[slot] for slot in given} | {self._slot(place): value.copy()}
        sources = [_source(array, slot) for slot, array in arrays.items() if _is_in_order(array)]
        if len(sources) < len(arrays):
            return None
        losses = {loss: self._plan.slots[loss] for loss in self._losses if self._plan.slots[loss] in made}
        return Plan((*sources, *steps), losses, len(sources) + len(steps))

    def _slot(self, place: Place) -> int:
        """Returns the slot of a moved array; that of a wire lies behind all others."""
        return len(self._base.values) if isinstance(place, Edge) else self._plan.slots[place]

    def _step(self, index: int, place: Place) -> Step:
        """Returns a step; the one at the end of a moved wire reads an extra slot behind all others."""
        step = self._plan.steps[index]
        if not isinstance(place, Edge) or step.application is not place.application:
            return step
        inputs = (*step.inputs[: place.slot], len(self._base.values), *step.inputs[place.slot + 1 :])
        return dataclasses.replace(step, inputs=inputs)

    def _steps_after(self, place: Place) -> dict[int, list[int]]:
        """Returns the steps that depend on a place, each with the slots that it is the last to use."""
        if place not in self._unused:
            self._unused[place] = self._with_last_uses(self._positions_after(place))
        return self._unused[place]

    def _positions_after(self, place: Place) -> list[int]:
        """Returns the positions of the steps that depend on a place, in order."""
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
            self._affected[place] = sorted(found)
        return self._affected[place]

    def _with_last_uses(self, positions: Sequence[int]) -> dict[int, list[int]]:
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


class _LaidOut:
    """Loss as a function of an array in an arena."""

    def __init__(self, trial: Trial, losses: Sequence[Array | None], usual: Callable[[Array], float]) -> None:
        self._trial, self._losses, self._usual = trial, losses, usual

    def __call__(self, moved: Array) -> float:
        self._trial.array[...] = moved
        try:
            self._trial.run()
        except BlockError:
            return self._usual(moved)
        return _sum(self._losses)


def _with_fallback(loss: Callable[[Array], float], usual: Callable[[Array], float]) -> Callable[[Array], float]:
    """Returns a loss that is computed step by step where an arena cannot."""

    def found(moved: Array) -> float:
        try:
            return loss(moved)
        except BlockError:
            return usual(moved)

    return found


def _sum(losses: Iterable[Array | None]) -> float:
    return sum(float(item) for item in losses if item is not None)


def _is_in_order(array: Array | None) -> bool:
    """Returns whether an array, but for axes that repeat it, lies in C order without gaps."""
    if array is None:
        return False
    return array[tuple(slice(None) if step else slice(0, 1) for step in array.strides)].flags.c_contiguous


def _source(array: Array | None, slot: int) -> Step:
    item = constant(array)
    return step_of(item.application, {item: slot})
