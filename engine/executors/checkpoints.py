"""Checkpoints: large arrays that a run keeps, so that few steps rematerialise any other array.

Source: Griewank and Walther, Evaluating Derivatives (2008), chapter 12; Chen et al., Training Deep Nets with Sublinear
Memory Cost (2016). Cost: O(n log n) for a plan of n steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gradwire.engine.blocktypes.plan import Plan


class Checkpoints(NamedTuple):
    """Slots whose arrays a run keeps (checkpoints), with the distance of each slot from the nearest one.

    `depths` counts the steps of the slot's own pass. Units: `size`, the total of all kept arrays, in bytes.
    """

    slots: frozenset[int] = frozenset()
    depths: Mapping[int, int] = {}
    size: int = 0


def large_slots(plan: Plan, limit: int) -> dict[int, int]:
    """Returns the slots of arrays above a size, with their sizes.

    Units: bytes.
    """
    sizes = {slot: item.spec.size * item.dtype.itemsize for item, slot in plan.slots.items()}
    return {slot: size for slot, size in sizes.items() if size > limit}


def checkpoints_of(plan: Plan, limit: int, budget: int) -> Checkpoints:
    """Returns checkpoints as dense as half of the budget allows.

    Doubles the spacing until the arrays fit: at most log2 of the plan's length walks along the plan. Units: bytes.
    """
    sizes, spacing = large_slots(plan, limit), 1
    while True:
        found = _spaced(plan, sizes, spacing)
        if 2 * found.size <= budget:
            return found
        spacing *= 2


def _spaced(plan: Plan, sizes: Mapping[int, int], spacing: int) -> Checkpoints:
    """Returns checkpoints at most `spacing` steps apart, counted in each pass by itself.

    The distances of the backward pass start anew: each pass is walked by itself.
    """
    checkpoints, depths = set(), dict[int, int]()
    for steps in (plan.steps[: plan.forward], plan.steps[plan.forward :]):
        own: dict[int, int] = {}
        for step in steps:
            depth = 1 + max((own.get(slot, 0) for slot in step.inputs if slot is not None), default=-1)
            for slot in step.outputs:
                own[slot] = depth if slot in sizes else 0
                if own[slot] > spacing:
                    own[slot] = 0
                    checkpoints.add(slot)
        depths |= own
    return Checkpoints(frozenset(checkpoints), depths, sum(sizes[slot] for slot in checkpoints))
