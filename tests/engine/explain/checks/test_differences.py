"""Difference quotients beside their formulas, the steps they take, and the kinks met on the way to the loss."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.checks.differences import ATOL, Differences, meets_kink, quotients
from gradwire.engine.explain.checks.nudged_loss import NudgedLoss
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import x


def test_quotients_of_a_parabola_and_of_a_kink() -> None:
    # (5 + 3 h)² around h = 0, and a kink of slopes 1 and 4.
    found = Differences.around(lambda h: (5 + 3 * h) ** 2, 25.0, 0.5)
    assert (found.slope, found.bend, found.step) == (30, 2 * 9 * 0.5, 0.5)
    found = Differences.around(lambda h: max(h, 4 * h), 0.0, 0.25)
    assert (found.slope, found.bend) == (2.5, 3)


@pytest.mark.parametrize(
    ("function", "gradient", "shorter"),
    [
        (lambda h: 3 * h + h * h, 3.0, 0),
        # Near a pole the first step is too long.
        (lambda h: math.log(1e-4 + h) if h > -1e-4 else math.nan, 1e4, 4),
        # Another gradient is not confirmed: the first steps that agree are told.
        (lambda h: 3 * h + h * h, 7.0, 0),
        # At a kink no steps agree with each other; the first ones are told.
        (lambda h: max(h, 4 * h), 1.0, 0),
    ],
)
def test_the_step_shrinks_until_a_gradient_is_confirmed(
    function: Callable[[float], float], gradient: float, shorter: int
) -> None:
    found = quotients(function, function(0.0), 2**-10, gradient)
    assert found.wide.step == 2**-10 / 8**shorter and found.narrow.step == found.wide.step / 8
    assert found.noise == pytest.approx(max(ATOL, 8 * 2**-52 / found.narrow.step) * max(1, abs(function(0.0))))


def test_the_step_shrinks_no_more_than_eight_times() -> None:
    steps: list[float] = []

    def broken(offset: float) -> float:
        steps.append(abs(offset))
        return math.nan

    assert quotients(broken, 0.0, 1.0, 1.0).wide.step == 1
    assert min(steps) == 8.0**-9 and len(steps) == 2 * 10


@pytest.mark.parametrize(
    ("graph", "is_kink"),
    [
        # The gap between both slopes counts beyond a thousandth of the mean slope.
        (x([0.0]).then("r", "LeakyRelu", alpha=0.9985).loss(), True),
        (x([0.0]).then("r", "LeakyRelu", alpha=0.9995).loss(), False),
        (x([3.0]).source("d", 3.0).then("s", "Subtract", "d.y").then("a", "Abs").then("f", "Add", "x.y").loss(), True),
        (x([0.5]).then("e", "Exp").loss(), False),
        (x([0.0]).then("r", "Relu").loss(), True),
        # It stands within an eighth of the step, or beside it.
        (x([5e-7]).then("r", "Relu").loss(), True),
        (x([2e-6]).then("r", "Relu").loss(), False),
        (x([0.0]).then("s", "Square").loss(), False),
    ],
)
def test_a_kink_is_met_on_the_way_to_the_loss(graph: Graph, is_kink: bool) -> None:
    run = run_graph(graph)
    nudge, place = NudgedLoss(run.lowered), run.lowered.ports[PortName("main/x", "y")]
    value = nudge.value(place)
    assert value is not None and meets_kink(nudge, place, value, 0, 1e-5) is is_kink
