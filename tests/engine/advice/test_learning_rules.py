"""Dead units, detached predictions, codes and variables: from which numbers on, of how many, and what is said."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.learning_rules import dead_units, nothing_learns
from gradwire.engine.advice.step_graph import Flow
from gradwire.engine.advice.variable_rules import never_learns
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import run_graph
from tests.engine.advice.parts import Dense, data, drawn, weights

Through = Callable[[Expression], Expression]


def dead(rows: object, rectify: Through | None = None, then: Through = gw.Exp) -> str:
    """Returns what is said of a rectifier "r" behind numbers that depend on data and on a variable."""
    x = gw.Input(np.array(rows, float), name="x") * gw.Variable(1.0, name="w")
    made = gw.Relu(x, name="r") if rectify is None else rectify(x)
    found = [item.message for item in dead_units(Flow(run_graph(gw.graph(gw.Loss(then(made), name="loss")))))]
    assert len(found) <= 1
    return found[0] if found else ""


def told(count: int, of: int, examples: int, most: float, title: str = 'Relu "r"') -> str:
    return (
        f"{title} passes nothing for {count} of {of} units in any of {examples} examples. Their inputs are {most:g} at "
        "most, so no gradient can bring them back."
    )


def beside(*column: float) -> list[list[float]]:
    """Returns rows of a unit and of another one of a typical size of 1, which is not dead."""
    return [[number, (-1.0) ** place] for place, number in enumerate(column)]


SILENT: dict[str, tuple[object, str]] = {
    # Two typical sizes of the others, or two of its own deviations below 0.
    "far": (beside(-2.1, -2.2, -2.3, -2.2), told(1, 2, 4, -2.1)),
    "near": (beside(-1.9, -2.2, -2.3, -2.2), ""),
    "far, but near beside its own deviation": (beside(-2.1, -9.0, -2.1, -9.0), ""),
    "far, as large numbers": ((1e300 * np.array(beside(-2.1, -2.2, -2.3, -2.2))).tolist(), told(1, 2, 4, -2.1e300)),
    "far, as small numbers": ((1e-200 * np.array(beside(-2.1, -2.2, -2.3, -2.2))).tolist(), told(1, 2, 4, -2.1e-200)),
    "three examples are too few": (beside(-2.1, -2.2, -2.3), ""),
    "one that is positive": (beside(-2.1, -2.2, -2.3, 0.1), ""),
    # Eight numbers are not all negative by chance.
    "a layer of eight": ([[-0.01, -1.0]] * 4, told(2, 2, 4, -0.01)),
    "a layer of seven": ([[-0.01]] * 3 + [[-1.0]] * 4, ""),
    "one unit of eight numbers": ([-0.01] * 4 + [-1.0] * 4, told(1, 1, 8, -0.01)),
    "a layer of six that is far": ([[-1.0, -2.0], [-1.1, -2.1], [-1.2, -2.2]], told(2, 2, 3, -1.0)),
    "a layer of six that is near": ([[-0.1, -2.0], [-1.1, -2.1], [-1.2, -2.2]], ""),
    "one example": ([[-9.0] * 9], ""),
    "not finite": ([[-np.inf, -1.0]] * 4, ""),
    "zeros": ([[0.0, 0.0]] * 4, told(2, 2, 4, 0.0)),
    "examples on two axes": ([[[-9.0, 1.0], [-9.1, 2.0]], [[-9.2, 1.0], [-9.3, 2.0]]], told(1, 2, 4, -9.0)),
}  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_a_unit_is_dead_if_it_is_far_below_0_for_all_of_several_examples(name: str) -> None:
    rows, message = SILENT[name]
    assert dead(rows) == message


DEAD = beside(-2.1, -2.2, -2.3, -2.2)


def zero() -> Expression:
    return gw.Constant(0.0)


@pytest.mark.parametrize(
    ("rectify", "title"),
    [
        (lambda x: gw.Relu6(x, name="r"), 'Relu6 "r"'),
        (lambda x: gw.Maximum(x, zero(), name="r"), 'Maximum "r"'),
        (lambda x: gw.Maximum(zero(), x, name="r"), 'Maximum "r"'),
        (lambda x: gw.Where(gw.Greater(x, zero()), x, zero(), name="r"), 'Where "r"'),
        (lambda x: gw.Where(gw.LessEqual(zero(), x), x, zero(), name="r"), 'Where "r"'),
        (lambda x: gw.Maximum(x, gw.Constant(-1.0), name="r"), ""),
        (lambda x: gw.Where(gw.Greater(x, zero()), x, gw.Constant(-1.0), name="r"), ""),
        (lambda x: gw.Where(gw.Greater(gw.Input(np.array(DEAD)), zero()), x, zero(), name="r"), ""),
        (lambda x: gw.Where(gw.IsFinite(gw.Log(-x - 5.0)), x, zero(), name="r"), ""),
        (lambda x: gw.LeakyRelu(x, name="r"), ""),
        (lambda x: gw.Relu(gw.StopGradient(x), name="r"), ""),
    ],
)
def test_rectifiers_of_all_kinds_are_looked_at(rectify: Through, title: str) -> None:
    assert dead(DEAD, rectify) == (told(1, 2, 4, -2.1, title) if title else "")


@pytest.mark.parametrize(
    ("then", "is_margin"),
    [
        (lambda r: r, True),
        (gw.ReduceMean, True),
        (lambda r: gw.Square(gw.Reshape(r, shape=[8])), True),
        (lambda r: gw.ReduceSum(r * 3.0) / gw.Constant(2.0), True),
        (lambda r: gw.Constant(2.0) / (r + 1.0), False),
        (lambda r: r * gw.Variable(1.0), False),
        (lambda r: gw.Square(r - data(1, 4, 2)), False),
        (lambda r: gw.Square(r) - data(1, 4, 2), True),
        (lambda r: gw.Square(gw.ReduceSum(r) + 1.0), True),
        (lambda r: gw.ReduceSum(r) + gw.ReduceSum(gw.Exp(r)), False),
    ],
)
def test_a_rectifier_that_is_a_penalty_itself_may_be_0(then: Through, is_margin: bool) -> None:
    assert (dead(DEAD, None, then) == "") is is_margin


def test_numbers_that_depend_on_no_data_are_no_examples() -> None:
    x = gw.Variable(np.array(DEAD), name="x")
    assert not [*dead_units(Flow(run_graph(gw.graph(gw.Loss(gw.Exp(gw.Relu(x)))))))]


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_the_units_of_a_convolution_are_its_channels(layout: str) -> None:
    images = gw.Input(2 + np.linspace(0.1, 0.3, 16).reshape(4, 2, 2, 1))
    kernel = gw.Variable(np.array([0.5, -1.5]).reshape(1, 1, 1, 2))
    if layout == "NCHW":
        images = gw.Transpose(images, perm=[0, 3, 1, 2])
    x = gw.Conv2D(images, kernel, strides=1, padding="SAME", data_format=layout)
    run = run_graph(gw.graph(gw.Loss(gw.Exp(gw.Relu(x * 1.0, name="r")))))
    assert [item.message for item in dead_units(Flow(run))] == [told(1, 2, 16, -1.5 * 2.1)]


# Detached predictions


def learning(loss: Expression, *more: Expression) -> list[Finding]:
    return [*nothing_learns(Flow(run_graph(gw.graph(loss, *more))))]


def prediction() -> Expression:
    return gw.MatMul(data(0, 4, 3), gw.Variable(drawn(1, 3, 1), name="w"), name="p") + gw.Variable([0.1], name="b")


def stopped(item: Expression, name: str = "stop") -> Expression:
    return gw.StopGradient(item, name=name)


def test_a_detached_prediction_is_told_with_the_variables_behind_it() -> None:
    (found,) = learning(gw.Loss(gw.Square(stopped(prediction()) - data(2, 4, 1))))
    assert found.message == (
        'StopGradient "stop" detaches the prediction from the loss. 2 of 2 trainable variables lie behind it, and none '
        "learns from data."
    )
    assert found.at == "main/stop" and found.fix is not None and found.fix.text == "Remove the StopGradient"


@pytest.mark.parametrize(
    "loss",
    [
        lambda: gw.Square(gw.Square(stopped(prediction()) - data(2, 4, 1))),
        lambda: stopped(gw.Square(prediction() - data(2, 4, 1))),
        lambda: gw.Abs(stopped(prediction()) - data(2, 4, 1)),
        lambda: -gw.Log(gw.Sigmoid(stopped(prediction()))),
        lambda: gw.Softplus(stopped(prediction())),
        lambda: gw.MeanSquaredError(stopped(prediction()), data(2, 4, 1)),
    ],
)
def test_errors_of_all_kinds_are_known(loss: Callable[[], Expression]) -> None:
    assert [item.at for item in learning(gw.Loss(loss()))] == ["main/stop"]


@pytest.mark.parametrize(
    ("make", "count"),
    [
        # A penalty of the weights learns nothing from data; another error does.
        (lambda p: gw.ReduceSum(gw.Square(stopped(p) - data(2, 4, 1))) + gw.L2Loss(gw.Variable([1.0])), 1),
        (lambda p: gw.ReduceSum(gw.Square(stopped(p) - data(2, 4, 1))) + gw.ReduceSum(gw.Square(p)), 0),
        # A stopped factor of a score is no prediction.
        (lambda p: gw.ReduceSum(stopped(p) * data(2, 4, 1)), 0),
        (lambda p: gw.ReduceSum(gw.Square(p - stopped(p))), 0),
        (lambda p: gw.ReduceSum(gw.Square(stopped(data(3, 4, 1)) - data(2, 4, 1))) + 0.0 * gw.L2Loss(p), 0),
    ],
)
def test_what_learns_nothing_from_data_is_told(make: Through, count: int) -> None:
    assert len(learning(gw.Loss(make(prediction())))) == count


def test_of_two_stops_both_are_told_and_neither_alone_is_the_fix() -> None:
    p = prediction()
    both = [gw.Loss(gw.Square(stopped(p, name) - data(2, 4, 1))) for name in ("s1", "s2")]
    found = learning(*both)
    assert [item.at for item in found] == ["main/s1", "main/s2"] and all(item.fix is None for item in found)


def test_a_stopped_code_is_told_with_the_error_of_its_reconstruction() -> None:
    x = data(0, 4, 3, name="x")
    code = stopped(gw.Tanh(gw.MatMul(x, gw.Variable(drawn(1, 3, 2), name="w"))))
    rebuilt = Dense(2, 2, 3)(code)
    error = gw.Subtract(rebuilt, x, name="e")
    (found,) = learning(gw.Loss(gw.Square(error)))
    assert found.message == (
        'StopGradient "stop" stops the code from which the data is rebuilt. The error of the reconstruction at '
        'Subtract "e" never reaches Variable "w".'
    )
    assert (found.at, found.also) == ("main/stop", ("main/e",))
    # An error beside other data is no reconstruction.
    assert not learning(gw.Loss(gw.Square(Dense(2, 2, 3)(code) - data(5, 4, 3))))


# Variables that plans leave out


def layers() -> tuple[Expression, Expression]:
    """Returns the stopped code of a first layer, and the prediction of a second one that reads it."""
    code = gw.MatMul(data(0, 4, 3), weights(1, 3, 2, name="first"), name="code")
    stop = gw.StopGradient(code, name="stop")
    return code, gw.MatMul(stop, weights(2, 2, 1, name="second"))


def cut_off(training: Any, *more: Expression) -> list[str]:
    code, prediction = layers()
    losses = [gw.Loss(gw.Square(prediction - data(3, 4, 1)), name="loss")]
    losses += [gw.Loss(item(code), name="other") for item in more]
    graph = dataclasses.replace(gw.graph(*losses), training=training, loss="main/loss" if more else None)
    return [item.at for item in never_learns(Flow(run_graph(graph)))]


@pytest.mark.parametrize(
    ("training", "is_told"),
    [
        (None, True),
        ({}, True),
        ({"steps": None}, True),
        ({"steps": ["sgd"]}, True),
        ({"steps": [{"rule": "sgd"}]}, True),
        ({"steps": [{"rule": "sgd", "variables": ["*"]}]}, True),
        ({"steps": [{"rule": "sgd", "variables": ["main/first"]}]}, True),
        ({"steps": [{"rule": "sgd", "variables": ["main/second"]}]}, False),
        (
            {"steps": [{"rule": "sgd", "variables": ["main/second"]}, {"rule": "sgd", "variables": ["main/first"]}]},
            True,
        ),
        ({"steps": [{"variables": ["main/second"]}]}, True),
        ({"steps": [{"assign": {"main/first": "main/second.y"}}]}, False),
        ({"steps": [{"assign": {"main/second": "main/first.y"}}]}, True),
    ],
)
def test_a_variable_that_a_plan_trains_is_told_where_a_stop_cuts_it_off(training: Any, is_told: bool) -> None:
    assert cut_off(training) == (["main/stop"] if is_told else [])


def test_a_variable_that_another_loss_trains_is_left_in_peace() -> None:
    assert cut_off(None, gw.Square) == []
    assert cut_off(None, lambda code: gw.Square(gw.StopGradient(code)) + gw.Variable(1.0)) == ["main/stop"]
