"""Incremental arenas: after edits of the plan they equal a new arena of that plan, to the last bit."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.base.array_statistics import COLUMNS
from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import Plan, Step, run_step
from gradwire.engine.executors.arena import Arena

SIDE = 4
# Views, steps with several calls, steps that call Python, sources, and tensors in another memory order.
KINDS: dict[str, dict[str, object]] = {
    "Identity": {},
    "Transpose": {},
    "Reverse": {"axis": [0]},
    "Negative": {},
    "Softmax": {},
    "Cumsum": {},
    "Add": {},
    "Maximum": {},
    "MatMul": {},
}
BINARY = ("Add", "Maximum", "MatMul")


def source_step(slot: int, choose: random.Random) -> Step:
    numbers = np.random.default_rng(choose.randrange(99)).normal(size=(SIDE, SIDE))
    return step_of(constant(choose.choice([numbers, np.broadcast_to(numbers[0], (SIDE, SIDE))])), (), slot)


def step_of(made: Expression, inputs: tuple[int, ...], slot: int) -> Step:
    application = made.application
    return Step(application, application.type.function, inputs, (slot,), application.parameters, ())


def block_step(slot: int, before: list[int], choose: random.Random) -> Step:
    """Returns a step that writes a slot and reads slots of earlier steps."""
    kind = choose.choice(sorted(KINDS))
    inputs = tuple(choose.choice(before) for _ in range(2 if kind in BINARY else 1))
    operands = [constant(np.zeros((SIDE, SIDE))) for _ in inputs]
    return step_of(library[kind](*operands, **KINDS[kind]), inputs, slot)


@dataclass(frozen=True)
class Edit:
    """Edit of a plan: the new steps, and the places of removed and added ones."""

    steps: list[Step]
    gone: list[int]
    added: list[int]


def edited(steps: list[Step], choose: random.Random, fresh: int) -> Edit:
    """Replaces some blocks behind their slots, removes some and rewires their readers, inserts some."""
    found: list[Step] = []
    for step in steps:
        before = [slot for item in found for slot in item.outputs]
        chance = choose.random()
        if before and chance < 0.1:
            found.append(block_step(fresh, before, choose))
            fresh += 1
            before.append(fresh - 1)
        if before and 0.1 < chance < 0.2:
            continue
        if before and 0.2 < chance < 0.3:
            found.append(block_step(step.outputs[0], before, choose))
        elif 0.3 < chance < 0.33:
            found.append(source_step(step.outputs[0], choose))
        elif not set(step.inputs) <= set(before):
            wired = tuple(slot if slot in before else choose.choice(before) for slot in step.inputs)
            found.append(replace(step, inputs=wired))
        else:
            found.append(step)
    old, new = {id(step) for step in steps}, {id(step) for step in found}
    gone = [place for place, step in enumerate(steps) if id(step) not in new]
    return Edit(found, gone, [place for place, step in enumerate(found) if id(step) not in old])


def plan_of(steps: list[Step], forward: int) -> Plan:
    slots = {
        output: slot for step in steps for output, slot in zip(step.application.outputs, step.outputs, strict=True)
    }
    return Plan(tuple(steps), slots, forward)


def computed(steps: list[Step], count: int) -> list[Array | None]:
    values: list[Array | None] = [None] * count
    failures: dict = {}
    with np.errstate(all="ignore"):
        for step in steps:
            run_step(step, values, failures)
    assert not failures
    return values


def bits(values: list[Array | None]) -> list[tuple | None]:
    return [None if item is None else (item.shape, item.dtype, np.nan_to_num(item).tobytes()) for item in values]


def first_steps(choose: random.Random) -> list[Step]:
    steps = [source_step(slot, choose) for slot in range(3)]
    for slot in range(3, choose.randrange(8, 40)):
        steps.append(block_step(slot, list(range(slot)), choose))
    return steps


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_what_follows_edits_is_what_is_laid_out_anew(seed: int, executor: str) -> None:
    choose = random.Random(seed)
    steps = first_steps(choose)
    followed = Arena(plan_of(steps, len(steps)))
    for _ in range(6):
        edit = edited(steps, choose, len(followed.results.values))
        steps = edit.steps
        plan = plan_of(steps, choose.randrange(len(steps) + 1))
        assert followed.update(plan, edit.gone, edit.added)
        assert followed.results.plan is plan
        assert_same(followed, plan)
        steps = with_other_numbers(followed, steps, choose)


def with_other_numbers(followed: Arena, steps: list[Step], choose: random.Random) -> list[Step]:
    """Changes the numbers of a source; returns the resulting steps."""
    place = choose.choice([place for place, step in enumerate(steps) if not step.inputs])
    numbers = np.random.default_rng(choose.randrange(99)).normal(size=(SIDE, SIDE))
    other = step_of(constant(numbers), (), steps[place].outputs[0])
    if not followed.fits(*other.outputs, numbers):
        return steps
    followed.run({other.outputs[0]: numbers})
    found = [*steps[:place], other, *steps[place + 1 :]]
    plan = plan_of(found, followed.results.plan.forward)
    assert_same(followed, plan)
    assert followed.update(plan, [place], [place])
    return found


def test_there_is_no_room_for_what_is_much_larger(executor: str) -> None:
    first = source_step(0, random.Random(0))
    large = step_of(constant(np.zeros(1 << 20)), (), 1)
    assert not Arena(plan_of([first], 1)).update(plan_of([first, large], 2), [], [1])


def test_a_step_that_fails_ends_what_follows(executor: str) -> None:
    first = step_of(constant(np.zeros((SIDE, SIDE))), (), 0)
    inverse = step_of(library["MatrixInverse"](constant(np.eye(SIDE))), (0,), 1)
    with pytest.raises(BlockError):
        Arena(plan_of([first], 1)).update(plan_of([first, inverse], 2), [], [1])


def assert_same(followed: Arena, plan: Plan) -> None:
    anew = Arena(plan)
    count = len(followed.results.values)
    missing = [None] * (count - len(anew.results.values))
    expected = bits(computed(list(plan.steps), count))
    assert bits(followed.results.values) == expected
    assert bits([*anew.results.values, *missing]) == expected
    written = [slot for slot, item in enumerate(expected) if item is not None]
    found, other = followed.survey()[written], anew.survey()[written]
    assert all(np.array_equal(found[name], other[name], equal_nan=True) for name in COLUMNS)
    assert np.array_equal(heads_of(followed, written), heads_of(anew, written), equal_nan=True)


def heads_of(read: Arena, slots: list[int]) -> Array:
    target = np.zeros((len(slots), 5))
    read.leading_elements(slots, 5).write(target, np.arange(len(slots)))
    return target


def test_an_arena_of_nothing_follows_as_well(executor: str) -> None:
    nothing, first = plan_of([], 0), source_step(0, random.Random(0))
    followed = Arena(nothing)
    assert followed.update(plan_of([first], 1), [], [0])
    assert_same(followed, plan_of([first], 1))
    assert followed.update(nothing, [0], [])
    assert followed.results.values == [None]
