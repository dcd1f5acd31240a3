"""The cost of planning a step of training: our calls grow with the number of blocks, not with its square."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.step_compiler import fusion
from gradwire.engine.step_compiler.training_plan import TrainingPlan
from tests.engine.calls import count_calls
from tests.random_graphs import random_graph

FEW, MANY, MOST = 1_000, 4_000, 4.5


def random_results(count: int) -> list[Expression]:
    """Returns the loss and the gradients of a random graph."""
    lowered = run_graph(random_graph(count)).lowered
    return [*lowered.losses, *lowered.backward.totals.values()]


def sums_in_a_row(count: int) -> list[Expression]:
    """Returns the end of a chain in which a sum over all elements follows every ten steps: its regions are short."""
    x = y = gw.Variable(np.linspace(-1, 1, 16))
    for _ in range(count // 10):
        for _ in range(4):
            y = gw.Tanh(y * 0.5)
        y = y + gw.ReduceSum(y * x)
    return [y]


@pytest.mark.long
@pytest.mark.parametrize(("results", "smallest"), [(random_results, fusion.SMALLEST), (sums_in_a_row, 2)])
def test_four_times_as_many_blocks_take_about_four_times_as_many_calls(
    results: Callable[[int], list[Expression]], smallest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fusion, "SMALLEST", smallest)
    few, many = (count_calls(functools.partial(TrainingPlan, results(count))) for count in (FEW, MANY))
    assert many < MOST * few
