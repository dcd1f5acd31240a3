"""Jacobians and Hessians beside TensorFlow 2.21, ties, stops and zeros among them; and those that are too large."""

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
from tests.recorded import tensor
from tests.sweeps import a_third_of

# Written by scripts/record_jacobians.py: Jacobians, whole and by example, and Hessians of sums.
ROWS: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "data" / "jacobians.json").read_text("utf-8"))
KINDS = ("Jacobian", "BatchJacobian", "Hessian")
W = np.array([[0.5, -1.0, 0.25], [1.5, 0.75, -0.5], [-0.25, 0.5, 1.0]])


def of_shifted(x: Expression) -> Expression:
    powers = gw.Exp(x - gw.StopGradient(gw.ReduceMax(x, axis=-1, keepdims=True)))
    return powers / gw.ReduceSum(powers, axis=-1, keepdims=True)


FUNCTIONS: dict[str, Callable[..., Expression]] = {
    "tanh_of_product": lambda x: gw.Tanh(gw.MatMul(x, W.astype(x.dtype))),
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
    "all_stopped": lambda x: gw.StopGradient(x * x),
    "smallest": lambda x: gw.ReduceMin(x, axis=0),
    "largest_of_all": lambda x: gw.ReduceMax(x),
    "product": lambda x: gw.ReduceProd(x, axis=-1),
    "cube_of_sum": lambda x: gw.ReduceSum(x) ** 3.0,
    "leaky_relu": lambda x: gw.LeakyRelu(x) * x,
    "relu6": lambda x: gw.Relu6(x) * x,
    "elu": lambda x: gw.Elu(x) * x,
    "magnitude": lambda x: gw.Abs(x) * x,
    "clipped": lambda x: gw.ClipByValue(x, 0.0, 1.0) * x,
    "sign": lambda x: gw.Sign(x) * x,
    "floor": lambda x: gw.Floor(x),
    "chosen": lambda x: gw.Where(x > 0.0, x * x, 0.5 * x),
    "sorted": lambda x: gw.Sort(x, axis=-1) ** 2.0,
    "running_sum": lambda x: gw.Cumsum(x, axis=-1) ** 2.0,
    "gathered_twice": lambda x: gw.Gather(x, np.array([0, 1, 0]), axis=-1) ** 3.0,
    "roots": lambda x: gw.Sqrt(x),
    "examples_together": lambda x: gw.Tanh(x - gw.ReduceMean(x, axis=0, keepdims=True)),
    "wider": lambda x: gw.Sin(gw.ExpandDims(x, axis=-1) * np.array([1.0, 2.0])),
    "cast": lambda x: gw.Cast(x, dtype="float64") ** 3.0,
    "of_two": lambda a, b: a * a * b,
    "larger": lambda a, b: gw.Maximum(a, b) * a,
    "second_alone": lambda *both: both[1] * both[1],
    "first_stopped": lambda a, b: gw.StopGradient(a * b) * b,
    "of_two_products": lambda a, b: gw.Tanh(gw.MatMul(a, b)),
    "scaled": lambda a, b: a * gw.Exp(b),
    "power": lambda a, b: a**b,
}
# No gradient at all, where TensorFlow gives None.
UNCONNECTED = ("no_path", "blocked", "non_differentiable")
# By how much results of a dtype may differ, of a number and of 1.
LIMITS = {"float64": 1e-9, "float32": 1e-5}


def divides_by_zero(row: dict[str, Any]) -> bool:
    """Returns whether a second derivative of TensorFlow divides by a root of 0, or by an element of a product."""
    if row["function"] == "product":
        return 0 in row["xs"][0]["data"]
    return row["function"] in ("norm", "roots") and "nan" in row["Hessian"][0]["data"]


@pytest.mark.parametrize(("kind", "first"), a_third_of((kind, first) for kind in KINDS for first in range(3)))
def test_derivatives_are_those_of_tensorflow(kind: str, first: int) -> None:
    rows = [row for row in ROWS if kind in row and not (kind == "Hessian" and divides_by_zero(row))]
    assert len(rows) >= 40
    for row in rows[first::3]:
        xs = [gw.Input(tensor(x), name=f"x{place}") for place, x in enumerate(row["xs"])]
        found = getattr(gw, kind)(FUNCTIONS[row["function"]](*xs), *xs)
        run = gw.evaluate(*found, strict=False)
        for item, recorded in zip(found, map(tensor, row[kind]), strict=True):
            result = np.asarray(run.value(item))
            assert (result.dtype, result.shape) == (recorded.dtype, recorded.shape)
            limit = LIMITS[recorded.dtype.name]
            np.testing.assert_allclose(result, recorded, rtol=limit, atol=limit, err_msg=row["function"])


def hessian(of: Callable[[Expression], Expression], at: list[float]) -> Array:
    x = gw.Input(np.array(at), name="x")
    (found,) = gw.Hessian(of(x), x)
    return np.asarray(gw.evaluate(found, strict=False).value(found))


def test_second_derivatives_of_a_product_are_the_products_of_the_others_whatever_is_zero() -> None:
    found = hessian(lambda x: gw.ReduceProd(x), [0.0, 2.0, 0.0])
    np.testing.assert_array_equal(found, [[0, 0, 2], [0, 0, 0], [2, 0, 0]])


def test_the_root_of_a_zero_takes_no_part_in_second_derivatives_by_other_elements() -> None:
    found = hessian(lambda x: gw.Sqrt(x), [0.0, 1.0, 4.0])
    np.testing.assert_array_equal(found, np.diag([-np.inf, -1 / 4, -1 / 32]))


def test_tensors_have_no_gradient_where_tensorflow_gives_none() -> None:
    for row in ROWS:
        xs = [gw.Input(tensor(x), name=f"x{place}") for place, x in enumerate(row["xs"])]
        run = gw.evaluate(gw.Loss(FUNCTIONS[row["function"]](*xs)), *xs, strict=False)
        assert [run.status(x) in UNCONNECTED for x in xs] == row["unconnected"], row["function"]


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
