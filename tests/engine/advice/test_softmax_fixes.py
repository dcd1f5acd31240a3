"""Fixes around softmax: one in place of an index of the largest, and the largest subtracted before an overflow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.advice import broken_fix
from gradwire.engine.advice.finding import Fix
from gradwire.engine.advice.gradient_edits import can_soften, soften
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import EditError
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import Line, x

ROWS = np.array([[1.0, 3.0, 2.0], [0.5, 0.0, -1.0]])


def softmax(values: np.ndarray, axis: int) -> np.ndarray:
    e = np.exp(values - values.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def choice(kind: str = "ArgMax", axis: int = 1) -> Line:
    return x(ROWS).then("f", kind, axis=axis)


def softened(graph: Graph) -> Graph:
    return soften(graph, "main", "f", ROWS.shape, "float64")


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize(("kind", "sign"), [("ArgMax", 1), ("ArgMin", -1)])
def test_a_place_becomes_the_mean_place(kind: str, sign: int, axis: int) -> None:
    graph = softened(choice(kind, axis).then("c", "Cast", dtype="float64").then("s", "Square").loss())
    snapshot = evaluate(graph)
    places = np.arange(ROWS.shape[axis]).reshape([-1, 1] if axis == 0 else [1, -1])
    expected = (softmax(sign * ROWS, axis) * places).sum(axis=axis)
    np.testing.assert_allclose(snapshot.port("main/c.y").value, expected, rtol=1e-14)
    assert not snapshot.has_errors and snapshot.port("main/x.y").status == "flow"
    assert kind not in {block.type for block in graph.page("main").blocks.values()}


def test_one_hot_vectors_become_the_softmax() -> None:
    line = choice().then("h", "OneHot", depth=3).source("w", [1, 2, 3], "Constant").then("m", "Multiply", "w.y")
    graph = softened(line.loss())
    snapshot = evaluate(graph)
    np.testing.assert_allclose(snapshot.port("main/m.z").value, softmax(ROWS, 1) * [1, 2, 3], rtol=1e-14)
    assert snapshot.port("main/x.y").status == "flow"
    assert not {"ArgMax", "OneHot"} & {block.type for block in graph.page("main").blocks.values()}


@pytest.mark.parametrize(
    "line",
    [
        choice(),
        choice().then("c", "Cast", dtype="int32"),
        choice().then("g", "Gather", "x.y", at=1),
        choice().then("h", "OneHot", depth=2),
        choice().then("h", "OneHot", depth=3, on_value=2.0),
        choice().then("h", "OneHot", depth=3, axis=0),
        choice().then("c", "Cast", dtype="float64").on("f.y").then("d", "Cast", dtype="int32"),
    ],
)
def test_what_needs_a_whole_number_keeps_the_choice(line: Line) -> None:
    graph = line.graph()
    assert not can_soften(graph.page("main"), "f", ROWS.shape)
    with pytest.raises(EditError, match="no soft form"):
        softened(graph)


def test_what_does_not_choose_is_not_softened() -> None:
    assert not can_soften(
        x(ROWS).then("f", "Floor").then("c", "Cast", dtype="float64").graph().page("main"), "f", (2, 3)
    )


X, TEXT = PortName("main/x", "y"), "Subtract the largest first"


def naive(values: object, weights: object, axis: Any = None, keepdims: bool = False) -> Graph:
    x = gw.Variable(np.asarray(values, float), name="x")
    e = gw.Exp(x, name="e")
    quotient = gw.Divide(e, gw.ReduceSum(e, axis=axis, keepdims=keepdims), name="p")
    return gw.graph(gw.Loss(gw.Multiply(quotient, gw.Constant(np.asarray(weights, float)))))


def fix_of(graph: Graph, at: str = "main/e") -> Fix | None:
    return broken_fix(run_graph(graph), at)


@pytest.mark.parametrize(
    ("values", "weights", "axis"),
    [
        ([1000.0, 1001.0, 1002.0], [1.0, 2.0, 3.0], None),
        ([[1000.0, 3.0], [2.0, 1001.0]], [[1.0, 2.0], [3.0, 5.0]], [1]),
        ([[1000.0, 3.0], [999.0, 4.0]], [[1.0, 2.0], [3.0, 5.0]], [0]),
    ],
)
def test_the_softmax_and_its_gradient_are_those_of_the_formula(
    values: object, weights: object, axis: list[int] | None
) -> None:
    """naive(x) is that of x − max x, and its gradient is p (w − Σ w p)."""
    graph = naive(values, weights, axis, keepdims=axis is not None)
    fix = fix_of(graph)
    assert fix is not None and fix.text == TEXT and fix.trial is not None
    x, w, axes = np.asarray(values), np.asarray(weights), None if axis is None else tuple(axis)
    e = np.exp(x - x.max(axes, keepdims=True))
    p = e / e.sum(axes, keepdims=True)
    run = run_graph(fix.edit(graph))
    assert run.loss is not None and float(run.loss.value) == pytest.approx((w * p).sum())
    expected = p * (w - (w * p).sum(axes, keepdims=True))
    np.testing.assert_allclose(run.tensor(X, True), expected, rtol=1e-9, atol=1e-12)
    assert (fix.trial.before.broken_wires > 0, fix.trial.after.broken_wires) == (True, 0)
    new = [block.type for name, block in run.graph.page("main").blocks.items() if name not in graph.page("main").blocks]
    assert sorted(new) == ["ReduceMax", "StopGradient", "Subtract"]


def _sum_alone(x: gw.Expression) -> gw.Expression:
    return gw.Divide(gw.Exp(x, name="e"), gw.Constant(0.5))


def _turned(x: gw.Expression) -> gw.Expression:
    e = gw.Exp(x, name="e")
    return gw.Divide(gw.ReduceSum(e), e)


def _third_reader(x: gw.Expression) -> gw.Expression:
    e = gw.Exp(x, name="e")
    return gw.Add(gw.Divide(e, gw.ReduceSum(e)), e)


def _other_sum(x: gw.Expression) -> gw.Expression:
    e = gw.Exp(x, name="e")
    return gw.Divide(e, gw.ReduceSum(gw.Sqrt(e)))


@pytest.mark.parametrize("make", [_sum_alone, _turned, _third_reader, _other_sum])
def test_what_is_no_softmax_is_left_as_it_is(make: Callable[[gw.Expression], gw.Expression]) -> None:
    fix = fix_of(gw.graph(gw.Loss(make(gw.Variable(np.array([1000.0, 1001.0]), name="x")))))
    assert fix is None or fix.text != TEXT
