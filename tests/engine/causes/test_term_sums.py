"""Sums of gradients whose terms may cancel: which are looked at, by their magnitudes alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.causes.term_sums import (
    LARGE,
    Sums,
    before_moves,
    differentiable_inputs,
    inputs_of,
    share_of_products,
)
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import applied, x

ROOT = float(np.sqrt(np.finfo(np.float64).eps))


def test_steps_that_only_move_elements_are_looked_through() -> None:
    given = constant(np.ones((2, 3)))
    turned = applied("Transpose", given)
    flat = applied("Reshape", turned.outputs[0], shape=[6])
    back = applied("Reverse", flat.outputs[0], axis=[0])
    end, moves = before_moves(back.outputs[0])
    assert end is given and moves == [back, flat, turned]
    end, moves = before_moves(given)
    assert end is given and moves == []


@pytest.mark.parametrize(
    ("kind", "arrays", "parameters"),
    [
        ("Exp", [np.ones(2)], {}),
        # Two tensors, or two results, are no one tensor that is moved.
        ("Concat", [np.ones(2), np.ones(2)], {"axis": 0}),
        ("Split", [np.ones(4)], {"num_or_size_splits": 2}),
    ],
)
def test_other_steps_are_not(kind: str, arrays: list[Array], parameters: dict[str, Any]) -> None:
    found = applied(kind, *arrays, **parameters).outputs[0]
    end, moves = before_moves(found)
    assert end is found and moves == []


def test_inputs_are_those_with_a_wire_and_differentiable_ones_have_floats() -> None:
    gathered = applied("Gather", np.ones(3), np.array([1, 0]))
    assert inputs_of(gathered) == list(gathered.inputs)
    assert differentiable_inputs(gathered) == [gathered.inputs[0]]


@pytest.mark.parametrize(("rows", "is_large"), [(LARGE // 64, False), (LARGE // 64 + 1, True)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_large_products_are_looked_at_for_rounding_alone(rows: int, is_large: bool, dtype: str) -> None:
    eps = float(np.finfo(dtype).eps)
    factors = np.zeros((rows, 64), dtype), np.zeros((64, 2), dtype)
    for product in (
        applied("MatMul", *factors), applied("MatMul", factors[1].T, factors[0], transpose_b=True),
    ):  # fmt: skip
        expected = 8 * eps if is_large else np.sqrt(eps)
        assert share_of_products(product.outputs[0]) == pytest.approx(expected)
    assert share_of_products(applied("ReduceSum", factors[0]).outputs[0]) == pytest.approx(np.sqrt(eps))


def looked_at(graph: Graph) -> tuple[set[str], set[str], set[str]]:
    """Returns the inputs, ports and steps of rules whose sums are looked at."""
    run = run_graph(graph)
    edges, totals, steps = Sums(run.lowered, run.results.plan).suspicious(run.facts.survey)
    ports = {expression: str(name) for name, expression in run.lowered.ports.items()}
    return {_target(run, edge) for edge in edges}, {ports[item] for item in totals}, {item.type.name for item in steps}


def _target(run: Evaluation, edge: Edge) -> str:
    return next(str(name) for name, item in run.lowered.edges.items() if item == edge)


def two_wires(first: Any, second: Any) -> Graph:
    line = x(np.ones(np.shape(first))).source("a", first, "Constant").source("b", second, "Constant")
    return line.then("m", "Multiply", "a.y").on("x.y").then("n", "Multiply", "b.y").then("s", "Add", "m.z").loss()


@pytest.mark.parametrize(
    ("first", "second", "is_found"),
    [
        ([1.0, 1.0], [1.0, 2.0], False),
        ([1.0, 1.0], [1.0, -1.0], True),
        # The rest is compared with the root of eps times both terms, twice, as bounds are rounded: 4 · root.
        (1.0, -1 + 3.9 * ROOT, True),
        (1.0, -1 + 4.1 * ROOT, False),
        ([1.0, np.inf], [-1.0, 1.0], False),
        ([0.0, 0.0], [0.0, 0.0], False),
    ],
)
def test_a_sum_of_wires_is_looked_at_if_its_rest_is_small_beside_its_terms(
    first: Any, second: Any, is_found: bool
) -> None:
    assert looked_at(two_wires(first, second))[1] == ({"main/x.y"} if is_found else set())


@pytest.mark.parametrize(("size", "is_found"), [(2**11, True), (2**12, False)])
def test_one_small_element_is_enough_only_in_a_small_sum(size: int, is_found: bool) -> None:
    """In float32 one of 2896 elements is that small by accident."""
    first, second = np.ones(size, np.float32), np.ones(size, np.float32)
    second[7] = -1
    line = x(np.ones(size, np.float32)).source("a", first, "Constant").source("b", second, "Constant")
    graph = line.then("m", "Multiply", "a.y").on("x.y").then("n", "Multiply", "b.y").then("s", "Add", "m.z").loss()
    assert looked_at(graph)[1] == ({"main/x.y"} if is_found else set())
    second[:] = -1
    line = x(np.ones(size, np.float32)).source("a", first, "Constant").source("b", second, "Constant")
    graph = line.then("m", "Multiply", "a.y").on("x.y").then("n", "Multiply", "b.y").then("s", "Add", "m.z").loss()
    assert looked_at(graph)[1] == {"main/x.y"}


@pytest.mark.parametrize(
    ("rest", "is_found"),
    [
        (3.0, False),
        # Half of the rest is compared with the root of eps times the lengths of both factors, √2 each.
        (3.9 * ROOT, True),
        (4.1 * ROOT, False),
    ],
)
def test_products_are_looked_at_by_the_lengths_of_their_factors(rest: float, is_found: bool) -> None:
    line = x([[1.0]]).source("w", [[1.0, -1 + rest]], "Constant").then("m", "MatMul", "w.y")
    assert looked_at(line.loss())[0] == ({"main/m.a"} if is_found else set())
    # Of several elements the largest one counts.
    line = x([[1.0, 1.0]]).source("w", [[1.0, -1 + rest], [1.0, 1.0]], "Constant").then("m", "MatMul", "w.y")
    assert looked_at(line.loss())[0] == set()


def test_a_rule_that_subtracts_is_looked_at_inside() -> None:
    same = x([1.0, 2.0, 3.0]).source("w", [0.5, 0.5, 0.5], "Constant").then("p", "Softmax").then("m", "Multiply", "w.y")
    assert looked_at(same.loss())[2] == {"Subtract"}
    other = (
        x([1.0, 2.0, 3.0]).source("w", [5.0, 0.5, 9.0], "Constant").then("p", "Softmax").then("m", "Multiply", "w.y")
    )
    assert looked_at(other.loss())[2] == set()


def test_sums_of_rules_know_the_inputs_to_which_they_contribute() -> None:
    line = x([1.0, 2.0, 3.0]).source("w", [0.5, 0.5, 0.5], "Constant").then("p", "Softmax").then("m", "Multiply", "w.y")
    run = run_graph(line.loss())
    sums = Sums(run.lowered, run.results.plan)
    found = {step.type.name: [_target(run, edge) for edge in edges] for step, edges in sums.edges_by_inner_sum.items()}
    assert found["Subtract"] == ["main/p.x"]
    edges, totals, steps = sums.rows()
    assert {_target(run, edge) for edge in edges} == set() and not totals
    assert [step.type.name for step in steps] == ["Subtract"]
