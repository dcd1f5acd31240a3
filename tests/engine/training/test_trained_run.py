"""`gw.train` runs the plan of a graph, and logs what a script wants to see."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.files import loads
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.trainer import TrainingStopped

GOLDEN = Path(__file__).parents[2] / "golden" / "training"


def recorded(name: str) -> tuple[Graph, dict]:
    record = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return loads(json.dumps(record["graph"])).graph, record


def line(*, batch: int = 0, **plan: object) -> Graph:
    """Returns a line fitted to the rows of a Data block."""
    x, y = gw.Data(set="line", n=8, batch=batch, name="data")
    w = gw.Variable([[0.0]], name="w")
    loss = gw.Loss(gw.Square(x @ w - y), reduction="mean", name="loss")
    plan = {"steps": ({"rule": {"type": "descent", "rate": 0.1}},), **plan}
    return dataclasses.replace(gw.graph(loss), training=plan)


def test_losses_are_those_that_were_recorded() -> None:
    graph, record = recorded("gan_critic_twice")
    run = gw.train(graph, 12)
    assert run.losses.keys() == record["losses"].keys()
    for name, losses in record["losses"].items():
        np.testing.assert_allclose(run.losses[name], losses[:12], rtol=1e-10)
    assert {name: sorted(names) for name, names in run.trained.items()} == record["trains"]


def test_a_round_in_which_a_step_does_not_run_has_no_number() -> None:
    run = gw.train(recorded("straight_through_phases")[0], 51)
    assert np.isnan(run.losses["both"][:50]).all()
    assert np.isfinite(run.losses["both"][50])


def test_an_expression_is_trained_by_the_usual_plan() -> None:
    run = gw.train(gw.Square(gw.Variable([1.0, 2.0], name="w")), 3)
    assert run.losses["all"][0] == 5.0
    assert run.rounds == 3
    # Adam moves by its rate in its first steps.
    np.testing.assert_allclose(run.graph.block("main/w").parameters["value"], [0.97, 1.97], atol=1e-3)


def test_rows_and_labels_feed_a_data_block_and_stay_out_of_the_graph() -> None:
    x = np.array([[-1.0], [1.0], [2.0]])
    run = gw.train(line(), 200, data={"data": (x, 3 * x[:, 0] + 0.0)})
    # Least squares without an intercept: exactly 3.
    np.testing.assert_allclose(run.graph.block("main/w").parameters["value"], [[3.0]], rtol=1e-12)
    assert "inputs" not in run.graph.block("main/data").parameters


def test_an_input_takes_another_batch_and_a_list() -> None:
    x, w = gw.Input([[1.0], [2.0]], name="x"), gw.Variable([[1.0]], name="w")
    graph = gw.graph(gw.Loss(gw.Square(x @ w), reduction="mean"))
    assert gw.train(graph, 1, data={"x": [[3], [3], [3]]}).losses["all"][0] == 9.0
    assert gw.train(graph, 1, data={"main/x": np.full((1, 1), 2, np.float32)}).losses["all"][0] == 4.0


def test_it_runs_until_the_plan_or_the_call_says() -> None:
    assert gw.train(line(until={"steps": 4})).rounds == 4
    run = gw.train(line(), until={"below": {"all": 0.8}})
    assert run.losses["all"][-1] < 0.8 <= run.losses["all"][:-1].min()
    assert gw.train(line(), 2, until={"below": {"all": -1.0}}).rounds == 2


def test_metrics_and_held_back_rows_are_series() -> None:
    graph = line(metrics=("main/loss.y",), test_every=2)
    page = graph.pages[0]
    block = page.blocks["data"]
    data = dataclasses.replace(block, parameters={**block.parameters, "n": 40, "test": 0.3})
    page = dataclasses.replace(page, blocks={**page.blocks, "data": data})
    run = gw.train(dataclasses.replace(graph, pages=(page,)), 3)
    np.testing.assert_array_equal(run.metrics["main/loss.y"], run.losses["all"])
    assert np.isnan(run.test["all"]).tolist() == [False, True, False]


@pytest.mark.parametrize(("without", "value"), [((), 2 - 0.1 * 2), ("stop", 2 - 0.1 * 4), (["main/stop"], 2 - 0.1 * 4)])
def test_a_stop_gradient_may_be_ignored(without: object, value: float) -> None:
    """The derivative of stop(w) w is w, and without the stop 2 w."""
    w = gw.Variable(2.0, name="w")
    graph = gw.graph(gw.Loss(gw.StopGradient(w, name="stop") * w))
    graph = dataclasses.replace(graph, training={"steps": ({"rule": {"type": "descent", "rate": 0.1}},)})
    assert float(gw.train(graph, 1, without=without).graph.block("main/w").parameters["value"]) == value


def test_a_run_goes_on_from_what_it_saved(tmp_path: Path) -> None:
    graph = recorded("xor_adam_nesterov_one_cycle")[0]
    whole, first = gw.train(graph, 9), gw.train(graph, 4)
    first.save(tmp_path / "a.graph", state=True)
    second = gw.train(gw.load(tmp_path / "a.graph"), 5)
    assert second.state().to_bytes() == whole.state().to_bytes()
    assert gw.train(graph, 5, resume=first.state()).state().to_bytes() == whole.state().to_bytes()
    assert gw.train(gw.load(tmp_path / "a.graph"), 1, resume=False).rounds == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"steps": -1}, "steps must be a whole number"),
        ({"steps": 1.5}, "steps must be a whole number"),
        ({"data": {"dat": 1}}, "There is no such block; did you mean main/data"),
        ({"data": {"loss": 1}}, "Loss takes no value"),
        ({"data": {"data": np.ones(3)}}, "two arrays"),
        ({"data": {"data": (np.ones((3, 1)), np.ones(2))}}, "as many rows as labels"),
        ({"data": {"w": "text"}}, "data main/w"),
        ({"without": "stop"}, "There is no StopGradient main/stop"),
        ({"until": {"under": 1}}, "The plan of training: .*under"),
        ({"resume": "nowhere.npz"}, "nowhere.npz"),
    ],
)
def test_what_is_wrong_is_a_sentence(options: dict, sentence: str) -> None:
    with pytest.raises(gw.GradwireError, match=sentence):
        gw.train(line(), **options)


def test_a_damaged_state_and_an_overflow_are_told(tmp_path: Path) -> None:
    run = gw.train(line(), 2)
    run.save(tmp_path / "a.graph", state=True)
    text = (tmp_path / "a.graph").read_text().replace('"step": 2', '"step": 3')
    with pytest.raises(FileError, match="damaged"):
        gw.train(loads(text).graph, 1)
    with pytest.raises(TrainingStopped, match="Round 0"):
        gw.train(gw.Exp(gw.Variable(1e200)), 1)


@pytest.mark.parametrize(
    "rows",
    [
        np.ones(3),
        (np.ones(3),),
        (np.ones(3), np.ones(2)),
        (np.ones(()), np.ones(1)),
        (np.ones((2, 2)), np.ones((2, 1, 1))),
    ],
)
def test_rows_without_as_many_labels_are_refused(rows: object) -> None:
    with pytest.raises(gw.GradwireError, match="data main/data"):
        gw.train(line(), 1, data={"data": rows})


def sources(now: object) -> Graph:
    x = gw.Input(now, name="x")
    return gw.graph(gw.Loss(gw.Cast(x, dtype="float64") * gw.Variable(1.0, name="w"), name="L"))


@pytest.mark.parametrize(
    ("now", "given", "loss"),
    [
        # Whole numbers take the place of others, and digits may be lost, but no fraction.
        (np.array([1.0, 2.0]), [3, 4], 7.0),
        (np.array([1.0, 2.0], np.float32), [0.1, 0.25], float(np.float32(0.1)) + 0.25),
        (np.array([1, 2]), [3.0, 4.0], 7.0),
        (np.array([True, False]), [1, 1], 2.0),
    ],
)
def test_a_value_takes_the_dtype_of_the_one_before(now: np.ndarray, given: object, loss: float) -> None:
    assert gw.train(sources(now), 1, data={"x": given}).losses["all"][0] == pytest.approx(loss, rel=1e-15)


def test_a_fraction_is_not_cut_for_a_place_of_whole_numbers() -> None:
    assert gw.train(sources(np.array([1, 2])), 1, data={"x": [3.5, 4.0]}).losses["all"][0] == 7.5


def test_rows_are_numbers_or_vectors_and_labels_may_be_columns() -> None:
    """Each form of the same four points gives the same losses."""
    x = np.array([-1.0, 0.0, 1.0, 2.0])
    forms = [(x, 3 * x), (x[:, None], 3 * x), (x[:, None], 3 * x[:, None]), (x.tolist(), (3 * x).tolist())]
    found = [gw.train(line(), 3, data={"data": form}).losses["all"] for form in forms]
    # The mean of the squares of 3 x at w = 0.
    assert found[0][0] == 9 * 6 / 4
    for losses in found[1:]:
        np.testing.assert_array_equal(losses, found[0])


def test_a_number_of_rounds_may_be_0_and_says_nothing_of_losses() -> None:
    run = gw.train(line(), 0)
    assert run.rounds == 0 and not run.losses and repr(run) == "0 rounds"
    assert repr(gw.train(line(), 1)).startswith("1 rounds: all ")
