"""Noise in training: the numbers of the place in the training, the same in a value and in its gradient."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks import library
from gradwire.engine.blocktypes.draw import Moment
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.draws import shown_at
from gradwire.engine.training.run import TrainingRun
from gradwire.engine.training.trainer import Trainer

SHAPE = (40, 30)


def generator(*place: int | str) -> np.random.Generator:
    """NumPy's generator over Philox for a place in a training, written out: its hash is the seed of the block."""
    return np.random.Generator(np.random.Philox(key=hashed("noise", hashed(*place) >> 65)))


def hashed(*names: int | str) -> int:
    """The hash of names with their types and lengths."""
    parts = [(b"s" if isinstance(name, str) else b"i", str(name).encode()) for name in names]
    text = b"".join(kind + str(len(part)).encode() + b":" + part for kind, part in parts)
    return int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "little")


def graph_of(output: Any, **training: object) -> Graph:
    """Returns a graph whose loss is the sum of an output."""
    return replace(gw.graph(gw.Loss(gw.ReduceSum(output, name="sum"), name="loss")), training=training)


def variable(name: str = "w", shape: tuple[int, ...] = SHAPE) -> Any:
    return gw.Variable(np.random.default_rng(1).normal(size=shape) + 5, name=name)


RULE = {"type": "descent", "rate": 0}
STEPS = [{"name": "a", "rule": RULE, "times": 2}, {"name": "b", "rule": RULE}]


def test_dropout_draws_by_seeds_path_step_repetition_and_round() -> None:
    w = variable()
    graph = graph_of(gw.Dropout(w, rate=0.25, seed=9, name="drop"), seed=4, steps=STEPS)
    trainer = Trainer(graph, watch=["main/drop.y", "main/w.y"])
    values = np.random.default_rng(1).normal(size=SHAPE) + 5
    seen = set()
    for n in range(3):
        done = trainer.run_round()
        for step, last in ((trainer.steps[0], 1), (trainer.steps[1], 0)):
            kept = generator("noise", 4, "main/drop", step.step.name, last, n, 9).random(SHAPE) >= 0.25
            np.testing.assert_allclose(step.value("main/drop.y"), np.where(kept, values / 0.75, 0), rtol=1e-15)
            # The gradient passes where the value does.
            np.testing.assert_allclose(step.gradient("main/w.y"), np.where(kept, 1 / 0.75, 0), rtol=1e-15)
            seen.add(kept.tobytes())
        first = generator("noise", 4, "main/drop", "a", 0, n, 9).random(SHAPE) >= 0.25
        assert done.losses["a"] == pytest.approx(np.sum(values[first]) / 0.75, rel=1e-12)
    assert len(seen) == 6


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("RandomNormal", lambda rng: rng.standard_normal(SHAPE)),
        ("RandomUniform", lambda rng: rng.random(SHAPE)),
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_noise_moves_and_scales_and_its_gradient_is_the_same_noise(name: str, numbers: Any, dtype: str) -> None:
    low, high = (gw.Variable(np.array(value, dtype), name=name) for name, value in (("low", 2.0), ("high", 5.0)))
    noise = getattr(gw, name)(low, high, shape=SHAPE, every="step", name="noise")
    trainer = Trainer(graph_of(noise, steps=[{"rule": RULE}]), watch=["main/noise.y", "main/low.y", "main/high.y"])
    for n in range(2):
        trainer.run_round()
        drawn = numbers(generator("noise", 0, "main/noise", "all", 0, n, 0)).astype(dtype)
        step = trainer.steps[0]
        is_normal = name == "RandomNormal"
        rtol = 1e-13 if dtype == "float64" else 2e-5
        expected = 2 + 5 * drawn if is_normal else 2 + 3 * drawn
        np.testing.assert_allclose(step.value("main/noise.y"), expected, rtol=rtol, atol=rtol)
        slopes = (SHAPE[0] * SHAPE[1] if is_normal else np.sum(1 - drawn), np.sum(drawn, dtype=np.float64))
        found = [step.gradient(f"main/{port}.y") for port in ("low", "high")]
        np.testing.assert_allclose(found, slopes, rtol=rtol, atol=1e-2 if dtype == "float32" else 1e-10)


def test_every_run_stays_the_same() -> None:
    w = variable()
    graph = graph_of(w * gw.RandomNormal(shape=SHAPE, seed=3), steps=[{"rule": RULE}])
    trainer = Trainer(graph)
    expected = np.sum((np.random.default_rng(1).normal(size=SHAPE) + 5) * np.random.default_rng(3).normal(size=SHAPE))
    assert [trainer.run_round().losses["all"] for _ in range(3)] == pytest.approx([expected] * 3, rel=1e-12)


