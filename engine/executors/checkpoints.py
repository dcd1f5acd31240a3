"""Which large arrays of a run stay, so that every other one is only a few steps away from one that is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.plan import Plan


class Anchors(NamedTuple):
    """The slots whose arrays stay, and how many steps of its own pass each slot is away from such a one.

    Units: `size`, of all arrays that stay, in bytes.
    """

    slots: frozenset[int]
    depths: Mapping[int, int]
    size: int


def large_slots(plan: Plan, limit: int) -> dict[int, int]:
    """The slots of arrays above a size, and their sizes.

    Units: bytes.
    """
    sizes = {slot: item.spec.size * item.dtype.itemsize for item, slot in plan.slots.items()}
    return {slot: size for slot, size in sizes.items() if size > limit}


def anchors_of(plan: Plan, limit: int, budget: int) -> Anchors:
    """Anchors that lie as near to each other as half of the budget allows.

    Units: bytes.
    """
    sizes, spacing = large_slots(plan, limit), 1
    while True:
        found = _spaced(plan, sizes, spacing)
        if 2 * found.size <= budget:
            return found
        spacing *= 2


def _spaced(plan: Plan, sizes: Mapping[int, int], spacing: int) -> Anchors:
    """Anchors so many steps apart, each pass by itself: the next one walks along the whole of the one before."""
    anchors, depths = set(), dict[int, int]()
    for steps in (plan.steps[: plan.forward], plan.steps[plan.forward :]):
        own: dict[int, int] = {}
        for step in steps:
            depth = 1 + max((own.get(slot, 0) for slot in step.inputs if slot is not None), default=-1)
            for slot in step.outputs:
                own[slot] = depth if slot in sizes else 0
                if own[slot] > spacing:
                    own[slot] = 0
                    anchors.add(slot)
        depths |= own
    return Anchors(frozenset(anchors), depths, sum(sizes[slot] for slot in anchors))
