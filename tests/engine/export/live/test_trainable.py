"""Trainings of pages: run by the script, rounds give the losses and variables that the trainer gives."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import gradwire as gw
from gradwire import HOME
from gradwire.engine.base.counter_random import generator, key_of, permutation, raw_numbers
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.update_rule import RULES
from gradwire.engine.export.live.program import live_program
from gradwire.engine.export.live.trainable import live_training
from gradwire.engine.files.files import load, loads
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.schedules import Schedule
from gradwire.engine.training.trainer import Trainer, TrainingStopped
from tests.pages.javascript import played
from tests.sweeps import long

SCRIPTS = ("engine", "bounds", "live", "chance", "trainer")
DRAWING, RULING = ("engine", "chance"), ("engine", "trainer")
TRAININGS = sorted(path.stem for path in (HOME / "assets" / "trainings").glob("*.graph"))
FOLDER = Path(__file__).parents[3] / "golden" / "training"
RECORDED = sorted(path.stem for path in FOLDER.glob("*.json"))
SOME_RECORDED = ("gan_critic_twice", "overflow_exp", "xor_adam_nesterov_one_cycle")
# One of several steps with noise, one with shuffled batches, one that assigns, and one with a stop to compare.
FEW = ("mean_teacher", "moons", "byol", "simsiam")
REFUSED = ("glyphs_cnn",)
# Their numbers run apart: a last digit in an exponential decides which side of a draw a number falls on.
CHAOTIC = {("rbm_cd1", ("main/stop",)), ("rbm_cd5", ("main/stop",))}
PLAY = """
const [doc, memories, rest] = await Live.unpacked(given.data), training = new Training(new Live(doc, memories), rest);
return doc.training.runs.map((run, k) => {
  const trainer = new Trainer(training, k);
  while (trainer.n < given.rounds && trainer.round());
  const values = Object.fromEntries(trainer.moved.map(path => [path, plain(trainer.value(path))]));
  return {open: run.open, n: trainer.n, stopped: trainer.stopped, ended: trainer.ended, values,
    losses: trainer.losses.map(plain), measured: trainer.measured.map(plain),
    tested: trainer.tested && [...plain(trainer.tested.losses), ...plain(trainer.tested.metrics)]};
});"""


class Run(NamedTuple):
    """Losses by step and metrics by port, one a round; all values at the end, and the step that has stopped it."""

    losses: list[list[float]]
    measured: list[list[float]]
    values: dict[str, list[float]]
    rounds: int
    stopped: str


def runs_of(graph: Graph, rounds: int, has_data: bool = True) -> dict[tuple[str, ...], Run]:
    """Returns the runs of a page by the stops that are open in them."""
    program = live_program(graph)
    training = live_training(graph, program, has_data)
    data = program.packed({"training": training.document}, training.memories)
    found = played(SCRIPTS, PLAY, {"data": data, "rounds": rounds})
    return {
        tuple(item["open"]): Run(
            [numbers(row) for row in item["losses"]],
            [numbers(row) for row in item["measured"]],
            {path: numbers(row) for path, row in item["values"].items()},
            item["n"],
            item["stopped"],
        )
        for item in found
    }


def numbers(row: list[Any]) -> list[float]:
    return [float(item) for item in row]


def trained(graph: Graph, opened: tuple[str, ...], rounds: int) -> Run:
    """Returns what the trainer makes of the same plan."""
    trainer = Trainer(graph, ignored_stops=frozenset(opened))
    losses: list[list[float]] = [[] for _ in trainer.plan.steps]
    measured: list[list[float]] = [[] for _ in trainer.plan.metrics]
    stopped = ""
    for _ in range(rounds):
        try:
            done = trainer.run_round()
        except TrainingStopped as end:
            stopped = end.step
            break
        for row, step in zip(losses, trainer.plan.steps, strict=True):
            row.append(done.losses.get(step.name, np.nan))
        for row, port in zip(measured, trainer.plan.metrics, strict=True):
            row.append(done.metrics[port])
    values = {name: value.astype(float).ravel().tolist() for name, value in trainer.variables.items()}
    return Run(losses, measured, values, trainer.round, stopped)


def check_equal(found: Run, wanted: Run, share: float) -> None:
    """Checks losses and metrics round by round, and variables, within a share of them."""
    assert (found.rounds, found.stopped) == (wanted.rounds, wanted.stopped)
    for mine, theirs in zip([*found.losses, *found.measured], [*wanted.losses, *wanted.measured], strict=True):
        if not np.isnan(mine).all():
            np.testing.assert_allclose(mine[: len(theirs)], theirs, rtol=share, atol=1e-14)
    for name, value in wanted.values.items():
        np.testing.assert_allclose(found.values[name], value, rtol=0, atol=share * np.max(np.abs(value)))


@pytest.mark.parametrize(
    ("name", "rounds"),
    [*((name, 30) for name in FEW), *(long((name, 300)) for name in TRAININGS if name not in REFUSED)],
)
def test_a_page_trains_as_the_trainer(name: str, rounds: int) -> None:
    graph = load(HOME / "assets" / "trainings" / f"{name}.graph").graph
    runs = runs_of(graph, rounds)
    for opened, found in runs.items():
        check_equal(found, trained(graph, opened, rounds), 2e-6 if (name, opened) in CHAOTIC else 1e-9)
    stops = [block for page in graph.pages for block in page.blocks.values() if block.type == "StopGradient"]
    assert len(runs) > 1 or not stops


@pytest.mark.parametrize("name", [name if name in SOME_RECORDED else long(name) for name in RECORDED])
def test_a_page_trains_as_tensorflow(name: str) -> None:
    record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    found = runs_of(loads(json.dumps(record["graph"])).graph, record["steps"])[()]
    for mine, theirs in zip(found.losses, record["losses"].values(), strict=False):
        losses = [np.nan if item is None else item for item in theirs]
        np.testing.assert_allclose(mine[: len(losses)], losses, rtol=1e-9)
    for path, value in found.values.items():
        wanted = np.ravel(record["variables_final"][path]["data"])
        np.testing.assert_allclose(value, wanted, rtol=0, atol=1e-9 * np.max(np.abs(wanted)))


def test_numbers_are_drawn_as_numpy_draws_them() -> None:
    names: list[tuple[str | int, ...]] = [("order", 1, 0), ("noise", 2**62 + 1), ("ünï", -5, "x" * 200)]
    body = """
