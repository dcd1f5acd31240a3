"""Plans: expressions as one flat list of steps over numbered slots, and the loop that runs it."""

from __future__ import annotations

import contextlib
import math
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from gradwire.engine.base.errors import BlockError, OutOfMemoryError
from gradwire.engine.base.memory import Budget
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression, read_only, topological_order
from gradwire.engine.blocktypes.progress import BlockWatch


@dataclass(frozen=True)
class Step:
    """One application in a plan: slots of its inputs and outputs, and slots that it uses last.

    `weight` is the size of its tensors, or NEVER_LIGHT where that says nothing about its duration.
    """

    application: Application
    call: Callable[..., Any]  # Any: one array, or a tuple of them
    inputs: tuple[int | None, ...]
    outputs: tuple[int, ...]
    parameters: Mapping[str, Any]
    frees: tuple[int, ...]
    weight: int = 0


# NEVER_LIGHT is the weight of steps that run code of plug-ins. From HEAVY on steps are announced: they take long enough
# to justify it. Units: bytes.
NEVER_LIGHT, HEAVY = 2**62, 2**16


@dataclass(frozen=True)
class Plan:
    """Steps in topological order that compute `slots`, each expression in its slot.

    The first `forward` of them are one pass, all others the next.
    """

    steps: tuple[Step, ...]
    slots: dict[Expression, int]
    forward: int


class Passes(NamedTuple):
    """Durations of a plan's two passes.

    Units: seconds.
    """

    forward: float = 0.0
    backward: float = 0.0


NOT_TIMED = Passes()


class Slots(Protocol):
    """Storage from which a step reads its inputs and to which it writes its outputs."""

    def __getitem__(self, slot: int, /) -> Array | None: ...
    def __setitem__(self, slot: int, array: Array, /) -> None: ...


@dataclass
class Results:
    """Arrays of one run; None where a step failed or lacked an input. `failures` maps failed steps to errors."""

    plan: Plan
    values: Sequence[Array | None]
    failures: dict[Application, BlockError] = field(default_factory=dict)
    passes: Passes = NOT_TIMED

    def __getitem__(self, expression: Expression) -> Array | None:
        return self.values[self.plan.slots[expression]]

    def has(self, expression: Expression) -> bool:
        """Returns whether an expression has been computed."""
        return self[expression] is not None

    def stays(self, _: Expression, /) -> bool:
        """Returns whether the array of an expression is permanently in memory."""
        return True

    def later(self, expression: Expression) -> Array | Callable[[], Array | None] | None:
        """Returns the array of an expression, or a function that returns it on demand."""
        return self[expression]


def make_plan(
    roots: Iterable[Expression], keep: Iterable[Expression] | None = None, then: Iterable[Expression] = ()
) -> Plan:
    """Returns the plan that computes `roots`, and in a second pass `then`.

    With `keep`, arrays that are not in it are dropped after their last use; without it everything is kept.
    """
    roots = list(roots)
    order = topological_order([*roots, *then])
    slots = {output: index for index, output in enumerate(output for app in order for output in app.outputs)}
    frees = last_uses(order, slots, {slots[item] for item in keep}) if keep is not None else {}
    steps = [step_of(application, slots, tuple(frees.get(index, ()))) for index, application in enumerate(order)]
    # Slots are numbered in the order of the steps.
    last = max((slots[item] for item in roots), default=-1)
    return Plan(tuple(steps), slots, bisect_right(steps, last, key=lambda step: step.outputs[0]))


def step_of(application: Application, slots: Mapping[Expression, int], frees: tuple[int, ...] = ()) -> Step:
    """Returns the step that computes an application."""
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
    if application.type.from_plugin:
        return NEVER_LIGHT
    specs = (item.spec for item in application.inputs + application.outputs if item is not None)
    return sum(math.prod(spec[0]) * spec[1].itemsize for spec in specs)


def run(plan: Plan, overrides: Mapping[int, Array] | None = None, watch: BlockWatch | None = None) -> Results:
    """Runs all steps in order; slots in `overrides` keep the given arrays instead of their step's results.

    A step that cannot run, or whose result would take too much memory, is recorded as a failure, and everything that
    depends on it stays None. The loop announces steps that may take long to `watch`.
    """
    values: list[Array | None] = [None] * (max(plan.slots.values(), default=-1) + 1)
    results, heavy = Results(plan, values), _CountedCalls(watch)
    start = time.perf_counter()
    _run_steps(plan.steps[: plan.forward], values, results.failures, overrides, heavy)
    middle = time.perf_counter()
    _run_steps(plan.steps[plan.forward :], values, results.failures, overrides, heavy)
    results.passes = Passes(middle - start, time.perf_counter() - middle)
    return results


