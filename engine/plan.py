"""Plans: expressions as one flat list of steps over numbered slots, and the loop that runs it."""

from __future__ import annotations

import contextlib
import math
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from engine.errors import BlockError, CodeError, OutOfMemoryError
from engine.expression import Application, Expression, applications_before, read_only
from engine.memory import Budget
from engine.tensor_spec import Array
from engine.watching import BlockWatch


@dataclass(frozen=True)
class Step:
    """One application in a plan: where its inputs are found, where its outputs go, and what is last used here.

    `weight` is the size of its tensors, or NEVER_LIGHT where that does not tell how long it takes.
    """

    application: Application
    call: Callable[..., Any]  # Any: one array, or a tuple of them
    inputs: tuple[int | None, ...]
    outputs: tuple[int, ...]
    parameters: Mapping[str, Any]
    frees: tuple[int, ...]
    weight: int = 0


# The weight of steps that are carried out by code of plug-ins, and from which on others are watched: they take long
# enough for it. Units: bytes.
NEVER_LIGHT, HEAVY = 2**62, 2**16


@dataclass(frozen=True)
class Plan:
    """Ordered steps that compute `slots`, each expression in its slot.

    The first `forward` of them are one pass, all others the next.
    """

    steps: tuple[Step, ...]
    slots: dict[Expression, int]
    forward: int


class Passes(NamedTuple):
    """How long the two passes of a plan took.

    Units: seconds.
    """

    forward: float = 0.0
    backward: float = 0.0


NOT_TIMED = Passes()


@dataclass
class Results:
    """The arrays of one run; None where a step failed or had no input. `failures` says which steps failed and why."""

    plan: Plan
    values: list[Array | None]
    failures: dict[Application, BlockError] = field(default_factory=dict)
    passes: Passes = NOT_TIMED

    def __getitem__(self, expression: Expression) -> Array | None:
        return self.values[self.plan.slots[expression]]


def make_plan(
    roots: Iterable[Expression], keep: Iterable[Expression] | None = None, then: Iterable[Expression] = ()
) -> Plan:
    """The steps that compute `roots`, and in a second pass `then`.

    With `keep`, arrays that are not in it are dropped after their last use; without it everything is kept.
    """
    roots = list(roots)
    order = applications_before([*roots, *then])
    slots = {output: index for index, output in enumerate(output for app in order for output in app.outputs)}
    frees = _last_uses(order, slots, {slots[item] for item in keep}) if keep is not None else {}
    steps = [step_of(application, slots, tuple(frees.get(index, ()))) for index, application in enumerate(order)]
    # Slots are numbered in the order of the steps.
    last = max((slots[item] for item in roots), default=-1)
    return Plan(tuple(steps), slots, bisect_right(steps, last, key=lambda step: step.outputs[0]))


def step_of(application: Application, slots: Mapping[Expression, int], frees: tuple[int, ...] = ()) -> Step:
    """The step that computes an application."""
    return Step(
        application,
        application.type.function,
        tuple(None if item is None else slots[item] for item in application.inputs),
        tuple(slots[output] for output in application.outputs),
        application.parameters,
        frees,
        _weight(application),
    )


def _weight(application: Application) -> int:
    if application.type.is_foreign:
        return NEVER_LIGHT
    weight = 0
    for item in application.inputs + application.outputs:
        if item is not None and item.spec[0]:
            weight += math.prod(item.spec[0]) * item.spec[1].itemsize
    return weight


def run(plan: Plan, overrides: Mapping[int, Array] | None = None, watch: BlockWatch | None = None) -> Results:
    """Runs all steps in order; slots in `overrides` keep the given array, whatever their step computes.

    A step that cannot run, or whose result would take too much memory, is recorded as a failure, and what depends on it
    stays None. `watch` is told of steps that may take long.
    """
    results = Results(plan, [None] * (max(plan.slots.values(), default=-1) + 1))
    heavy = _HeavySteps(results, watch)
    start = time.perf_counter()
    _run_steps(plan.steps[: plan.forward], results, overrides, heavy)
    middle = time.perf_counter()
    _run_steps(plan.steps[plan.forward :], results, overrides, heavy)
    results.passes = Passes(middle - start, time.perf_counter() - middle)
    return results


