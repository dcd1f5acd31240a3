"""Plans: expressions as one flat list of steps over numbered slots, and the loop that runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.errors import BlockError, OutOfMemoryError, ValueProblem, told
from engine.expression import Application, Expression, applications_before, read_only
from engine.tensor_spec import Array


@dataclass(frozen=True)
class Step:
    """One application in a plan: where its inputs are found, where its outputs go, and what is last used here."""

    application: Application
    call: Callable[..., Any]  # Any: one array, or a tuple of them
    inputs: tuple[int | None, ...]
    outputs: tuple[int, ...]
    parameters: Mapping[str, Any]
    frees: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """Ordered steps that compute `slots`, each expression in its slot."""

    steps: tuple[Step, ...]
    slots: Mapping[Expression, int]


@dataclass
class Results:
    """The arrays of one run; None where a step failed or had no input. `failures` says which steps failed and why."""

    plan: Plan
    values: list[Array | None]
    failures: dict[Application, BlockError] = field(default_factory=dict)

    def __getitem__(self, expression: Expression) -> Array | None:
        return self.values[self.plan.slots[expression]]


def make_plan(roots: Iterable[Expression], keep: Iterable[Expression] | None = None) -> Plan:
    """The steps that compute `roots`.

    With `keep`, arrays that are not in it are dropped after their last use; without it everything is kept.
    """
    roots = list(roots)
    order = applications_before(roots)
    slots = {output: index for index, output in enumerate(output for app in order for output in app.outputs)}
    frees = _last_uses(order, slots, {slots[item] for item in keep}) if keep is not None else {}
    steps = [
        Step(
            application,
            application.type.function,
            tuple(None if item is None else slots[item] for item in application.inputs),
            tuple(slots[output] for output in application.outputs),
            application.parameters,
            tuple(frees.get(index, ())),
        )
        for index, application in enumerate(order)
    ]
    return Plan(tuple(steps), slots)


def run(plan: Plan, overrides: Mapping[int, Array] | None = None) -> Results:
    """Runs all steps in order; slots in `overrides` keep the given array, whatever their step computes.

    A step that cannot run is recorded as a failure, and what depends on it stays None.
    """
    values: list[Array | None] = [None] * len(plan.slots)
    results = Results(plan, values)
    with np.errstate(all="ignore"):
        for step in plan.steps:
            run_step(step, values, results.failures)
            if overrides:
                for slot in step.outputs:
                    if slot in overrides:
                        values[slot] = overrides[slot]
            for slot in step.frees:
                values[slot] = None
    return results


def run_step(step: Step, values: list[Array | None], failures: dict[Application, BlockError]) -> None:
    """Computes one step into `values`, or records why it cannot be computed."""
    arguments = [None if slot is None else values[slot] for slot in step.inputs]
    if any(slot is not None and item is None for slot, item in zip(step.inputs, arguments, strict=True)):
        return
    try:
        outcome = step.call(*arguments, **step.parameters)
    except BlockError as error:
        failures[step.application] = error
        return
    except MemoryError:
        failures[step.application] = OutOfMemoryError("there is not enough memory for its result")
        return
    except Exception as error:  # code of plug-ins: what does not depend on it is computed all the same
        failures[step.application] = ValueProblem(
            f"its code fails, which is a mistake in the block type: {told(error)}"
        )
        return
    for slot, array in zip(step.outputs, outcome if isinstance(outcome, tuple) else (outcome,), strict=True):
        values[slot] = read_only(_in_order(np.asarray(array)))


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