def _run_steps(
    steps: Iterable[Step],
    values: list[Array | None],
    failures: dict[Application, BlockError],
    overrides: Mapping[int, Array] | None,
    heavy: _CountedCalls,
) -> None:
    with np.errstate(all="ignore"):
        for step in steps:
            run_step(step, values, failures, heavy)
            heavy.take(step, values)
            if overrides:
                for slot in step.outputs:
                    if slot in overrides:
                        values[slot] = overrides[slot]
            for slot in step.frees:
                values[slot] = None
                heavy.give_back(slot)


class HeavyCalls:
    """Caller of steps that may take long or much memory; it checks first whether their results fit."""

    def __init__(self, watch: BlockWatch | None) -> None:
        self._watch = watch

    def __call__(self, step: Step, arguments: Sequence[Array | None]) -> Any:  # Any: one array, or a tuple of them
        """Calls the function of a step and returns its result.

        Raises: OutOfMemoryError if there is no room for it; also any exception of the function.
        """
        application = step.application
        # Functions that only move elements mostly return views of their inputs.
        may_be_view = application.type.only_moves_data and len(application.inputs) == 1
        self._room().check([output.spec for output in application.outputs], may_be_view)
        with contextlib.nullcontext() if self._watch is None else self._watch.at_work(application):
            return step.call(*arguments, **step.parameters)

    def _room(self) -> Budget:
        """Returns the memory that may still be taken."""
        return Budget()


class _CountedCalls(HeavyCalls):
    """Caller that counts the results of a run against one budget."""

    def __init__(self, watch: BlockWatch | None) -> None:
        super().__init__(watch)
        self._budget: Budget | None = None

    def take(self, step: Step, values: Sequence[Array | None]) -> None:
        """Counts the outputs of a step."""
        if step.weight >= HEAVY and self._budget is not None:
            for slot in step.outputs:
                self._budget.take(slot, values[slot])

    def give_back(self, slot: int) -> None:
        """Counts the dropped array of a slot."""
        if self._budget is not None:
            self._budget.give_back(slot)

    def _room(self) -> Budget:
        # Only runs with large tensors ask the system for its free memory.
        self._budget = self._budget or Budget()
        return self._budget


def run_step(
    step: Step, values: Slots, failures: dict[Application, BlockError], heavy: HeavyCalls | None = None
) -> None:
    """Computes one step into `values`, or records its failure; `heavy` calls steps that may take long."""
    arguments = [None if slot is None else values[slot] for slot in step.inputs]
    if any(slot is not None and item is None for slot, item in zip(step.inputs, arguments, strict=True)):
        return
    try:
        if heavy is None or step.weight < HEAVY:
            outcome = step.call(*arguments, **step.parameters)
        else:
            outcome = heavy(step, arguments)
        for slot, array in zip(step.outputs, outcome if isinstance(outcome, tuple) else (outcome,), strict=True):
            values[slot] = result_of(array)
    except BlockError as error:
        failures[step.application] = error
    except MemoryError:
        failures[step.application] = OutOfMemoryError("there is not enough memory for its result")
    except Exception as error:  # Code of plug-ins may raise anything; independent steps run all the same.
        failures[step.application] = step.application.type.fault(error)


def call_into(step: Step, arguments: Sequence[Array | None], targets: Iterable[Array]) -> None:
    """Computes one step and copies its results into arrays of its outputs' specs.

    Raises: BlockError if it cannot be computed.
    """
    try:
        with np.errstate(all="ignore"):
            outcome = step.call(*arguments, **step.parameters)
        for target, array in zip(targets, outcome if isinstance(outcome, tuple) else (outcome,), strict=True):
            np.copyto(target, array, casting="no")
    except BlockError:
        raise
    except Exception as error:  # Code of plug-ins may raise anything.
        raise step.application.type.fault(error) from error


def result_of(found: Array) -> Array:
    """Returns a step's result as a read-only array; a new array in C order.

    Raises: TypeError if it is no array of numbers.
    """
    array = np.asarray(found)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"its result is of dtype {array.dtype}")
    return read_only(_in_order(array))


def _in_order(array: Array) -> Array:
    """Returns a new array in C order: NumPy lays it out like its inputs, and sums depend on the order."""
    return array if array.base is not None or array.flags.c_contiguous else np.ascontiguousarray(array)


def last_uses(
    order: Sequence[Application], slots: Mapping[Expression, int], keep: Set[int] = frozenset()
) -> dict[int, list[int]]:
    """Maps each application's number to the slots that it is the last to use, without those in `keep`."""
    last = {slots[output]: index for index, app in enumerate(order) for output in app.outputs}
    for index, application in enumerate(order):
        last.update((slots[item], index) for item in application.inputs if item is not None)
    frees: dict[int, list[int]] = {}
    for slot, index in last.items():
        if slot not in keep:
            frees.setdefault(index, []).append(slot)
    return frees
