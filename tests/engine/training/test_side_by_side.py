"""Trainings of two graphs side by side: what a fix would give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.side_by_side import ROUNDS, train_both

PLAN = {"steps": [{"name": "all", "rule": {"type": "descent", "rate": 0.1}}]}
LONG = float("inf")


def parabola(slope: float, plan: dict[str, object] | None = None) -> Graph:
    """Returns the loss slope w^2 at w = 3."""
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable(3.0, name="w")) * slope))
    return graph if plan is None else replace(graph, training=plan)


def test_the_losses_are_those_of_gradient_descent() -> None:
    found = train_both(parabola(1.0, PLAN), parabola(0.5, PLAN), LONG)
    assert found is not None and found.rounds == ROUNDS == 50
    # Each step multiplies w by 1 - 2 slope / 10. The bound is that of 50 roundings.
    assert found.before == pytest.approx((9.0, 9.0 * 0.8**100), rel=1e-13)
    assert found.after == pytest.approx((4.5, 4.5 * 0.9**100), rel=1e-13)


def test_a_graph_without_a_plan_is_trained_too() -> None:
    found = train_both(parabola(1.0), parabola(1.0), LONG)
    assert found is not None and found.before == found.after and found.before[1] < 9.0


def test_a_training_that_breaks_off_ends_as_nan_beside_the_other() -> None:
    broken = gw.graph(gw.Loss(gw.Log(gw.Variable(0.0))))
    found = train_both(broken, parabola(1.0, PLAN), LONG)
    assert found is not None and np.isnan(found.before).all() and found.after[0] == 9.0


def test_graphs_without_a_loss_are_nothing_to_compare() -> None:
    graph = gw.graph(gw.Square(gw.Variable(3.0)))
    assert train_both(graph, graph, LONG) is None


def test_no_time_is_no_answer() -> None:
    assert train_both(parabola(1.0), parabola(1.0), 0.0) is None
