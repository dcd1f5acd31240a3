"""One arena for the losses of all moved wires: each has a copy of its own, which is moved, and what follows runs."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression, constant
from gradwire.engine.blocktypes.plan import Plan, Results, Step, step_of
from gradwire.engine.executors.arena import Arena, Trial

# A larger plan gains nothing: there the numbers take the time. Units: bytes.
_HEAVIEST = 2**24


class WireArena:
    """Losses as functions of the array at the end of a wire; what comes before stays as it was.

    `is_frozen` says which steps keep their outputs, whatever moves. Cost: one layout of the plan, with a copy for each
    wire of floating-point numbers; a loss then takes the steps behind its wire.
    Raises: BlockError where a step cannot be computed.
    """

    def __init__(
        self, plan: Plan, base: Results, losses: Sequence[Expression], is_frozen: Callable[[Application], bool]
    ) -> None:
        self._copies: dict[Edge, int] = {}
        self._moved: Trial | None = None
        steps = list(self._steps(plan, base, is_frozen))
        self._arena = Arena(Plan(tuple(steps), plan.slots, len(steps)))
        self._losses = [self._arena.results[loss] for loss in losses]

    @staticmethod
    def suits(plan: Plan, base: Results) -> bool:
        """Returns whether a plan can be laid out as a whole, and gains by that."""
        return not base.failures and sum(step.weight for step in plan.steps) <= _HEAVIEST

    def loss(self, edge: Edge) -> Callable[[Array], float] | None:
        """Returns the loss as a function of the array at the end of a wire; the one before is no more valid.

        None for a wire without a copy.
        """
        slot = self._copies.get(edge)
        if slot is None:
            return None
        if self._moved is not None:
            self._moved.restore()
        trial = self._moved = self._arena.trial(slot)

        def moved_loss(moved: Array) -> float:
            trial.array[...] = moved
            trial.run()
            return sum(float(item) for item in self._losses if item is not None)

        return moved_loss

    def _steps(self, plan: Plan, base: Results, is_frozen: Callable[[Application], bool]) -> Iterable[Step]:
        """Yields the plan's steps with a copy before each end of a wire, and frozen outputs as sources."""
        free = itertools.count(len(base.values))
        ones: dict[np.dtype[np.generic], Expression] = {}
        slots = dict(plan.slots)
        for step in plan.steps:
            application = step.application
            if is_frozen(application):
                for output, slot in zip(application.outputs, step.outputs, strict=True):
                    source = constant(base[output])
                    yield step_of(source.application, {source: slot})
                continue
            inputs = list(step.inputs)
            for place, item in enumerate(application.inputs):
                if item is None or not item.spec.is_differentiable:
                    continue
                if item.dtype not in ones:
                    ones[item.dtype] = constant(np.ones((), item.dtype))
                    slots[ones[item.dtype]] = next(free)
                    yield step_of(ones[item.dtype].application, slots)
                # Times 1 every number stays, to its last bit.
                copy: Expression = Expression.operators["multiply"](item, ones[item.dtype])
                slots[copy] = inputs[place] = self._copies[Edge(application, place)] = next(free)
                yield step_of(copy.application, slots)
            yield dataclasses.replace(step, inputs=tuple(inputs))
