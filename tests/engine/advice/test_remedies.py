"""Fixes for problems: each offered fix solves its problem."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.advice import advise
from gradwire.engine.advice.finding import Fix
from gradwire.engine.advice.linter import RULES
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph, Port


def pair(type_name: str, a: object, b: object, ports: tuple[str, str] = ("x", "y")) -> Graph:
    """Returns two inputs into one block."""
    graph, _ = edits.add_block(Graph(), "main", "Input", id="a", parameters={"value": np.array(a)})
    graph, _ = edits.add_block(graph, "main", "Input", id="b", parameters={"value": np.array(b)})
    graph, _ = edits.add_block(graph, "main", type_name, id="op")
    graph, _ = edits.add_block(graph, "main", "Loss", id="loss")
    for source, port in zip(("a", "b"), ports, strict=True):
        graph = edits.connect(graph, "main", Port(source, "y"), Port("op", port))
    out = {"MatMul": "product"}.get(type_name, "z")
    return edits.connect(graph, "main", Port("op", out), Port("loss", "x"))


def the_fix(graph: Graph, code: str) -> Fix | None:
    (fix,) = [fix for problem, fix in advise(run_graph(graph)).remedies.items() if problem.code == code] or [None]
    return fix


@pytest.mark.parametrize(("a", "b"), [([1, 2], [0.5, 1.0]), ([0.5, 1.0], [1, 2])])
def test_different_dtypes_get_a_cast_that_keeps_the_gradient(a: object, b: object) -> None:
    graph = pair("Multiply", a, b)
    fix = the_fix(graph, "dtype")
    assert fix is not None and fix.text == "Insert Cast to float64"
    assert gw.evaluate(fix.edit(graph)).loss == 2.5


def test_shapes_of_one_size_get_a_reshape() -> None:
    graph = pair("Add", np.ones((2, 3)), np.ones((3, 2)))
    fix = the_fix(graph, "shape")
    assert fix is not None and fix.text == "Insert Reshape to [3, 2]"
    assert gw.evaluate(fix.edit(graph)).loss == 12.0


def test_a_row_for_each_line_gets_an_axis() -> None:
    graph = pair("Multiply", np.ones((3, 2)), np.ones(3))
    fix = the_fix(graph, "shape")
    assert fix is not None and fix.text == "Insert Reshape to [3, 1]"
    assert not run_graph(fix.edit(graph)).snapshot.has_errors


def test_shapes_that_nothing_joins_get_no_fix() -> None:
    assert the_fix(pair("Add", np.ones((2, 3)), np.ones((2, 5))), "shape") is None


def test_a_graph_without_a_loss_gets_one_behind_its_last_block() -> None:
    graph = gw.graph(gw.Square(gw.Input([3.0], name="x"), name="square"))
    fix = the_fix(graph, "no_loss")
    assert fix is not None
    assert np.array_equal(gw.evaluate(fix.edit(graph)).gradient("x.y"), [6.0])


def test_a_stop_that_nothing_uses_can_go() -> None:
    graph = gw.graph(gw.Loss(gw.Input(1.0, name="x")))
    graph, _ = edits.add_block(graph, "main", "StopGradient", id="stop")
    graph = edits.connect(graph, "main", Port("x", "y"), Port("stop", "x"))
    fix = the_fix(graph, "stop_unused")
    assert fix is not None
    assert "stop" not in fix.edit(graph).pages[0].blocks


def test_a_logarithm_of_zero_gets_a_clip() -> None:
    graph = gw.graph(gw.Loss(gw.Log(gw.Variable([0.0, 2.0], name="x"))))
    fixes = [fix for problem, fix in advise(run_graph(graph)).remedies.items() if problem.code == "nonfinite"]
    assert fixes and {fix.text for fix in fixes} == {"Clamp the input to a small positive minimum"}
    assert np.array_equal(gw.evaluate(fixes[0].edit(graph)).gradient("x.y"), [0.0, 0.5])
    assert not advise(run_graph(gw.graph(gw.Loss(gw.Log(gw.Variable([-1.0, 2.0])))))).remedies


def test_advice_travels_between_processes() -> None:
    graph = gw.graph(gw.Loss(gw.Log(gw.Softmax(gw.Variable([1.0, 2.0])))))
    advice = pickle.loads(pickle.dumps(advise(run_graph(graph))))
    (finding,) = advice.findings
    assert finding.code == "lint_log_of_softmax"
    assert "LogSoftmax" in {block.type for block in finding.fix.edit(graph).pages[0].blocks.values()}


def test_every_rule_says_why_it_matters() -> None:
    assert all(rule.title and rule.why.count(".") >= 2 and rule.find.__doc__ for rule in RULES)
