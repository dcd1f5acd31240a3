"""Difference quotients beside their formulas, the steps they take, and the kinks met on the way to the loss."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.checks.differences import (
    ATOL,
    Differences,
    Quotients,
    is_smooth,
    jumps,
    meets_kink,
    mirrored,
    quotients,
)
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


def of(slope: float, bend: float, step: float = 1e-3) -> Differences:
    return Differences(slope, bend, step)


@pytest.mark.parametrize(
    ("wide", "narrow", "gradient", "noise", "smooth"),
    [
        ((1.0, 0.0), (1.0, 0.0), 1.0, 0.0, True),
        ((1.0, 0.9), (1.0, 0.29), 1.0, 0.0, True),
        ((1.0, 0.9), (1.0, 0.3), 1.0, 0.0, True),
        ((1.0, 0.9), (1.0, 0.31), 1.0, 0.0, False),
        ((1.0, 0.9), (1.0, 0.31), 1.0, 0.31, True),
        ((1.0, 0.9), (1.0, 0.31), 1.0, 0.3, False),
        ((1.0, 0.9), (1.0, 0.31), 400.0, 0.0, True),
        ((400.0, 0.9), (400.0, 0.31), 1.0, 0.0, True),
        ((1.0, 0.0), (1.005, 0.0), 1.0, 0.0, True),
        ((1.0, 0.0), (1.02, 0.0), 1.0, 0.0, False),
        ((1.0, 0.0), (0.98, 0.0), 1.0, 0.0, False),
        ((1.0, 0.0), (1.02, 0.0), 1.0, 0.03, True),
        ((1.0, 0.0), (1.02, 0.0), -3.0, 0.0, True),
        ((math.nan, 0.0), (1.0, 0.0), 1.0, 9.0, False),
        ((1.0, math.inf), (1.0, 0.0), 1.0, 9.0, False),
        ((1.0, 0.0), (math.inf, 0.0), 1.0, 9.0, False),
        ((1.0, 0.0), (1.0, math.nan), 1.0, 9.0, False),
    ],
)
def test_a_bend_shrinks_to_a_third_and_slopes_to_a_hundredth_where_it_is_smooth(
    wide: tuple[float, float], narrow: tuple[float, float], gradient: float, noise: float, smooth: bool
) -> None:
    found = Quotients(of(*wide), of(*narrow), noise)
    assert is_smooth(found.wide, found.narrow, gradient, noise) is found.is_smooth(gradient) is smooth


@pytest.mark.parametrize(
    ("wide", "narrow", "noise", "jump"),
    [
        ((1.0, 0.0), (4.0, 0.0), 0.0, False),
        ((1.0, 0.0), (4.1, 0.0), 0.0, True),
        ((-1.0, 0.0), (-8.0, 0.0), 0.0, True),
        ((1.0, 0.0), (8.0, 0.0), 8.0, False),
        ((1.0, 0.0), (8.0, 0.0), 7.9, True),
        ((0.0, 1.0), (0.0, 4.0), 0.0, False),
        ((0.0, 1.0), (0.0, 4.1), 0.0, True),
        ((0.0, 0.0), (0.0, 0.1), 0.1, False),
    ],
)
def test_a_jump_makes_quotients_larger_as_the_step_shrinks(
    wide: tuple[float, float], narrow: tuple[float, float], noise: float, jump: bool
) -> None:
    assert jumps(of(*wide), of(*narrow), noise) is jump


def test_a_gradient_is_confirmed_by_the_nearer_quotient() -> None:
    found = Quotients(of(2.0, 0.0), of(2.01, 0.0), 0.001)
    assert found.gap(2.005) == pytest.approx(0.005) and found.gap(3.0) == pytest.approx(0.99)
    assert found.confirm(2.0) and found.confirm(2.0109) and not found.confirm(2.1)
    assert found.is_sure and not Quotients(found.wide, found.narrow, 0.0021).is_sure
    assert (
        Quotients(of(2.0, 0.0), of(2.0005, 0.0), 0.001).agree and not Quotients(of(2.0, 0.0), of(2.1, 0.0), 0.001).agree
    )


SYMMETRIC = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 5.0], [3.0, 5.0, 6.0]])


@pytest.mark.parametrize(
    ("value", "index", "pair"),
    [
        (SYMMETRIC, 1, (1, 3)),
        (SYMMETRIC, 3, (3, 1)),
        (SYMMETRIC, 5, (5, 7)),
        (SYMMETRIC, 4, None),
        (SYMMETRIC + np.triu(SYMMETRIC), 1, None),
        (np.stack([SYMMETRIC + np.triu(SYMMETRIC), SYMMETRIC]), 10, (10, 12)),
        (np.stack([SYMMETRIC + np.triu(SYMMETRIC), SYMMETRIC]), 1, None),
        (np.ones((2, 3)), 1, None),
        (np.ones(4), 1, None),
        (np.ones((3, 2, 2)), 5, (5, 6)),
    ],
)
def test_an_element_has_its_mirror_image_in_a_symmetric_matrix(
    value: np.ndarray, index: int, pair: tuple[int, int] | None
) -> None:
    assert mirrored(value, index) == pair
