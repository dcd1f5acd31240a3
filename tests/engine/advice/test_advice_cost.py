"""The cost of advice: our calls grow with the number of blocks, not with its square."""

from __future__ import annotations

import functools

import gradwire as gw
from gradwire.engine.advice.advice import advise
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from tests.engine.calls import count_calls

FEW, MANY, MOST = 100, 400, 4.5


def sum_of_many(count: int) -> Evaluation:
    """Returns the run of one variable that is read `count` times by the inputs of one sum."""
    x = gw.Variable(0.5)
    return run_graph(gw.graph(gw.Loss(gw.AddN(*(gw.Tanh(x) for _ in range(count))))))


def test_four_times_as_many_inputs_of_a_sum_take_about_four_times_as_many_calls() -> None:
    few, many = (count_calls(functools.partial(advise, sum_of_many(count))) for count in (FEW, MANY))
    assert many < MOST * few
