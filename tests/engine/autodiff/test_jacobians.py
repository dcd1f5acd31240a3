"""Jacobians and Hessians beside TensorFlow 2.21, ties, stops and a zero among them; and those that are too large."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Port

# Jacobians of functions of 2-D tensors, by example and whole, and the Hessian of their sums.
ROWS: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "data" / "jacobians.json").read_text("utf-8"))
KINDS = ("Jacobian", "BatchJacobian", "Hessian")
W = np.array([[0.5, -1.0, 0.25], [1.5, 0.75, -0.5], [-0.25, 0.5, 1.0]])


def of_shifted(x: Expression) -> Expression:
    powers = gw.Exp(x - gw.StopGradient(gw.ReduceMax(x, axis=-1, keepdims=True)))
    return powers / gw.ReduceSum(powers, axis=-1, keepdims=True)


FUNCTIONS: dict[str, Callable[[Expression], Expression]] = {
    "tanh_of_product": lambda x: gw.Tanh(gw.MatMul(x, W)),
    "softmax": lambda x: gw.Softmax(x),
    "stable_softmax": of_shifted,
    "largest": lambda x: gw.ReduceMax(x, axis=-1),
    "relu_squared": lambda x: gw.Square(gw.Relu(x)) * x,
    "cubes": lambda x: x * x * x,
    "norm": lambda x: gw.Sqrt(gw.ReduceSum(x * x, axis=-1)),
    "log_sum": lambda x: gw.ReduceLogSumExp(x, axis=-1),
    "constant": lambda x: gw.OnesLike(x) * 2.0,
    "stopped": lambda x: gw.StopGradient(x * x) * x,
    "quotient": lambda x: x / (gw.ReduceSum(x * x, axis=-1, keepdims=True) + 1.0),
}


def array(recorded: dict[str, Any]) -> Array:
    return np.array([float(item) for item in recorded["data"]]).reshape(recorded["shape"])


@pytest.mark.parametrize("kind", KINDS)
def test_derivatives_are_those_of_tensorflow(kind: str) -> None:
    assert len(ROWS) >= 40
    for row in ROWS:
        x = gw.Input(array(row["x"]), name="x")
        (found,) = getattr(gw, kind)(FUNCTIONS[row["function"]](x), x)
        result = np.asarray(gw.evaluate(gw.Loss(found, name="L")).value(found))
        np.testing.assert_allclose(result, array(row[kind]), rtol=1e-9, atol=1e-12, err_msg=row["function"])


@pytest.mark.parametrize("kind", KINDS)
def test_they_can_be_differentiated_again(kind: str) -> None:
    at, weights, step = np.array([[0.3, -0.7, 1.1], [0.2, 0.4, -0.9]]), np.random.default_rng(0), 1e-6
    draws: list[Array] = []

    def value(point: Array) -> tuple[float, Array]:
        x = gw.Input(point, name="x")
        (found,) = getattr(gw, kind)(gw.Tanh(gw.MatMul(x, W)), x)
        if not draws:
            draws.append(weights.normal(size=found.shape))
        run = gw.evaluate(gw.Loss(found * draws[0], name="L"))
        return float(np.sum(run.value(found) * draws[0])), np.asarray(run.gradient(x))

    slopes = np.zeros_like(at)
    for place in np.ndindex(at.shape):
        moved = np.zeros_like(at)
        moved[place] = step
        slopes[place] = (value(at + moved)[0] - value(at - moved)[0]) / (2 * step)
    np.testing.assert_allclose(value(at)[1], slopes, rtol=1e-5, atol=1e-7)


def test_one_block_differentiates_by_several_tensors_of_several_shapes() -> None:
    a, b = gw.Input(np.arange(3.0), name="a"), gw.Input(np.float64(2.0), name="b")
    j_a, j_b = gw.Jacobian(a * b, a, b)
    run = gw.evaluate(gw.Loss(j_a, name="A"), gw.Loss(j_b, name="B"))
    np.testing.assert_array_equal(np.asarray(run.value(j_a)), 2 * np.eye(3))
    np.testing.assert_array_equal(np.asarray(run.value(j_b)), [0, 1, 2])


def test_newtons_step_with_a_hessian_leads_to_the_minimum_of_a_parabola_at_once() -> None:
    matrix, at = np.array([[3.0, 1.0], [1.0, 2.0]]), np.array([5.0, -4.0])
    x = gw.Input(at, name="x")
    y = gw.ReduceSum(x * gw.MatVec(matrix, x)) * 0.5 - gw.ReduceSum(x)
    (slope,), (curvature,) = gw.Gradients(y, x), gw.Hessian(y, x)
    moved = x - gw.Reshape(gw.MatrixSolve(curvature, gw.Reshape(slope, shape=(2, 1))), shape=(2,))
    found = np.asarray(gw.evaluate(moved).value(moved))
    np.testing.assert_allclose(found, np.linalg.solve(matrix, [1, 1]), rtol=1e-12)


def test_named_ports_count_as_constants() -> None:
    x = gw.Input(np.array([2.0, 3.0]), name="x")
    inner = gw.Square(x, name="inner")
    (found,) = gw.Jacobian(inner * x, x, stop_gradients=("inner.y",))
    result = np.asarray(gw.evaluate(gw.Loss(found)).value(found))
    np.testing.assert_array_equal(result, np.diag([4.0, 9.0]))


@pytest.mark.parametrize("kind", KINDS)
def test_empty_tensors_have_empty_derivatives(kind: str) -> None:
    x = gw.Input(np.zeros((2, 0)), name="x")
    (found,) = getattr(gw, kind)(x * x, x)
    assert np.asarray(gw.evaluate(gw.Loss(found)).value(found)).size == 0


def test_examples_of_different_batches_are_refused() -> None:
    with pytest.raises(gw.GradwireError, match="same first axis: the examples of a batch"):
        gw.BatchJacobian(gw.Input(np.ones((2, 3))), gw.Input(np.ones((3, 3))))


def test_more_walks_than_can_be_made_are_one_problem_at_the_block() -> None:
    x = gw.Input(np.ones(60_000), name="x")
    graph = gw.graph(gw.Loss(gw.Square(x), name="L"))
    graph, _ = edits.add_block(graph, "main", "Jacobian", id="j")
    for source, target in (("Square.y", "j.y"), ("x.y", "j.xs_0")):
        graph = edits.connect(graph, "main", Port(*source.split(".")), Port(*target.split(".")))
    found = run_graph(graph).snapshot
    (problem,) = [item for item in found.problems if item.severity == "error"]
    assert problem.at == "main/j"
    assert "walks back 60,000 times" in problem.message
    assert found.loss is not None
    assert found.loss.value == 60_000
