"""Reruns in an arena after changes of numbers: they equal a fresh run, bit for bit."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.base.errors import BlockError
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Block, Graph
from tests.gallery import example_names, example_path
from tests.recorded import make_graph

SPECIAL = [0.0, -0.0, 1e200, -1e200, 1e-300, np.inf, -np.inf, np.nan]


def with_value(graph: Graph, page: str, block: str, value: Any) -> Graph:
    return edits.set_parameter(graph, page, block, "value", value)


def sources(graph: Graph) -> list[tuple[str, str, np.ndarray]]:
    """Returns the float inputs and variables, with their values."""
    found = []
    for page in graph.pages:
        for block in page.blocks.values():
            value = block.parameters.get("value")
            if block.type in ("Input", "Variable") and isinstance(value, np.ndarray) and value.dtype.kind == "f":
                found.append((page.name, block.id, value))
    return found


def numbers_of(snapshot: Snapshot) -> dict[str, Any]:
    """Returns the content of a snapshot with arrays as bytes, so that NaN equals NaN and -0 differs from 0."""
    found: dict[str, Any] = {"loss": repr(snapshot.loss), "problems": snapshot.problems}
    for name, result in (snapshot.ports | snapshot.wires).items():
        arrays = {key: value for key, value in vars(result).items() if isinstance(value, np.ndarray)}
        others = {key: value for key, value in vars(result).items() if key not in (*arrays, "inner")}
        found[str(name)] = others, {key: (array.shape, array.dtype, array.tobytes()) for key, array in arrays.items()}
    return found


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_run_with_other_numbers_is_a_fresh_run(data: st.DataObject) -> None:
    graph = load(example_path(data.draw(st.sampled_from(example_names())))).graph
    places = sources(graph)
    rerun = Rerun(run_graph(graph))
    for _ in range(data.draw(st.integers(1, 3)) if places else 0):
        page, block, value = data.draw(st.sampled_from(places))
        numbers = np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=value.shape)
        numbers.reshape(-1)[: data.draw(st.integers(0, 1))] = data.draw(st.sampled_from(SPECIAL))
        changed = with_value(graph, page, block, numbers.astype(value.dtype))
        values = new_values(graph, changed)
        assert values is not None and set(values) <= {(page, block)}
        found = rerun.run(changed, values)
        assert found is not None and found.graph is changed
        assert numbers_of(found.snapshot) == numbers_of(evaluate(changed))
        graph = changed


def product() -> Graph:
    """Returns loss = sum(a * b), and a block beside them."""
    blocks_ = [
        Block("a", "Input", at=(0, 0), parameters={"value": np.array([1.0, 2.0])}),
        Block("b", "Input", at=(0, 99), parameters={"value": np.array([3.0, 4.0]), "minimum": 0.0}),
        Block("m", "Multiply", at=(99, 0)),
        Block("loss", "Loss", at=(199, 0)),
    ]
    return make_graph(blocks_, [("a.y", "m.x"), ("b.y", "m.y"), ("m.z", "loss.x")])


def test_what_only_looks_different_changes_no_number() -> None:
    graph = product()
    moved = edits.move_blocks(graph, "main", {"m": (500, 500)})
    assert new_values(graph, moved) == {}


@pytest.mark.parametrize(
    "changed",
    [
        edits.remove_blocks(product(), "main", ["m"]),
        edits.set_muted(product(), "main", "m", True),
        edits.set_parameter(product(), "main", "b", "minimum", -1.0),
        edits.set_parameter(product(), "main", "loss", "reduction", "mean"),
        dataclasses.replace(product(), loss="main/loss"),
    ],
)
def test_other_edits_are_no_new_values(changed: Graph) -> None:
    assert new_values(product(), changed) is None


@pytest.mark.parametrize("value", [np.ones(3), np.ones((2, 1)), np.ones(2, np.float32)])
def test_a_value_of_another_shape_or_dtype_does_not_fit(value: np.ndarray) -> None:
    graph = product()
    changed = with_value(graph, "main", "a", value)
    values = new_values(graph, changed)
    assert values is not None and Rerun(run_graph(graph)).run(changed, values) is None


def test_a_graph_whose_shapes_depend_on_numbers_is_not_run_again() -> None:
    parameters = {"value": np.array([1.0, 0.0, 1.0])}
    graph = make_graph([Block("a", "Input", parameters=parameters), Block("u", "Unique")], [("a.y", "u.x")])
    changed = with_value(graph, "main", "a", np.array([1.0, 2.0, 3.0]))
    values = new_values(graph, changed)
    assert values is not None and Rerun(run_graph(graph)).run(changed, values) is None


def test_a_block_of_an_unknown_type_beside_them_stays_as_it_is() -> None:
    page = product().pages[0]
    graph = dataclasses.replace(
        product(), pages=(dataclasses.replace(page, blocks={**page.blocks, "?": Block("?", "Gone")}),)
    )
    changed = with_value(graph, "main", "a", np.array([5.0, 6.0]))
    found = Rerun(run_graph(graph)).run(changed, {("main", "a"): np.array([5.0, 6.0])})
    assert found is not None and found.loss is not None and found.loss.value == 5 * 3 + 6 * 4


def test_a_block_that_fails_ends_the_run() -> None:
    graph = make_graph(
        [Block("a", "Input", parameters={"value": np.eye(2)}), Block("i", "MatrixInverse")], [("a.y", "i.x")]
    )
    changed = with_value(graph, "main", "a", np.zeros((2, 2)))
    values = new_values(graph, changed)
    assert values is not None
    with pytest.raises(BlockError):
        Rerun(run_graph(graph)).run(changed, values)
