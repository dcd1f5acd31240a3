"""Checkpoints of a chain, by hand: as dense as half of the budget allows, and apart in each pass."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.plan import Plan, make_plan
from gradwire.engine.executors.checkpoints import checkpoints_of, large_slots


def chain(length: int) -> tuple[Plan, list[int]]:
    """Returns the plan of a source of 80 bytes with so many steps behind it, and the slots in order."""
    made = [gw.Variable(np.ones(10))]
    for _ in range(length):
        made.append(gw.Sin(made[-1]))
    plan = make_plan(made)
    return plan, [plan.slots[item] for item in made]


def test_arrays_above_the_limit_are_large() -> None:
    plan, slots = chain(2)
    assert large_slots(plan, 79) == dict.fromkeys(slots, 80)
    assert large_slots(plan, 80) == {}


@pytest.mark.parametrize(
    ("budget", "kept"),
    [
        # Twice the checkpoints fit: with four of them every second step is one, with two every third.
        (640, [2, 4, 6, 8]),
        (639, [3, 6]),
        (320, [3, 6]),
        (319, [5]),
        (160, [5]),
        (159, []),
        (0, []),
    ],
)
def test_checkpoints_are_as_dense_as_half_of_the_budget_allows(budget: int, kept: list[int]) -> None:
    plan, slots = chain(8)
    found = checkpoints_of(dataclasses.replace(plan, forward=len(plan.steps)), 79, budget)
    assert sorted(found.slots) == sorted(slots[place] for place in kept)
    assert found.size == 80 * len(kept)
    distances = [found.depths[slot] for slot in slots]
    assert distances == [place - max([0, *(at for at in kept if at <= place)]) for place in range(9)]


def test_each_pass_counts_from_its_own_beginning() -> None:
    # What the other pass has made counts as at hand.
    plan, slots = chain(5)
    found = checkpoints_of(dataclasses.replace(plan, forward=3), 79, 0)
    assert [found.depths[slot] for slot in slots] == [0, 1, 2, 1, 2, 3]


def test_small_arrays_stay_anyway() -> None:
    plan, slots = chain(3)
    found = checkpoints_of(plan, 80, 1000)
    assert not found.slots and [found.depths[slot] for slot in slots] == [0] * 4
