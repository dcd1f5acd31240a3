"""Softmax relaxation of a choice: its numbers are those of the softmax, and a gradient flows."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.advice.gradient_edits import can_soften, soften
from gradwire.engine.base.errors import EditError
from gradwire.engine.evaluation.evaluate import evaluate
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
