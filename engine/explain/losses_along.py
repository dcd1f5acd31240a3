"""Loss of a run after one element has been moved: in the memory of the run where it has one, otherwise beside it."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np

from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.processes.interruption import INTERRUPTION
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.plan import Step, last_uses, run_step
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.executors.arena import Arena
from gradwire.engine.executors.rematerialization import Overlay

# The memory of a run is used for so long at a time before the run is restored. Units: seconds.
PIECE = 0.003


class LossesAlong(Protocol):
    """The loss as a function of one element; NaN where it cannot be computed."""

    def __call__(self, place: float, /) -> float:
        """Returns the loss with the element at a place."""

    def close(self) -> None:
        """Leaves the run as it was."""


def losses_along(
    run: Evaluation, port: Expression, index: tuple[int, ...], losses: Sequence[Expression]
) -> LossesAlong:
    """Returns the losses along one element of a port; in the memory of the run if it has one and the port is a source.

    Cost: each loss runs the steps that depend on the port, compiled in the memory of the run.
    """
    slots = run.results.plan.slots
    places = [slots[loss] for loss in losses]
    beside = functools.partial(_Beside, run, port, index, places)
    if run.arena is not None and not port.application.inputs:
        return _InArena(run.arena, slots[port], index, places, beside)
    return beside()


class _InArena:
    """Losses that are computed in the arena of a run, in pieces of a few milliseconds that nothing interrupts."""

    def __init__(
        self, arena: Arena, slot: int, index: tuple[int, ...], losses: list[int], beside: Callable[[], LossesAlong]
    ) -> None:
        self._arena, self._slot, self._index, self._losses = arena, slot, index, losses
        self._beside = beside
        self._end: float | None = None

    def __call__(self, place: float) -> float:
        if self._end is None:
            self._trial = self._arena.trial(self._slot)
            INTERRUPTION.protect()
            self._end = time.perf_counter() + PIECE
        try:
            self._trial.array[self._index] = place
            with np.errstate(all="ignore"):
                self._trial.run()
            loss = _sum(self._arena.results.values[slot] for slot in self._losses)
        except BlockError:
            # The steps behind did not run, and a loss may need none but those.
            loss = self._beside()(place)
        if time.perf_counter() > self._end:
            self.close()
        return loss

    def close(self) -> None:
        if self._end is not None:
            self._end = None
            self._trial.restore()
            INTERRUPTION.unprotect()


class _Beside:
    """Losses that are computed in arrays of their own, by those steps that depend on the port."""

    def __init__(self, run: Evaluation, port: Expression, index: tuple[int, ...], losses: list[int]) -> None:
        plan, self._values = run.results.plan, run.results.values
        self._slot, self._index, self._losses = plan.slots[port], index, losses
        # No loss depends on a gradient that is only shown.
        self._steps = _steps_between(plan.steps[: plan.forward], self._slot, losses)
        self._last_uses = last_uses([step.application for step in self._steps], plan.slots)
        self._value = run.results[port]

    def __call__(self, place: float) -> float:
        assert self._value is not None
        moved = self._value.copy()
        moved[self._index] = place
        nothing = {slot: None for step in self._steps for slot in step.outputs}
        values = Overlay(self._values, {**nothing, self._slot: moved})
        with np.errstate(all="ignore"):
            for number, step in enumerate(self._steps):
                run_step(step, values, {})
                for slot in self._last_uses.get(number, ()):
                    if slot in nothing and slot not in self._losses:
                        values[slot] = None
        return _sum(values[slot] for slot in self._losses)

    def close(self) -> None:
        pass


def _sum(losses: Iterable[Array | None]) -> float:
    """Returns the sum of all losses; NaN if there is none, or one is unknown."""
    found = list(losses)
    known = [float(np.sum(loss)) for loss in found if loss is not None]
    return sum(known) if known and len(known) == len(found) else math.nan


def _steps_between(steps: Sequence[Step], slot: int, losses: Sequence[int]) -> list[Step]:
    """Returns the steps that depend on a slot and that a loss depends on, in order."""
    reached, needed = {slot}, set(losses)
    after, between = list[Step](), list[Step]()
    for step in steps:
        if not reached.isdisjoint(step.inputs):
            reached.update(step.outputs)
            after.append(step)
    for step in reversed(after):
        if not needed.isdisjoint(step.outputs):
            needed.update(item for item in step.inputs if item is not None)
            between.append(step)
    return between[::-1]
