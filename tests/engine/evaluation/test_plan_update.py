"""Incremental plans: after any edits they have the steps that the roots need, in order, and tell what has changed."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.evaluation.lowered_diff import LoweredDiff
from gradwire.engine.evaluation.plan_update import IncrementalPlan, Splice


class Edited:
    """Roots of two passes that random edits claim, release and identify."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.layers = [[gw.Input(np.ones(2)), gw.Input(np.ones(2))], list[Expression]()]
        self.forward = {item.application for item in self.layers[0]}
        self.roots = Counter[Expression]()
        first = [*self.layers[0], *(self.made(0) for _ in range(3))]
        then = [self.made(1) for _ in range(3)]
        self.roots.update([*first, *then])
        plan = make_plan(first, then=then)
        self.forward |= {step.application for step in plan.steps[: plan.forward]}
        self.plan = IncrementalPlan(plan, [*first, *then])

    def made(self, layer: int, pool: list[Expression] | None = None) -> Expression:
        """Returns a new expression; what belongs to the first pass reads that alone."""
        pool = pool or [*self.layers[0], *self.layers[1]][: len(self.layers[0]) + layer * 99]
        kind = self.dice.choice([gw.Add, gw.Multiply, gw.Subtract])
        found: Expression = kind(self.dice.choice(pool), self.dice.choice(pool))
        self.layers[layer].append(found)
        if layer == 0:
            self.forward.add(found.application)
        return found

    def edit(self) -> LoweredDiff:
        diff = LoweredDiff()
        for layer in (0, 1):
            pool = self.layers[layer]
            for _ in range(self.dice.randrange(3)):
                diff.exchange(None, self.dice.choice([self.made(layer), *pool]))
            for old in self.dice.sample(pool, min(len(pool), self.dice.randrange(2))):
                if old.application.inputs:
                    new = self.made(layer, self.layers[0][:2])
                    self.layers[layer].pop()
                    diff.identify(old, new)
        for item in self.roots:
            for _ in range(self.dice.choice([0, 0, 1]) * self.roots[item]):
                diff.exchange(item, None)
        self.roots.update(diff.claimed)
        self.roots.subtract(diff.released)
        self.roots += Counter()
        return diff

    def needed(self) -> set[Application]:
        found, stack = set[Application](), [item.application for item in self.roots]
        while stack:
            application = stack.pop()
            if application not in found:
                found.add(application)
                stack += [item.application for item in application.inputs if item is not None]
        return found


def assert_sound(edited: Edited, before: list[Application], splice: Splice) -> None:
    plan, needed = splice.plan, edited.needed()
    after = [step.application for step in plan.steps]
    assert plan is edited.plan.plan
    assert len(after) == len(needed) and set(after) == needed
    places = {application: place for place, application in enumerate(after)}
    for step in plan.steps:
        inputs = [item for item in step.application.inputs if item is not None]
        assert all(places[item.application] < places[step.application] for item in inputs)
        assert step.inputs == tuple(plan.slots[item] for item in inputs)
        assert step.outputs == tuple(plan.slots[item] for item in step.application.outputs)
    assert [item in edited.forward for item in after] == [place < plan.forward for place in range(len(after))]
    assert len({*plan.slots.values()}) == len(plan.slots)
    assert {*splice.gone} == {*sorted(splice.gone)} and list(splice.added) == sorted(splice.added)
    kept = [item for place, item in enumerate(before) if place not in splice.gone]
    for place in splice.added:
        kept.insert(place, after[place])
    assert kept == after
    steps = dict.fromkeys({*before} - needed, False) | dict.fromkeys(needed - {*before}, True)
    assert dict(edited.plan.steps) == steps


@pytest.mark.parametrize("seed", range(30))
def test_a_plan_follows_edits_of_both_passes(seed: int) -> None:
    edited = Edited(seed)
    for _ in range(12):
        before = [step.application for step in edited.plan.plan.steps]
        diff = edited.edit()
        assert_sound(edited, before, edited.plan.update(diff, edited.forward))


def test_an_empty_plan_takes_steps_of_both_passes() -> None:
    x = gw.Input(np.ones(2))
    first, second = gw.Exp(x), gw.Square(x)
    plan = IncrementalPlan(make_plan([]), [])
    splice = plan.update(LoweredDiff(claimed=[second, first]), {x.application, first.application})
    assert [step.application for step in splice.plan.steps] == [item.application for item in (x, first, second)]
    assert (splice.plan.forward, splice.gone, splice.added) == (2, (), (0, 1, 2))
    splice = plan.update(LoweredDiff(released=[first]), {x.application})
    assert (splice.plan.forward, splice.gone, splice.added) == (1, (1,), ())
