"""Sentences of the notes of trainings, each beside the numbers of the training that make it true.

The numbers that the notes name beyond these are checks of the files, which `test_trainings` runs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Set
from functools import cache

import numpy as np
import pytest

from gradwire.app.base.examples import example_path
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.learning.run import TrainingRun


@cache
def training(name: str) -> Graph:
    return load(example_path(name)).graph


def note_of(name: str) -> str:
    (note,) = (note for note in training(name).pages[0].notes if note.id == "about")
    return note.text


def moments(graph: Graph, rounds: Set[int], ignored: Set[str] = frozenset()) -> dict[int, Snapshot]:
    """Returns the results after some rounds; 0 is the beginning."""
    run = TrainingRun(graph, ignored_stops=ignored)
    found = {0: evaluate(run.trainer.shown_graph, ignored)}
    for number, _ in enumerate(run.rounds(max(rounds)), 1):
        if number in rounds:
            found[number] = evaluate(run.trainer.shown_graph, ignored)
    return found


def value(snapshot: Snapshot, port: str) -> np.ndarray:
    found = snapshot.port(f"main/{port}").value
    assert found is not None
    return found


def norm(snapshot: Snapshot, target: str) -> float:
    """Returns the norm of the gradient along the wire into a port."""
    (wire,) = (item for link, item in snapshot.wires.items() if str(link.target) == f"main/{target}")
    assert wire.gradient is not None
    return float(np.linalg.norm(wire.gradient))


def with_values(graph: Graph, **values: object) -> Graph:
    page = graph.pages[0]
    changed = {
        name: dataclasses.replace(
            page.blocks[name], parameters={**page.blocks[name].parameters, "value": np.array(item)}
        )
        for name, item in values.items()
    }
    pages = (dataclasses.replace(page, blocks={**page.blocks, **changed}), *graph.pages[1:])
    return dataclasses.replace(graph, pages=pages)


def with_rate(graph: Graph, rate: float) -> Graph:
    plan = graph.training
    steps = [{**step, "rule": {**step["rule"], "rate": rate}} for step in plan["steps"]]
    return dataclasses.replace(graph, training={**plan, "steps": steps, "checks": []})


def test_the_bias_comes_last_for_along_it_the_loss_is_curved_least() -> None:
    assert "The bias comes last and is at 0.77 then" in note_of("linear_regression")
    assert "0.12 instead of 230 and more" in note_of("linear_regression")
    graph = training("linear_regression")
    rows = np.asarray(graph.pages[0].blocks["X"].parameters["value"])
    with_ones = np.column_stack([rows, np.ones(len(rows))])
    curvatures, directions = np.linalg.eigh(2 * with_ones.T @ with_ones / len(rows))
    assert curvatures[0] == pytest.approx(0.12, abs=0.005) and curvatures[1] > 230
    assert abs(directions[3, 0]) > 0.999
    end = moments(graph, {1000})[1000]
    assert value(end, "b.y") == pytest.approx(0.77, abs=0.005)
    assert np.abs(value(end, "W.y").ravel() - [1, 2, 3]).max() < 0.1 < abs(value(end, "b.y") - 5)


def test_the_gradients_of_logistic_regression_shrink_while_its_weights_grow() -> None:
    assert "watch their gradients shrink while W grows longer" in note_of("logistic_regression")
    found = moments(training("logistic_regression"), set(range(1, 401, 20)))
    gradients = [float(np.linalg.norm(item.port("main/W.y").gradient)) for item in found.values()]
    assert gradients == sorted(gradients, reverse=True)
    lengths = [float(np.linalg.norm(value(item, "W.y"))) for item in found.values()]
    assert lengths == sorted(lengths)
    probability = 1 / (1 + np.exp(-value(found[0], "logits.z")))
    error = (probability - value(found[0], "Y.y")) / probability.size
    np.testing.assert_allclose(found[0].port("main/logits.z").gradient, error, atol=1e-12)


def test_the_units_of_xor_are_pulled_apart_and_equal_ones_stay_equal() -> None:
    assert "both columns of W1 and both numbers of b1 to the same" in note_of("xor")
    graph = training("xor")
    apart = [float(np.ptp(value(item, "W1.y"), axis=1).max()) for item in moments(graph, {100}).values()]
    assert apart[0] < apart[1]
    same = dataclasses.replace(with_values(graph, W1=[[1.0, 1.0], [0.5, 0.5]], b1=[-0.5, -0.5]))
    end = moments(dataclasses.replace(same, training={**same.training, "checks": []}), {50})[50]
    assert np.ptp(value(end, "W1.y"), axis=1).max() == np.ptp(value(end, "b1.y")) == 0
    one = dataclasses.replace(with_values(graph, W1=[[1.0, 1.0], [0.5, 0.5]]))
    other = moments(dataclasses.replace(one, training={**one.training, "checks": []}), {1})[1]
    assert np.ptp(value(other, "W1.y"), axis=1).max() > 0, "the columns of W1 alone are not enough"


def test_the_gradient_of_the_logits_fades_and_that_of_the_first_layer_grows() -> None:
    note = note_of("spirals")
    assert "fades from 0.045 to 0.007" in note and "grows from 0.01 to 0.73" in note
    found = moments(training("spirals"), {600})
    assert norm(found[0], "cross_entropy.logits") == pytest.approx(0.045, abs=5e-4)
    assert norm(found[600], "cross_entropy.logits") == pytest.approx(0.007, abs=5e-4)
    assert norm(found[0], "hidden1.x") == pytest.approx(0.01, abs=5e-4)
    assert norm(found[600], "hidden1.x") == pytest.approx(0.73, abs=5e-3)


def test_the_points_at_the_inner_tips_of_the_moons_have_the_largest_errors() -> None:
    assert "the points there have the largest errors" in note_of("moons")
    found = moments(training("moons"), {10, 20})
    for item in (found[10], found[20]):
        points, errors = value(item, "moons.x"), value(item, "cross_entropy.loss")
        worst = points[np.argsort(-errors)[:2]]
        tips = np.array([[1.0, 0.0], [0.0, 0.5]])
        assert np.linalg.norm(worst[:, None] - tips, axis=2).min(axis=1).max() < 0.35


def test_r2_of_the_sine_is_below_0_at_first() -> None:
    assert "below 0 at first" in note_of("sine")
    assert value(evaluate(training("sine")), "r2.y") < 0


def test_each_depth_of_sigmoids_leaves_the_gradient_that_its_note_names() -> None:
    assert "1.5e-4, 2.9e-14 and 3.6e-53" in note_of("vanishing")
    start = evaluate(training("vanishing"))
    for name, number in (("w5", 1.5e-4), ("w20", 2.9e-14), ("w80", 3.6e-53)):
        assert abs(float(start.port(f"main/{name}.y").gradient)) == pytest.approx(number, rel=0.05)


def test_three_rounds_throw_all_biases_below_0_and_a_smaller_rate_leaves_eight_relus() -> None:
    note = note_of("dying_relu")
    assert "Three rounds throw all biases below 0" in note and "rate 0.1 eight relus stay alive" in note
    found = moments(training("dying_relu"), {3, 50})
    assert value(found[3], "b1.y").max() < 0
    np.testing.assert_array_equal(value(found[3], "b1.y"), value(found[50], "b1.y"))
    assert value(moments(with_rate(training("dying_relu"), 0.1), {100})[100], "alive.y") == 8


@pytest.mark.long
def test_the_gradient_explodes_after_106_rounds() -> None:
    assert "for 106 rounds the gradient is small, then its norm is 192" in note_of("rnn_exploding")
    found = moments(training("rnn_exploding"), {50, 105, 106, 107, 300})

    def size(number: int) -> float:
        return float(np.hypot(*(float(found[number].port(f"main/{name}.y").gradient) for name in "wb")))

    assert max(size(0), size(50), size(105)) < 0.2
    assert size(106) == pytest.approx(192, abs=0.5)
    assert "the gradient is below 1e-15" in note_of("rnn_exploding") and max(size(107), size(300)) < 1e-15


@pytest.mark.long
def test_the_reward_travels_one_place_back_with_each_copy() -> None:
    assert "The reward travels one place back with each copy" in note_of("q_learning")
    found = moments(training("q_learning"), {20, 40, 60, 80})
    reached = [int((value(found[number], "Q.y").max(axis=1) > 0).sum()) for number in (20, 40, 60, 80)]
    assert reached == [1, 2, 3, 4]


@pytest.mark.long
def test_pooling_passes_three_of_four_pixels_0() -> None:
    assert "three of four pixels receive 0" in note_of("digits_cnn")
    (wire,) = (
        item for link, item in evaluate(training("digits_cnn")).wires.items() if link.target.path == "main/pool1"
    )
    assert wire.gradient is not None and (wire.gradient == 0).mean() >= 0.75


@pytest.mark.long
def test_the_filters_move_least_by_descent() -> None:
    assert "the filters move least here" in note_of("digits_cnn_descent")
    moved = {}
    for name in ("digits_cnn_descent", "digits_cnn", "digits_cnn_adam"):
        found = moments(training(name), {300})
        moved[name] = float(np.linalg.norm(value(found[300], "K1.y") - value(found[0], "K1.y")))
    assert min(moved, key=moved.__getitem__) == "digits_cnn_descent"


@pytest.mark.long
def test_the_residual_has_the_smaller_loss() -> None:
    assert "the loss becomes smaller, and all values are wrong" in note_of("td")
    graph = training("td")
    losses = [float(moments(graph, {1000}, ignored)[1000].loss.value) for ignored in (frozenset(), {"main/stop"})]
    assert losses[1] < losses[0]


@pytest.mark.long
def test_without_the_stop_the_machine_comes_less_far() -> None:
    assert "comes to -3.4 only" in note_of("rbm_cd5")
    end = moments(training("rbm_cd5"), {300}, {"main/stop"})[300]
    assert value(end, "LL.z") == pytest.approx(-3.4, abs=0.05)


@pytest.mark.long
def test_em_leaves_no_gradient_of_mean_and_variance() -> None:
    assert "mean and variance fade to 0" in note_of("em_closed")
    found = moments(training("em_closed"), {5, 10, 20, 60})
    for name in ("mean", "variance"):
        sizes = [float(np.abs(item.port(f"main/{name}.y").gradient).max()) for item in found.values()]
        assert sizes == sorted(sizes, reverse=True) and sizes[-1] < 1e-12
