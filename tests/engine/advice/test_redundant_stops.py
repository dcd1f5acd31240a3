"""A StopGradient that is called redundant may go: no value changes, and no gradient of what is trained or fed."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.linter import RULE_OF, lint
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.graph.graph import Graph

GRAPHS, PARTS = 240, 2


def drawn(seed: int) -> Graph:
    """Returns a random graph with stops, steps without a slope, and derivatives of one tensor by another."""
    choose, numbers = random.Random(seed), np.random.default_rng(seed)
    pool = [gw.Variable(numbers.normal(size=3)), gw.Input(numbers.normal(size=3)), gw.Constant(numbers.normal(size=3))]
    pool = [*pool[: choose.randint(1, 3)], gw.Constant(numbers.normal(size=3))]
    for _ in range(choose.randint(6, 16)):
        pool.append(step(choose, choose.choice(pool[-6:]), choose.choice(pool)))
    return gw.graph(gw.Loss(pool[-1] + pool[-2] * pool[-3]))


def step(choose: random.Random, x: Expression, y: Expression) -> Expression:
    kind = choose.choice(("one", "two", "stop", "stop", "flat", "derivative", "number", "choice"))
    if kind == "one":
        return choose.choice((gw.Tanh, gw.Sin, gw.Sigmoid))(x)
    if kind == "two":
        return choose.choice((gw.Add, gw.Multiply, gw.Subtract))(x, y)
    if kind == "stop":
        return gw.StopGradient(x)
    if kind == "flat":
        return choose.choice((gw.Round, gw.Sign, gw.Floor))(x)
    if kind == "derivative":
        return gw.Gradients(gw.ReduceSum(gw.Square(x)), y)[0]
    if kind == "choice":
        return gw.Where(gw.Greater(x, y), x, y)
    return gw.Constant(np.array([0.5, -1.0, 2.0]) * choose.random())


def differing(before: Evaluation, after: Evaluation) -> list[str]:
    """Returns the ports whose value differs, and the trained or fed ones whose gradient does."""
    found = []
    for name in before.structure.port_index.ports.keys() & after.structure.port_index.ports.keys():
        is_source = before.graph.block(name.path).type in ("Variable", "Input")
        kinds = (False, True) if is_source else (False,)
        pairs = [(before.tensor(name, is_gradient), after.tensor(name, is_gradient)) for is_gradient in kinds]
        # Two gradients may be added up in another order.
        if not all(a is b or np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True) for a, b in pairs):
            found.append(str(name))
    return found


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_without_a_redundant_stop_all_that_learns_gets_the_same_gradient(part: int) -> None:
    count = 0
    for seed in range(part, GRAPHS, PARTS):
        graph = drawn(seed)
        run = run_graph(graph)
        for finding in lint(run, [RULE_OF["stop_redundant"]]):
            assert finding.fix is not None and not finding.fix.changes_loss
            assert not differing(run, run_graph(finding.fix.edit(graph))), (seed, finding.message)
            count += 1
    assert count > 40


def test_a_stop_before_a_target_of_gradients_is_not_redundant() -> None:
    c = gw.Constant(np.array([1.0, 2.0]))
    slope = gw.Gradients(gw.ReduceSum(gw.Square(gw.StopGradient(c))), c)[0]
    graph = gw.graph(gw.Loss(slope * gw.Variable(np.array([1.0, 1.0]))))
    assert not lint(run_graph(graph), [RULE_OF["stop_redundant"]])
