"""Variables that cannot learn: those that a plan leaves out, or another loss trains, are no mistake."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import gradwire as gw
from gradwire.engine.advice.step_graph import Flow
from gradwire.engine.advice.variable_rules import never_learns
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import run_graph
from tests.engine.advice.parts import data, weights


def layers() -> tuple[Expression, Expression]:
    """Returns the stopped code of a first layer, and the prediction of a second one that reads it."""
    code = gw.MatMul(data(0, 4, 3), weights(1, 3, 2, name="first"), name="code")
    stop = gw.StopGradient(code, name="stop")
    return code, gw.MatMul(stop, weights(2, 2, 1, name="second"))


def told(training: Any, *more: Expression) -> list[str]:
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
    assert told(training) == (["main/stop"] if is_told else [])


def test_a_variable_that_another_loss_trains_is_left_in_peace() -> None:
    assert told(None, gw.Square) == []
    assert told(None, lambda code: gw.Square(gw.StopGradient(code)) + gw.Variable(1.0)) == ["main/stop"]
