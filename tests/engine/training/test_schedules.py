"""Rates that change from round to round, by the formulas of PyTorch's schedulers, and which of them a plan may have."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise

import pytest

import gradwire as gw
from gradwire.engine.base.schema import JsonFault
from gradwire.engine.training.plan_reading import plan_of
from gradwire.engine.training.schedules import Schedule, fixed


def test_decays_are_those_of_pytorch() -> None:
    """StepLR(10, 0.5), ExponentialLR with 0.5 for each 10 rounds, and CosineAnnealingLR(40, 0.1), from 0.8."""
    step, cosine = Schedule("step", (0.8, 10.0, 0.5)), Schedule("cosine", (0.8, 0.1, 40.0))
    assert [step.at(n) for n in (0, 9, 10, 19, 20, 35)] == pytest.approx([0.8, 0.8, 0.4, 0.4, 0.2, 0.1])
    exponential = Schedule("exponential", (0.8, 10.0, 0.5))
    assert [exponential.at(n) for n in (0, 5, 10, 30)] == pytest.approx([0.8, 0.8 * math.sqrt(0.5), 0.4, 0.1])
    assert [cosine.at(n) for n in (0, 10, 20, 40, 41, 900)] == pytest.approx(
        [0.8, 0.45 + 0.35 / math.sqrt(2), 0.45, 0.1, 0.1, 0.1]
    )
    assert [fixed(0.3).at(n) for n in (0, 7)] == [0.3, 0.3]
    assert Schedule("exponential", (1.0, 1.0, 1e300)).at(5) == math.inf


def test_a_cycle_is_that_of_pytorch() -> None:
    """OneCycleLR(0.5, total_steps=60): a 25th at first, the top in round 17, and a 10,000th of the first in the end."""
    cycle = Schedule("one_cycle", (0.5, 60.0))
    assert [cycle.at(n) for n in (0, 17, 59, 60, 999)] == pytest.approx([0.02, 0.5, 2e-6, 2e-6, 2e-6])
    assert cycle.at(8) + cycle.at(9) == pytest.approx(0.52)  # symmetric about its middle
    assert cycle.at(38) == pytest.approx((0.5 + 2e-6) / 2)
    rates = [cycle.at(n) for n in range(60)]
    assert all(a < b for a, b in pairwise(rates[:18])) and all(a > b for a, b in pairwise(rates[17:]))


def test_a_warm_up_is_a_line_and_what_follows_begins_with_its_own_round_0() -> None:
    warm = Schedule("warmup", (0.1, 4.0), Schedule("step", (0.5, 3.0, 0.1)))
    assert [warm.at(n) for n in range(8)] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.5, 0.05])
    listed = Schedule("list", (0.0, 0.1, 5.0, 0.2, 50.0, 0.05))
    assert [listed.at(n) for n in (0, 4, 5, 49, 50, 99)] == [0.1, 0.1, 0.2, 0.2, 0.05, 0.05]


def planned(rate: object) -> gw.Graph:
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable(1.0, name="w"))))
    return dataclasses.replace(graph, training={"steps": ({"name": "a", "rule": {"type": "descent", "rate": rate}},)})


@pytest.mark.parametrize(
    "rate",
    [0, 0.5, {"one_cycle": [0.5, 4]}, {"list": [[0, 0.1], [1, 0.2]]}, {"step": [0.5, 1, 0]}, {"cosine": [0.5, 0, 1]},
     {"warmup": [0, 1, 0.1]}, {"exponential": [0.5, 0.5, 2]}],
)  # fmt: skip
def test_a_plan_may_have_a_rate(rate: object) -> None:
    rule = plan_of(planned(rate)).steps[0].rule
    assert rule is not None and math.isfinite(rule.rate.at(3))


@pytest.mark.parametrize(
    "rate",
    [-0.1, "fast", {}, {"step": [0.5, 0, 0.5]}, {"step": [0.5, 1]}, {"cosine": [0.5, -1, 3]}, {"one_cycle": [0.5, 3]},
     {"list": []}, {"list": [[1, 0.1]]}, {"list": [[0, 0.1], [0, 0.2]]}, {"list": [[0, 0.1], [5, 1], [4, 1]]},
     {"list": [[0, 0.1, 2]]}, {"warmup": [0.1, 4]}, {"warmup": [0.1, 0, 0.5]}, {"exponential": [0.5, 0, 2]},
     {"unknown": [1]}, {"step": [0.5, 1, 1], "cosine": [0.5, 0, 1]}],
)  # fmt: skip
def test_other_rates_are_refused(rate: object) -> None:
    with pytest.raises(JsonFault):
        plan_of(planned(rate))
