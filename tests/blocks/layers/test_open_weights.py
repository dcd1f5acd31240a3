"""Weights for an open input: the shape that fits what arrives beside it, and no other."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.layers.open_weights import Weights, weights_for
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire


def beside(kind: str, wired: str, shape: tuple[int, ...], dtype: str = "float64", **parameters: object) -> Graph:
    """A block of a type of which one input reads an Input of some shape."""
    blocks = {
        "x": Block("x", "Input", parameters={"value": np.ones(shape, dtype)}),
        "b": Block("b", kind, parameters=parameters),
    }
    wires = {Port("b", wired): Wire(Port("x", "y"), Port("b", wired))}
    return Graph((Page("main", blocks, wires),))


def found(graph: Graph, name: str) -> Weights | None:
    return weights_for(graph, graph.page("main"), "main", infer_specs(graph), Port("b", name))


@pytest.mark.parametrize(
    ("graph", "name", "text"),
    [
        (beside("MatMul", "a", (4, 2)), "b", "2 × [ ]"),
        (beside("MatMul", "a", (4, 2), transpose_b=True), "b", "[ ] × 2"),
        (beside("MatMul", "b", (2, 5)), "a", "[ ] × 2"),
        (beside("MatMul", "a", (7, 4, 2)), "b", "2 × [ ]"),
        (beside("Conv2D", "input", (1, 8, 8, 6), strides=1, padding="SAME"), "filters", "3 × 3 × 6 × [ ]"),
        (beside("Conv1D", "input", (1, 8, 6), stride=1, padding="SAME"), "filters", "3 × 6 × [ ]"),
        (beside("BiasAdd", "value", (4, 2)), "bias", "2"),
        (beside("Add", "x", (4, 2)), "y", "2"),
        (beside("Multiply", "x", (4, 1)), "y", "1"),
    ],
)
def test_an_open_input_asks_for_weights_that_fit(graph: Graph, name: str, text: str) -> None:
    weights = found(graph, name)
    assert weights is not None
    assert weights.text == text
    made = weights.of_size(5)
    graph, block_id = edits.add_block(graph, "main", "Variable", parameters=made.parameters())
    graph = edits.connect(graph, "main", Port(block_id, "y"), Port("b", name))
    assert [item for item in gw.evaluate(graph).problems if item.startswith("error")] == []


@pytest.mark.parametrize(
    ("graph", "name"),
    [
        (beside("MatMul", "a", (4, 2)), "a"),
        (beside("MatMul", "a", (4, 2), "int32"), "b"),
        (beside("Exp", "x", (4, 2)), "x"),
        (beside("Add", "x", ()), "y"),
        (beside("AddN", "values_0", (4, 2)), "values_1"),
        (beside("MatMul", "a", (4, 2), transpose_a="no"), "b"),
        (beside("NoSuchType", "a", (4, 2)), "b"),
    ],
)
def test_where_nothing_says_so_there_are_none(graph: Graph, name: str) -> None:
    assert found(graph, name) is None


def test_nothing_arrives_beside_it() -> None:
    graph = Graph((Page("main", {"b": Block("b", "MatMul")}),))
    assert found(graph, "b") is None


def test_open_sizes_are_8_and_seeds_follow_the_variables() -> None:
    graph, _ = edits.add_block(beside("MatMul", "a", (4, 2), "float32"), "main", "Variable", parameters={"value": 1.0})
    weights = found(graph, "b")
    assert weights is not None
    assert weights.parameters() == {
        "shape": (2, 8),
        "start": {"kind": "glorot_uniform", "seed": 1, "dtype": "float32"},
    }


def test_a_vector_begins_with_zeros() -> None:
    weights = found(beside("BiasAdd", "value", (4, 2)), "bias")
    assert weights is not None
    assert weights.parameters() == {"shape": (2,), "start": {"kind": "zeros"}}