def test_all_kinds_draw_anew() -> None:
    blocks = {
        "normal": gw.RandomNormal(shape=[9], every="step", name="normal"),
        "truncated": gw.TruncatedNormal(shape=[9], every="step", name="truncated"),
        "uniform": gw.RandomUniform(shape=[9], every="step", name="uniform"),
        "whole": gw.Cast(gw.RandomUniformInt(shape=[9], maxval=1000, every="step", name="whole"), dtype="float64"),
        "classes": gw.Cast(
            gw.RandomCategorical(variable("logits", (9, 5)), num_samples=7, every="step", name="classes"),
            dtype="float64",
        ),
        "shuffled": gw.RandomShuffle(variable("order", (9,)), every="step", name="shuffled"),
    }
    w, total = variable(), gw.ReduceSum(variable("v", (1,)))
    for item in blocks.values():
        total = total + gw.ReduceSum(item)
    ports = [f"main/{name}.y" for name in blocks]
    trainer = Trainer(graph_of(gw.ReduceSum(w) + total, steps=[{"rule": RULE}]), watch=ports)
    rows = []
    for _ in range(3):
        trainer.run_round()
        rows.append([np.array(trainer.steps[0].value(port)) for port in ports])
    for number, port in enumerate(ports):
        assert len({row[number].tobytes() for row in rows}) == 3, port
    assert len({np.sort(row[-1]).tobytes() for row in rows}) == 1
    # As outside of training, none flows through a shuffle.
    assert "main/logits" not in trainer.steps[0].trained
    assert "main/order" not in trainer.steps[0].trained


def test_blocks_with_the_same_seed_draw_their_own_numbers() -> None:
    noises = [gw.RandomUniform(shape=[9], every="step", name=name) for name in ("a", "b")]
    graph = graph_of(gw.ReduceSum(variable()) + gw.ReduceSum(noises[0]) + gw.ReduceSum(noises[1]), steps=[{}])
    trainer = Trainer(graph, watch=["main/a.y", "main/b.y"])
    trainer.run_round()
    assert (trainer.steps[0].value("main/a.y") != trainer.steps[0].value("main/b.y")).all()


def test_going_on_from_a_state_draws_what_follows() -> None:
    graph = graph_of(gw.Square(gw.Dropout(variable(), rate=0.5)), steps=[{"rule": {"type": "adam", "rate": 0.01}}])
    whole, first, second = (Trainer(graph) for _ in range(3))
    expected = [whole.run_round().losses["all"] for _ in range(12)]
    for _ in range(5):
        first.run_round()
    second.load_state(first.state())
    assert [second.run_round().losses["all"] for _ in range(7)] == expected[5:]
    assert second.checksum() == whole.checksum()


def test_another_seed_of_the_plan_draws_other_numbers() -> None:
    losses = {
        Trainer(graph_of(gw.Dropout(variable()), seed=seed, steps=[{"rule": RULE}])).run_round().losses["all"]
        for seed in range(3)
    }
    assert len(losses) == 3


def test_nothing_is_dropped_where_held_back_rows_are_tested() -> None:
    x, y = library["Data"](set="line", n=40, test=0.5, noise=0.0)
    w = gw.Variable([[1.0]], name="w")
    error = gw.Square(gw.Dropout(x @ w) - y)
    graph = replace(gw.graph(gw.Loss(gw.ReduceMean(error))), training={"test_every": 1, "steps": [{"rule": RULE}]})
    held = library["Data"].function(**library["Data"].normalize({"set": "line", "n": 40, "test": 0.5, "noise": 0.0,
                                                                 "part": "test"}))  # fmt: skip
    done = Trainer(graph).run_round()
    assert done.test["all"] == pytest.approx(float(np.mean((held[0] - held[1]) ** 2)), rel=1e-12)


def test_classes_are_drawn_with_the_probabilities_of_their_logits() -> None:
    shares = np.array([0.1, 0.2, 0.7])
    drawn = gw.RandomCategorical(gw.Constant(np.log(shares)[None]), num_samples=500, every="step", name="drawn")
    graph = graph_of(gw.ReduceSum(variable()) + gw.ReduceSum(gw.Cast(drawn, dtype="float64")), steps=[{"rule": RULE}])
    trainer = Trainer(graph, watch=["main/drawn.y"])
    for n in range(2):
        trainer.run_round()
        places = generator("noise", 0, "main/drawn", "all", 0, n, 0).random(500)
        expected = (places[:, None] >= np.cumsum(shares)).sum(axis=1)
        assert trainer.steps[0].value("main/drawn.y").tolist() == [expected.tolist()]


def test_a_graph_can_show_the_numbers_of_any_moment() -> None:
    graph = graph_of(gw.Square(gw.Dropout(variable(), rate=0.25, name="drop")), seed=3, steps=STEPS)
    trainer = Trainer(graph, watch=["main/drop.y"])
    for n in range(3):
        shown = evaluate(shown_at(graph, Moment(3, "b", 0, n)))
        trainer.run_round()
        np.testing.assert_allclose(shown.port("main/drop.y").value, trainer.steps[1].value("main/drop.y"), rtol=1e-15)


def test_a_check_after_some_rounds_sees_the_noise_of_the_next() -> None:
    graph = graph_of(gw.Dropout(variable(), rate=0.5, name="drop"), seed=3, steps=[{"rule": RULE}])
    losses = [done.losses["all"] for done in TrainingRun(graph).rounds(4)]
    check = {"after": 3, "at": "main/loss.y", "value": losses[3]}
    run = TrainingRun(replace(graph, training={**graph.training, "checks": [check]}))
    assert len(list(run.rounds(4))) == 4
    assert [outcome.is_met for outcome in run.outcomes()] == [True]
