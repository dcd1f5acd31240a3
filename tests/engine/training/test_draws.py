"""Batches in training: those of the round, for all steps, after going on from a state, and those held back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks import library
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.run import TrainingRun
from gradwire.engine.training.trainer import Trainer
from gradwire.engine.training.training import Training

SET = {"set": "line", "n": 50, "seed": 3, "noise": 0.2, "batch": 8, "test": 0.3}


def rows(**given: Any) -> tuple[np.ndarray, np.ndarray]:
    """Returns what the block shows outside of training."""
    return library["Data"].function(**library["Data"].normalize(given))


def line(training: dict[str, Any] | None, **given: Any) -> Graph:
    """Returns a graph that fits a line by two Variables."""
    x, y = library["Data"](**given, name="data")
    w, b = gw.Variable([[0.5]], name="w"), gw.Variable([0.25], name="b")
    error = gw.Square(x @ w + b - y)
    graph = gw.graph(gw.Loss(gw.ReduceMean(error, name="mse"), name="loss"))
    return replace(graph, training=training)


def descended(count: int, times: int = 1) -> tuple[list[float], float, float]:
    """Returns the losses of descent with a rate of 0.1, and the variables, by hand."""
    w, b, losses = 0.5, 0.25, []
    for n in range(count):
        x, y = (item[:, 0] for item in rows(**SET, step=n))
        for repetition in range(times):
            error = x * w + b - y
            losses += [float(np.mean(error**2))] if repetition == 0 else []
            w, b = w - 0.1 * float(np.mean(2 * error * x)), b - 0.1 * float(np.mean(2 * error))
    return losses, w, b


RULE = {"type": "descent", "rate": 0.1}


@pytest.mark.parametrize("times", [1, 2])
def test_round_n_takes_batch_n(times: int) -> None:
    trainer = Trainer(line({"steps": [{"rule": RULE, "times": times}]}, **SET))
    found = [trainer.run_round().losses["all"] for _ in range(40)]
    losses, w, b = descended(40, times)
    # Sums of eight numbers in another order.
    np.testing.assert_allclose(found, losses, rtol=1e-12)
    np.testing.assert_allclose([trainer.variables["main/w"][0, 0], trainer.variables["main/b"][0]], [w, b], rtol=1e-12)


def test_all_steps_of_a_round_take_the_same_batch() -> None:
    steps = [{"name": "a", "variables": ["main/w"], "rule": {"type": "descent", "rate": 0}}]
    steps += [{**steps[0], "name": "b", "every": 3}]
    trainer = Trainer(line({"steps": steps}, **SET))
    for n in range(12):
        losses = trainer.run_round().losses
        assert losses.get("b", losses["a"]) == losses["a"], n


def test_going_on_from_a_state_takes_the_batches_that_follow() -> None:
    graph = line({"steps": [{"rule": {"type": "adam", "rate": 0.01}}]}, **SET)
    whole, first, second = (Trainer(graph) for _ in range(3))
    expected = [whole.run_round().losses["all"] for _ in range(30)]
    for _ in range(13):
        first.run_round()
    second.load_state(first.state())
    assert [second.run_round().losses["all"] for _ in range(17)] == expected[13:]
    assert second.checksum() == whole.checksum()


def test_the_value_after_some_rounds_is_that_of_the_next_batch() -> None:
    losses, _, _ = descended(6)
    check = {"after": 5, "at": "main/loss.y", "value": losses[5]}
    run = TrainingRun(line({"steps": [{"rule": RULE}], "checks": [check], "until": {"steps": 6}}, **SET))
    assert len(list(run.rounds())) == 6
    assert [outcome.is_met for outcome in run.outcomes()] == [True]


def test_held_back_rows_are_measured_by_the_same_graph() -> None:
    plan = {"steps": [{"name": "s", "rule": RULE}], "metrics": ["main/mse.y"], "test_every": 4}
    trainer = Trainer(line(plan, **SET))
    x, y = (item[:, 0] for item in rows(**SET | {"batch": 0}, part="test"))
    for n in range(10):
        w, b = trainer.variables["main/w"][0, 0], trainer.variables["main/b"][0]
        done = trainer.run_round()
        if n % 4:
            assert done.test == {}
        else:
            mse = np.mean((x * w + b - y) ** 2)
            assert done.test == pytest.approx({"s": mse, "main/mse.y": mse}, rel=1e-12)


def test_tests_do_not_change_the_training() -> None:
    plan = {"steps": [{"rule": RULE}]}
    plain, tested = (Trainer(line(plan | more, **SET)) for more in ({}, {"test_every": 1}))
    for _ in range(10):
        assert plain.run_round().losses == tested.run_round().losses
    assert plain.checksum() == tested.checksum()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"test": 0.0}, "With the test part: main/data: part test has no rows"),
        ({"test": 0.01, "n": 9}, "With the test part: main/data: part test has no rows"),
    ],
)
def test_a_test_without_rows_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(GradwireError, match=message):
        Trainer(line({"test_every": 1}, **SET | given))


def test_a_test_without_data_is_refused() -> None:
    w = gw.Variable([1.0], name="w")
    graph = replace(gw.graph(gw.Loss(gw.ReduceSum(gw.Square(w)))), training={"test_every": 1})
    with pytest.raises(GradwireError, match="no Data block holds back rows"):
        Trainer(graph)


def test_scripts_train_by_batches_too() -> None:
    losses, _, _ = descended(20)
    training = Training(line(None, **SET), gw.descent(0.1))
    np.testing.assert_allclose([float(training.step()) for _ in range(20)], losses, rtol=1e-12)
