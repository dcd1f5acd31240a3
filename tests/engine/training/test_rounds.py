"""What a round logs: losses, metrics, sizes, rates and tests, of steps that repeat, skip rounds, or only assign."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.trainer import Trainer


def parabola(*steps: dict[str, Any], **plan: object) -> Graph:
    """Returns L = (w - 3)^2 from w = 1: descent by 0.1 multiplies w - 3, which is -2, by 0.8."""
    w, v = gw.Variable(1.0, name="w"), gw.Variable(7.0, name="v")
    loss = gw.Loss(gw.Square(w - 3.0), name="L")
    other = gw.Identity(v, name="i")
    return dataclasses.replace(gw.graph(loss, other), training={"steps": list(steps), **plan})


DOWN = {"name": "down", "loss": "main/L", "rule": {"type": "descent", "rate": 0.1}}


def test_of_a_step_that_repeats_the_first_time_is_logged() -> None:
    trainer = Trainer(parabola({**DOWN, "times": 3}, metrics=["main/L.y"]))
    for n in range(4):
        done = trainer.run_round(measures=True)
        away = 2 * 0.8 ** (3 * n)
        assert done.losses == {"down": pytest.approx(away**2)}
        assert done.metrics == {"main/L.y": pytest.approx(away**2)}
        assert done.rates == {"down": 0.1}
        assert done.sizes["main/w"].gradient == pytest.approx(2 * away)
        assert float(trainer.variables["main/w"]) == pytest.approx(3 - away * 0.8**3)


def test_without_measuring_there_are_neither_sizes_nor_rates() -> None:
    done = Trainer(parabola(DOWN)).run_round()
    assert (done.sizes, done.rates, done.metrics, done.test, done.statuses) == ({}, {}, {}, {}, {})


def test_a_step_that_skips_rounds_logs_its_own_and_metrics_are_of_each_round() -> None:
    trainer = Trainer(parabola({**DOWN, "every": 2}, metrics=["main/L.y"]))
    seen = [trainer.run_round(measures=True) for _ in range(4)]
    assert [set(done.losses) for done in seen] == [set(done.rates) for done in seen]
    ran = [bool(done.losses) for done in seen]
    assert sum(ran) == 2 and ran[:2] == ran[2:]
    # Before each round, not behind it.
    away, wanted = 2.0, []
    for runs in ran:
        wanted.append(away**2)
        away *= 0.8 if runs else 1
    assert [done.metrics["main/L.y"] for done in seen] == pytest.approx(wanted)


def test_a_step_that_assigns_has_neither_loss_nor_rate() -> None:
    copy = {"name": "copy", "assign": {"main/v": "main/w.y"}}
    trainer = Trainer(parabola(DOWN, copy))
    done = trainer.run_round(measures=True)
    assert (set(done.losses), set(done.rates)) == ({"down"}, {"down"})
    # The second step sees what the first one has done.
    assert float(trainer.variables["main/v"]) == float(trainer.variables["main/w"]) == pytest.approx(1.4)


def test_the_rate_follows_its_schedule_until_another_is_set() -> None:
    rule = {"type": "descent", "rate": {"step": [0.4, 1, 0.5]}}
    trainer = Trainer(parabola({**DOWN, "rule": rule}))
    assert [trainer.run_round(measures=True).rates["down"] for _ in range(3)] == [0.4, 0.2, 0.1]
    assert trainer.rate("down") == 0.05


def rows(*steps: dict[str, Any], **plan: object) -> Graph:
    """Returns the mean of the squares of x w - y over the rows of a Data block, a quarter of which is held back."""
    x, y = gw.Data(set="line", n=40, test=0.25, name="data")
    w = gw.Variable([[0.5]], name="w")
    loss = gw.Loss(gw.Square(x @ w - y), reduction="mean", name="L")
    return dataclasses.replace(gw.graph(loss), training={"steps": list(steps), **plan})


def test_only_steps_that_train_are_tested_and_of_rows_held_back() -> None:
    keep = {"name": "keep", "assign": {"main/w": "main/w.y"}}
    trainer = Trainer(rows(DOWN, {**DOWN, "name": "again"}, keep, metrics=["main/L.y"], test_every=2))
    tests = [trainer.run_round().test for _ in range(3)]
    assert [set(test) for test in tests] == [{"down", "again", "main/L.y"}, set(), {"down", "again", "main/L.y"}]
    assert len(set(tests[0].values())) == 1 and tests[2]["down"] < tests[0]["down"]


def test_metrics_are_tested_although_nothing_is_trained() -> None:
    plain, tested = (
        Trainer(rows({"name": "keep", "assign": {"main/w": "main/w.y"}}, metrics=["main/L.y"], **more))
        for more in ({}, {"test_every": 1})
    )
    first, second = plain.run_round(), tested.run_round()
    assert set(second.test) == {"main/L.y"} and second.metrics == first.metrics
    assert second.test["main/L.y"] != first.metrics["main/L.y"], "other rows"


def test_blocks_that_hold_nothing_back_are_no_rows() -> None:
    noise = gw.RandomNormal(shape=[3], every="step", name="noise")
    graph = gw.graph(gw.Loss(gw.Variable(np.ones(3), name="w") * noise, name="L"))
    with pytest.raises(gw.GradwireError, match="no Data block holds back rows"):
        Trainer(dataclasses.replace(graph, training={"test_every": 1}))


def test_a_metric_of_one_element_keeps_its_sign_and_others_have_their_norm() -> None:
    """3 for nine ones, 5 for (3, 4), and -2 for a matrix of one element."""
    values = {"nine": np.ones((3, 3)), "pair": np.array([3.0, -4.0]), "one": np.array([[-2.0]])}
    parts = [gw.Identity(gw.Constant(value), name=name) for name, value in values.items()]
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable(1.0, name="w")), name="L"), *parts)
    ports = [f"main/{name}.y" for name in values]
    done = Trainer(dataclasses.replace(graph, training={"metrics": ports})).run_round()
    assert done.n == 0 and done.metrics == pytest.approx({"main/nine.y": 3, "main/pair.y": 5, "main/one.y": -2})


@pytest.mark.parametrize("every", ["step", "run"])
def test_noise_of_a_run_is_drawn_once_and_noise_of_a_step_each_time(every: str) -> None:
    """L is the sum of w noise: with the rate 1, w moves by the noise of each of three repetitions."""
    noise = gw.RandomNormal(shape=[2], every=every, name="noise")
    w = gw.Variable(np.zeros(2), name="w")
    graph = gw.graph(gw.Loss(gw.ReduceSum(w * noise), name="L"))
    rule = {"type": "descent", "rate": 1.0}

    def way(times: int) -> np.ndarray:
        steps = ({"name": "a", "rule": rule, "times": times},)
        trainer = Trainer(dataclasses.replace(graph, training={"steps": steps}))
        trainer.run_round()
        return -trainer.variables["main/w"]

    once, twice, thrice = way(1), way(2), way(3)
    assert np.allclose(thrice, 3 * once) == (every == "run")
    assert np.allclose(thrice - twice, once) == (every == "run") and once.any()
