"""Roots of zeros: the block, the step of its rule, and the elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.causes.zero_codes import Root
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import Line, x

Told = dict[str, list[int]]


def named(run: Evaluation, root: Root) -> str:
    """Returns `cause block step` for a root in a rule, and `cause block` for one in a sum of gradients."""
    owner = run.lowered.owners[root.application].removeprefix("main/")
    return " ".join([root.cause.value, owner, *([] if root.step is None else [root.step.type.name])])


def roots(run: Evaluation, at: Edge | Expression) -> Told:
    """Returns the flat places of each root in a gradient."""
    counted = run.zeros.of_edge(at) if isinstance(at, Edge) else run.zeros.of_total(at)
    found = {named(run, root): np.flatnonzero(run.zeros.marks(at, root)).tolist() for root in counted}
    assert [len(places) for places in found.values()] == list(counted.values())
    return found


def roots_of_x(graph: Graph) -> Told:
    run = run_graph(graph)
    return roots(run, run.lowered.ports[PortName("main/x", "y")])


def weighted(value: Any, *weights: float) -> Line:
    return x(value).source("w", np.array(weights, float), "Constant")


ROOTS: dict[str, tuple[Graph, Told]] = {
    "left of Relu": (x([1.0, -2.0, 0.0]).then("r", "Relu").loss(), {"not_selected r Multiply": [1, 2]}),
    "a choice, then a factor": (
        x([[1.0, -2.0, 3.0]]).then("r", "Relu").source("w", [[1.0], [1.0], [0.0]]).then("m", "MatMul", "w.y").loss(),
        {"not_selected r Multiply": [1], "zero_factor m MatMul": [2]},
    ),
    "a factor, then a choice": (
        weighted([1.0, -2.0, -3.0], 1, 1, 0).then("m", "Multiply", "w.y").then("r", "Relu").loss(),
        {"not_selected r Multiply": [1, 2]},
    ),
    "the terms of a row": (
        x([[1.0, 2.0]]).source("w", [[1.0, -1.0, 0.0], [1.0, 1.0, 0.0]]).then("m", "MatMul", "w.y").loss(),
        {"cancelled m MatMul": [0]},
    ),
    "rows that are not taken": (
        x([1.0, 2.0, 3.0]).source("i", np.array([0, 0])).then("g", "Gather", "i.y").loss(),
        {"not_selected g ScatterGradient": [1, 2]},
    ),
    "rounding errors in a rule": (
        weighted([1.0, 2.0, 3.0], 0.1, 0.1, 0.1).then("p", "Softmax").then("m", "Multiply", "w.y").loss(),
        {"cancelled p Subtract": [0, 1, 2]},
    ),
    "two wires": (x([2.0, 5.0]).then("n", "Negative").then("a", "Add", "x.y").loss(), {"cancelled x": [0, 1]}),
    "two wires, both without": (
        x([2.0, -5.0]).then("r", "Relu").on("x.y").then("s", "Relu").then("a", "Add", "r.y").loss(),
        {"not_selected r Multiply": [1]},
    ),
    "three wires, rounded": (
        x([2.0, 5.0]).source("a", 0.1).source("b", 0.2).source("c", -0.3).then("n", "Multiply", "a.y").on("x.y")
        .then("o", "Multiply", "b.y").on("x.y").then("q", "Multiply", "c.y").then("z", "AddN", "n.z", "o.z").loss(),
        {"cancelled x": [0, 1]},
    ),
    "too small": (
        weighted([1.0, 1.0, 1.0], 1e-200, 0, 1).then("m", "Multiply", "w.y").then("n", "Multiply", "w.y").loss(),
        {"zero_factor n Multiply": [1], "underflow m Multiply": [0]},
    ),
    "moved, turned and taken apart": (
        x([[1.0, -2.0], [-3.0, 4.0]]).then("t", "Transpose").then("s", "Reshape", shape=[4]).then("r", "Relu").loss(),
        {"not_selected r Multiply": [1, 2]},
    ),
    "a power of 0 and what has no slope": (
        x([0.0, 2.0, -1.0]).then("s", "Square").then("f", "Sign").loss(), {"flat f": [0, 1, 2]},
    ),
    "a factor that a condition makes": (
        x([1.0, 2.0]).source("c", [1.0, -1.0]).source("zero", 0.0).on("c.y").then("g", "Greater", "zero.y")
        .then("k", "Cast", dtype="float64").then("m", "Multiply", "x.y").loss(), {"zero_factor m Multiply": [1]},
    ),
    "one of two parts": (
        x([1.0, -2.0, 3.0, 4.0]).then("s", "Split", num_or_size_splits=2).then("r", "Relu").loss(),
        {"not_selected s Concat": [2, 3], "not_selected r Multiply": [1]},
    ),
    "none": (x([1.0, 2.0]).then("e", "Exp").loss(), {}),
}  # fmt: skip


@pytest.mark.parametrize("name", ROOTS)
def test_zeros_have_their_roots_where_they_arise(name: str) -> None:
    graph, expected = ROOTS[name]
    assert roots_of_x(graph) == expected
    found = run_graph(graph).snapshot.port("main/x.y").zero
    assert (0 if found is None else sum(found.details.values())) == sum(map(len, expected.values()))


# Slopes near a millionth of the largest one, which is 1/4 of a sigmoid and 1 of a hyperbolic tangent; what arrives
# counts as a number from 1 to 2.
@pytest.mark.parametrize(
    ("kind", "value", "is_faint"),
    [
        ("Sigmoid", -np.log(1.05 * 2.5e-7), False),
        ("Sigmoid", -np.log(0.45 * 2.5e-7), True),
        ("Tanh", -np.log(1.05 * 0.25e-6) / 2, False),
        ("Tanh", -np.log(0.45 * 0.25e-6) / 2, True),
        ("Sigmoid", 800.0, True),
    ],
)
def test_a_slope_below_a_millionth_of_the_largest_is_saturated(kind: str, value: float, is_faint: bool) -> None:
    expected = {"saturated f": [1]} if is_faint else {}
    assert roots_of_x(x([0.0, value, 1.0]).then("f", kind).loss()) == expected
    graph = weighted([0.0, value, 1.0], 1e-9, 5, 1).then("f", kind).then("m", "Multiply", "w.y").loss()
    assert roots_of_x(graph) == expected
    assert (
        roots_of_x(weighted([0.0, value, 1.0], 7, 7, 7).then("f", kind).then("m", "Multiply", "w.y").loss()) == expected
    )


def test_the_gradient_of_one_wire_has_the_roots_of_this_wire_and_a_sum_those_of_all() -> None:
    run = run_graph(x([-1.0, 2.0]).then("r", "Relu").on("x.y").then("e", "Exp").then("a", "Add", "r.y").loss())
    item = run.lowered.ports[PortName("main/x", "y")]
    assert roots(run, item) == {}
    found = {run.lowered.owners[edge.application]: roots(run, edge) for edge in run.zeros.arriving(item)}
    assert found == {"main/r": {"not_selected r Multiply": [0]}, "main/e": {}}
    assert not run.zeros.is_zero(item)


def test_a_gradient_of_rounding_errors_is_zero_everywhere_and_read_as_zero() -> None:
    weights = np.array([[0.1, 0.1, 0.1], [1.0, 2.0, 3.0]])
    for rows, is_zero in ((1, True), (2, False)):
        line = x(np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 2.0]])[:rows]).source("w", weights[:rows], "Constant")
        run = run_graph(line.then("p", "Softmax").then("m", "Multiply", "w.y").loss())
        item = run.lowered.ports[PortName("main/x", "y")]
        total = run.lowered.backward.totals[item]
        array, cleaned = run.results[total], run.zeros.value(total)
        assert array is not None and cleaned is not None and run.zeros.is_zero(item) is is_zero
        assert array[0].any() and not cleaned[0].any() and np.array_equal(cleaned[1:], array[1:])
    assert run.zeros.value(None) is None
    value = run.lowered.ports[PortName("main/w", "y")]
    assert run.zeros.value(value) is run.results[value] and not run.zeros.is_gradient(value)
    assert run.zeros.is_gradient(total)
