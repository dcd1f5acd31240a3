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
from gradwire.engine.graph.graph import Block, Graph, Page, Port
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


def with_block(graph: Graph, *blocks: Block) -> Graph:
    """Returns the graph with blocks on its first page, some in place of others."""
    page = graph.pages[0]
    return graph.with_page(dataclasses.replace(page, blocks=page.blocks | {block.id: block for block in blocks}))


def beside() -> Graph:
    """Returns loss = sum(a * b) beside blocks without wires, one of them of an unknown type."""
    parameters: dict[str, Any] = {"value": np.array([1.0])}
    others = [Block("e", "Exp"), Block("eye", "Eye", parameters={"num_rows": 2})]
    others += [Block("gone", "Gone", parameters=parameters), Block("entry", "PageInput", parameters=parameters)]
    return with_block(product(), *others)


@pytest.mark.parametrize(
    "changed",
    [
        edits.add_block(beside(), "main", "Exp")[0],
        edits.remove_blocks(beside(), "main", ["e"]),
        edits.connect(beside(), "main", Port("a", "y"), Port("e", "x")),
        edits.disconnect(beside(), "main", Port("m", "y")),
        edits.connect(beside(), "main", Port("a", "y"), Port("m", "y")),
        edits.set_parameter(beside(), "main", "eye", "num_rows", 3),
        edits.set_muted(with_value(beside(), "main", "a", np.array([5.0, 6.0])), "main", "a", True),
        edits.set_label(with_value(beside(), "main", "a", np.array([5.0, 6.0])), "main", "a", "A"),
        edits.set_parameter(with_value(beside(), "main", "b", np.ones(2)), "main", "b", "minimum", -1.0),
        with_block(beside(), Block("gone", "Gone", parameters={"value": np.array([2.0])})),
        with_block(beside(), Block("entry", "PageInput", parameters={"value": np.array([2.0])})),
    ],
)
def test_no_more_than_a_number_may_change_beside_looks(changed: Graph) -> None:
    assert new_values(beside(), changed) is None


def test_numbers_and_places_may_change_at_once() -> None:
    changed = edits.move_blocks(
        with_value(beside(), "main", "a", np.array([5.0, 6.0])), "main", {"a": (1, 2), "m": (3, 4)}
    )
    found = new_values(beside(), changed)
    assert found is not None and {name: value.tolist() for name, value in found.items()} == {("main", "a"): [5, 6]}


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


def test_a_value_on_a_page_that_is_gone_afterwards_is_no_step_back() -> None:
    page = Page("other", {"v": Block("v", "Input", parameters={"value": np.array(1.0)})}, {})
    graph = dataclasses.replace(product(), pages=(*product().pages, page))
    changed = with_value(graph, "other", "v", np.array(2.0))
    rerun = Rerun(run_graph(graph))
    found = rerun.run(changed, {("other", "v"): np.array(2.0)})
    assert found is not None and found.graph is changed
    rerun.update(dataclasses.replace(changed, pages=changed.pages[:1]))


@pytest.mark.parametrize(("others", "is_kept"), [([], True), ([Block("u", "Unique")], False)])
def test_memory_is_kept_unless_numbers_decide_shapes(others: list[Block], is_kept: bool) -> None:
    graph = with_block(product(), *others)
    if others:
        graph = edits.connect(graph, "main", Port("a", "y"), Port("u", "x"))
    rerun = Rerun(run_graph(graph))
    found = rerun.update(with_block(graph, Block("m", "Add")))
    assert found is not None and found[0].loss is not None and found[0].loss.value == 1 + 3 + 2 + 4
    assert (found[0].arena is rerun.arena is not None) is is_kept and (found[0].arena is None) is not is_kept


def test_a_value_that_is_set_back_by_an_edit_is_a_step_back() -> None:
    graph = product()
    changed = with_value(graph, "main", "a", np.array([5.0, 6.0]))
    for edited, is_followed in ((graph, False), (edits.add_block(changed, "main", "Exp")[0], True)):
        rerun = Rerun(run_graph(graph))
        assert rerun.run(changed, {("main", "a"): np.array([5.0, 6.0])}) is not None
        assert (rerun.update(edited) is not None) is is_followed