def _run_steps(
    steps: Iterable[Step], results: Results, overrides: Mapping[int, Array] | None, heavy: _HeavySteps
) -> None:
    values = results.values
    with np.errstate(all="ignore"):
        for step in steps:
            if step.weight < HEAVY:
                run_step(step, values, results.failures)
            else:
                heavy.run(step)
            if overrides:
                for slot in step.outputs:
                    if slot in overrides:
                        values[slot] = overrides[slot]
            for slot in step.frees:
                values[slot] = None
                heavy.give_back(slot)


class _HeavySteps:
    """Runs steps that may take long, or much memory."""

    def __init__(self, results: Results, watch: BlockWatch | None) -> None:
        self._results, self._watch = results, watch
        # Only runs with large tensors ask how much memory there is.
        self._budget: Budget | None = None

    def run(self, step: Step) -> None:
        """Runs a step, if there is room for what it gives."""
        application, values, failures = step.application, self._results.values, self._results.failures
        self._budget = self._budget or Budget()
        if any(slot is not None and values[slot] is None for slot in step.inputs):
            return
        try:
            # What only moves elements mostly shows those of its input.
            self._budget.check([output.spec for output in application.outputs], application.type.moves_elements)
        except OutOfMemoryError as error:
            failures[application] = error
            return
        with contextlib.nullcontext() if self._watch is None else self._watch.at_work(application):
            run_step(step, values, failures)
        for slot in step.outputs:
            self._budget.take(slot, values[slot])

    def give_back(self, slot: int) -> None:
        """What was in a slot is dropped."""
        if self._budget is not None:
            self._budget.give_back(slot)


def run_step(step: Step, values: list[Array | None], failures: dict[Application, BlockError]) -> None:
    """Computes one step into `values`, or records why it cannot be computed."""
    arguments = [None if slot is None else values[slot] for slot in step.inputs]
    if any(slot is not None and item is None for slot, item in zip(step.inputs, arguments, strict=True)):
        return
    try:
        outcome = step.call(*arguments, **step.parameters)
        for slot, array in zip(step.outputs, outcome if isinstance(outcome, tuple) else (outcome,), strict=True):
            values[slot] = _result(array)
    except BlockError as error:
        failures[step.application] = error
    except MemoryError:
        failures[step.application] = OutOfMemoryError("there is not enough memory for its result")
    except Exception as error:  # code of plug-ins: what does not depend on it is computed all the same
        failures[step.application] = CodeError(error)


def call_into(step: Step, arguments: Sequence[Array | None], targets: Iterable[Array]) -> None:
    """Computes one step, and copies what it gives into arrays of its outputs' specs.

    Raises: BlockError if it cannot be computed.
    """
    try:
        with np.errstate(all="ignore"):
            outcome = step.call(*arguments, **step.parameters)
        for target, array in zip(targets, outcome if isinstance(outcome, tuple) else (outcome,), strict=True):
            np.copyto(target, array, casting="no")
    except BlockError:
        raise
    except Exception as error:  # code of plug-ins
        raise CodeError(error) from error


def _result(found: Array) -> Array:
    array = np.asarray(found)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"its result is of dtype {array.dtype}")
    return read_only(_in_order(array))


def _in_order(array: Array) -> Array:
    """A new array in the order of its axes: NumPy lays it out like its inputs, and sums depend on that."""
    return array if array.base is not None or array.flags.c_contiguous else np.ascontiguousarray(array)


def _last_uses(order: Sequence[Application], slots: Mapping[Expression, int], keep: set[int]) -> dict[int, list[int]]:
    last = {slots[output]: index for index, app in enumerate(order) for output in app.outputs}
    for index, application in enumerate(order):
        last.update((slots[item], index) for item in application.inputs if item is not None)
    frees: dict[int, list[int]] = {}
    for slot, index in last.items():
        if slot not in keep:
            frees.setdefault(index, []).append(slot)
    return frees