const names = given.map(row => row.map(item => item[0] === 'i' ? BigInt(item.slice(1)) : item.slice(1)));
return names.map(key => {
  const [one, two, three] = [0, 1, 2].map(() => new Philox(keyOf(...key))), many = {length: 9000};
  const raw = Array.from({length: 999}, () => { const x = one.next(); return [x[one.place + 1], x[one.place]]; });
  return [String(keyOf(...key)), raw, Array.from(many, () => two.uniform()), Array.from(many, () => three.normal()),
    permutation(1416, ...key)];
});"""
    given = [[f"{'s' if isinstance(item, str) else 'i'}{item}" for item in key] for key in names]
    for key, (number, raw, uniform, normal, order) in zip(names, played(DRAWING, body, given), strict=True):
        assert int(number) == key_of(*key)
        assert [high << 32 | low for high, low in raw] == raw_numbers(999, *key).tolist()
        assert uniform == generator(*key).random(9000).tolist()
        # The layers of the ziggurat are computed, which moves a last digit.
        np.testing.assert_allclose(normal, generator(*key).standard_normal(9000), rtol=4e-14)
        assert order == permutation(1416, *key).tolist()


def test_rules_have_the_coefficients_of_the_engine() -> None:
    how = {
        name: {key: item for key, item in kind.defaults.items() if isinstance(item, float)}
        for name, kind in RULES.items()
    }
    body = """return given.flatMap(([name, how]) => [1, 2, 7, 300].map(t =>
      [name, t, (COEFFICIENTS[name] || (rate => ({rate})))(0.25, t, how)]));"""
    found = played(RULING, body, list(how.items()))
    assert len(found) == 4 * len(RULES)
    for name, step, numbers in found:
        wanted = RULES[name].rule(0.25).coefficients(0.25, step)
        assert numbers == pytest.approx({key: float(item) for key, item in wanted.items()}, rel=1e-13), (name, step)


def test_rates_follow_their_schedules() -> None:
    cosine = Schedule("cosine", (0.5, 0.01, 40.0))
    schedules = [
        Schedule("", (0.3,)),
        Schedule("step", (0.5, 10.0, 0.5)),
        Schedule("exponential", (0.5, 10.0, 0.5)),
        cosine,
        Schedule("warmup", (0.0, 20.0), cosine),
        Schedule("list", (0.0, 0.1, 5.0, 0.2, 50.0, 0.05)),
        Schedule("one_cycle", (0.5, 60.0)),
    ]
    entries = [
        [item.kind, item.numbers, *([] if item.then is None else [[item.then.kind, item.then.numbers]])]
        for item in schedules
    ]
    body = "return given.map(schedule => Array.from({length: 99}, (_, n) => rateAt(schedule, n)));"
    for schedule, row in zip(schedules, played(RULING, body, entries), strict=True):
        assert row == pytest.approx([schedule.at(n) for n in range(99)], rel=1e-14)


def line(**plan: object) -> Graph:
    """Returns a graph of one variable with a plan."""
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable(2.0, name="w") - 1.0), name="loss"))
    return replace(graph, training=plan)


@pytest.mark.parametrize(
    ("end", "rounds"),
    [({"below": {"main/loss": 0.1}}, 7), ({"outside": {"main/w": [1.5, 3]}}, 4)],
    ids=["loss", "range"],
)
def test_a_training_ends_where_its_plan_says(end: dict[str, object], rounds: int) -> None:
    graph = line(until={"steps": 50, **end}, steps=[{"rule": {"type": "descent", "rate": 0.1}}])
    trainer, done = Trainer(graph), 0
    until = trainer.plan.until
    while until.reason(trainer.run_round()) is None:
        done += 1
    assert done + 1 == rounds
    program = live_program(graph)
    training = live_training(graph, program)
    body = PLAY.replace("trainer.round());", "trainer.round() && !trainer.ended);")
    given = {"data": program.packed({"training": training.document}, training.memories), "rounds": 50}
    (run,) = played(SCRIPTS, body, given)
    assert run["n"] == rounds


@pytest.mark.long
def test_a_set_too_large_for_a_page_is_refused_and_its_first_batch_trains() -> None:
    graph = load(HOME / "assets" / "trainings" / "glyphs_cnn.graph").graph
    program = live_program(graph)
    with pytest.raises(GradwireError, match="3,577 rows of glyphs are more than a page can hold"):
        live_training(graph, program)
    assert live_training(graph, program, has_data=False).held == (("glyphs", 32),)


def test_the_first_batch_is_that_of_the_first_round() -> None:
    graph = load(HOME / "assets" / "trainings" / "moons.graph").graph
    found = runs_of(graph, 2, has_data=False)[()]
    wanted = trained(graph, (), 1)
    assert found.losses[0][0] == pytest.approx(wanted.losses[0][0], rel=1e-9)
    assert len(found.losses[0]) == 2


@pytest.mark.parametrize("name", ["moons", long("digits_descent")])
def test_rows_held_back_are_measured_as_the_trainer_does(name: str) -> None:
    graph = load(HOME / "assets" / "trainings" / f"{name}.graph").graph
    graph = replace(graph, training={**graph.training, "test_every": 3})
    program = live_program(graph)
    training = live_training(graph, program)
    data = program.packed({"training": training.document}, training.memories)
    run = played(SCRIPTS, PLAY, {"data": data, "rounds": 5})[0]
    trainer = Trainer(graph)
    tests = [trainer.run_round().test for _ in range(5)]
    assert tests[3] != tests[0] and not tests[4]
    assert numbers(run["tested"]) == pytest.approx([*tests[3].values()], rel=1e-9)
    assert not live_training(graph, live_program(graph), has_data=False).is_tested


def test_what_only_python_computes_keeps_training_in_gradwire() -> None:
    w = gw.Variable(np.array([[2.0, 1.0], [1.0, 3.0]]), name="w")
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Digamma(w)), name="loss"))
    with pytest.raises(GradwireError, match="computed by Gradwire alone, so training stays there"):
        live_training(graph, live_program(graph))


def test_noise_without_a_recipe_keeps_training_in_gradwire() -> None:
    noise = gw.TruncatedNormal(shape=[3], every="step", name="noise")
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Variable(1.0, name="w") * noise), name="loss"))
    with pytest.raises(GradwireError, match="main/noise: Its random numbers are drawn by Gradwire alone"):
        live_training(graph, live_program(graph))


def test_a_graph_without_a_variable_does_not_train() -> None:
    graph = gw.graph(gw.Loss(gw.Square(gw.Input(2.0, name="x")), name="loss"))
    with pytest.raises(GradwireError, match="No Variable of this graph can be trained"):
        live_training(graph, live_program(graph))
