"""The calculation that makes a value infinite or NaN."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.broken_values import calculations

Made = Callable[[gw.Expression], gw.Expression]


def run_of(values: list[float], made: Made) -> Evaluation:
    x = gw.Input(np.array(values), name="x")
    return run_graph(gw.graph(gw.Loss(gw.ReduceSum(made(x)))))


def told(run: Evaluation) -> list[tuple[str, str]]:
    """Returns the calculations behind the first broken wire, each as its block and its text."""
    place = next(link for link, found in run.snapshot.wires.items() if found.origin is not None)
    return [(item.at, item.text) for item in calculations(run, place)]


@pytest.mark.parametrize(
    ("values", "made", "expected"),
    [
        ([1000.0, 1.0], lambda x: gw.Exp(x, name="e"), [("main/e", "exp(1000)")]),
        ([0.0, 1.0], lambda x: gw.Log(x, name="l"), [("main/l", "log(0)")]),
        ([-2.0, 1.0], lambda x: gw.Square(gw.Log(x, name="l")), [("main/l", "log(-2)")]),
        (
            [1000.0, 1.0],
            lambda x: gw.Square(gw.Subtract(gw.Exp(x, name="a"), gw.Exp(x, name="b"), name="d")),
            [("main/a", "exp(1000)"), ("main/d", "inf - inf")],
        ),
    ],
)
def test_the_first_broken_value_and_the_first_nan_of_it_are_told(
    values: list[float], made: Made, expected: list[tuple[str, str]]
) -> None:
    assert told(run_of(values, made)) == expected


def test_a_calculation_has_its_numbers_and_where_they_are_from() -> None:
    run = run_of([0.0, 1.0], lambda x: gw.Divide(x, gw.Input(np.array([0.0, 1.0]), name="w"), name="q"))
    place = next(link for link in run.snapshot.wires if link.source.path == "main/x")
    (found,) = calculations(run, place)
    assert (found.operands, found.sources, found.text) == ((0, 0), ("main/x", "main/w"), "0 / 0")
    assert math.isnan(found.result) and found.limit is None


def test_what_is_finite_has_no_calculation() -> None:
    run = run_of([1.0], lambda x: gw.Exp(x))
    assert all(calculations(run, link) == () for link in run.snapshot.wires)
