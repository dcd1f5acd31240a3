"""First-order prediction of the loss: its gap is of second order."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.explain.forecast import predicted_loss, steps_between
from gradwire.engine.graph.graph import Block, Graph, Page, Port
from tests.engine.cause_graphs import x
from tests.gallery import example


def moved(graph: Graph, name: str, step: object) -> Graph:
    value = graph.page("main").blocks[name].parameters["value"]
    return edits.set_parameter(graph, "main", name, "value", value + np.asarray(step))


def gap(graph: Graph, after: Graph) -> float:
    """Returns the distance of the loss from its prediction."""
    start, end = evaluate(graph), evaluate(after)
    steps = steps_between(graph, after)
    assert steps is not None and start.loss is not None and end.loss is not None
    assert start.loss.value is not None and end.loss.value is not None

    def gradient(page: str, block: str) -> Array | None:
        return start.port(f"{page}/{block}.y").gradient

    predicted = predicted_loss(float(start.loss.value), steps, gradient)
    assert predicted is not None
    return float(end.loss.value) - predicted


@pytest.mark.parametrize("name", ["softmax_stable_plain_sg", "softmax_naive_ok"])
def test_half_the_way_leaves_a_quarter_of_the_gap(name: str) -> None:
    """The gap is O(step squared)."""
    graph = example(name)
    direction = np.array([1.0, -0.5, 0.25])
    gaps = [gap(graph, moved(graph, "x", step * direction)) for step in (1e-2, 5e-3, 2.5e-3)]
    assert all(abs(item) > 1e-8 for item in gaps)
    assert gaps[1] / gaps[0] == pytest.approx(0.25, rel=0.02)
    assert gaps[2] / gaps[1] == pytest.approx(0.25, rel=0.01)


def test_the_gap_of_a_square_is_the_square_of_the_step() -> None:
    graph = x([3.0]).then("s", "Square").loss()
    assert gap(graph, moved(graph, "x", [0.5])) == pytest.approx(0.25, abs=1e-12)


def test_several_inputs_are_added_up_and_a_straight_loss_has_no_gap() -> None:
    graph = x([1.0, 2.0]).source("b", [3.0, 4.0]).then("a", "Add", "b.y").loss()
    after = moved(moved(graph, "x", [1.0, 0.0]), "b", [0.0, -2.0])
    assert gap(graph, after) == 0


def test_another_change_than_of_numbers_is_not_predicted() -> None:
    graph = x([1.0]).then("s", "Square").then("n", "Negative").loss()
    assert steps_between(graph, edits.set_parameter(graph, "main", "x", "value", np.ones(2))) is None
    assert steps_between(graph, edits.disconnect(graph, "main", Port("s", "x"))) is None
    assert steps_between(graph, graph) == {}


def test_an_element_whose_gradient_is_not_known_is_not_predicted() -> None:
    steps = {("main", "x"): np.array([0.0, 0.0, 1.0])}
    assert predicted_loss(1.0, steps, lambda *_: np.array([5.0, 6.0])) is None
    assert predicted_loss(1.0, steps, lambda *_: None) is None
    assert predicted_loss(1.0, {("main", "x"): np.array([0.0, 2.0, 0.0])}, lambda *_: np.array([5.0, 6.0])) == 13.0


def two_pages() -> Graph:
    """Returns a graph with a constant, an integer and two losses."""
    line = x([1.0, 2.0]).source("k", np.array([1, 2]), "Constant").source("c", [3.0, 4.0], "Constant")
    line.then("a", "Add", "c.y").then("loss", "Loss").on("a.z").then("more", "Loss")
    return line.graph()


def test_each_other_difference_alone_is_not_predicted() -> None:
    graph = two_pages()
    page = graph.pages[0]
    same = moved(graph, "x", [1.0, 0.0])
    assert {key: item.tolist() for key, item in (steps_between(graph, same) or {}).items()} == {("main", "x"): [1, 0]}
    block = same.page("main").blocks["x"]
    others = {
        "another loss": dataclasses.replace(same, loss="main/more"),
        "another name of a page": dataclasses.replace(same, pages=(dataclasses.replace(page, name="other"),)),
        "one more page": dataclasses.replace(same, pages=(*same.pages, Page("more", {}, {}))),
        "a new block": same.with_page(_with(same.page("main"), Block("new", "Input"))),
        "another shape": edits.set_parameter(same, "main", "x", "value", np.array([[1.0, 2.0]])),
        "a muted source": same.with_page(_with(same.page("main"), dataclasses.replace(block, is_muted=True))),
        "another type": same.with_page(_with(same.page("main"), dataclasses.replace(block, type="Variable"))),
        "a block that is no source": same.with_page(
            _with(same.page("main"), dataclasses.replace(same.page("main").blocks["a"], is_muted=True))
        ),
        "fewer wires": edits.disconnect(same, "main", Port("more", "x")),
    }
    for name, after in others.items():
        assert steps_between(graph, after) is None, name
        assert steps_between(after, graph) is None, name


def _with(page: Page, block: Block) -> Page:
    return dataclasses.replace(page, blocks={**page.blocks, block.id: block})


def test_elements_up_to_the_last_known_are_predicted() -> None:
    known = np.array([5.0, 6.0])
    for place, expected in ((0, 11.0), (1, 13.0), (2, None)):
        step = np.zeros((1, 3))
        step[0, place] = 2.0
        assert predicted_loss(1.0, {("main", "x"): step}, lambda *_: known) == expected
    still = {("main", "x"): np.zeros(3), ("main", "y"): np.array([0.5, 0.25])}
    given = {"y": known}
    assert predicted_loss(1.0, still, lambda _, block: given.get(block)) == 1 + 2.5 + 1.5
