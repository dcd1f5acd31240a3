"""Edits that let a gradient pass: values stay the same, or become the promised ones."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.advice.gradient_edits import fill_with_small_numbers, pass_straight_through, widen
from gradwire.engine.base.errors import EditError
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import sigmoids, x, xor
from tests.recorded import make_graph


@pytest.mark.parametrize("kind", ["Round", "Floor", "Sign"])
def test_past_a_step_the_value_stays_and_the_gradient_is_that_of_its_input(kind: str) -> None:
    """With y = x + stop(round(x) - x), the value is that of the step, and derivative 1."""
    line = x([0.2, 0.7, -1.4, 2.5]).then("f", kind).source("w", [1, 2, 3, 4], "Constant").then("m", "Multiply", "w.y")
    before, after = line.loss(), pass_straight_through(line.graph(), "main", "f")
    assert evaluate(after).loss is not None and evaluate(before).loss is not None
    np.testing.assert_allclose(evaluate(after).loss.value, evaluate(before).loss.value, rtol=1e-15)
    assert not evaluate(before).port("main/x.y").gradient.any()
    np.testing.assert_array_equal(evaluate(after).port("main/x.y").gradient, [1, 2, 3, 4])


def test_a_step_without_anything_before_it_is_refused() -> None:
    graph = make_graph(x([1.0]).then("f", "Floor").blocks, [])
    with pytest.raises(EditError, match="connect it first"):
        pass_straight_through(graph, "main", "f")


def weights(graph: Graph, name: str) -> np.ndarray:
    return np.asarray(graph.page("main").blocks[name].parameters["value"])


def test_small_random_numbers_are_small_and_always_the_same() -> None:
    graph = xor(np.zeros((2, 2)), np.zeros((2, 1)))
    filled = fill_with_small_numbers(graph, "main", "w2")
    assert weights(filled, "w2").shape == (2, 1)
    assert 0 < np.abs(weights(filled, "w2")).max() < 0.5
    np.testing.assert_array_equal(weights(filled, "w2"), weights(fill_with_small_numbers(graph, "main", "w2"), "w2"))
    assert evaluate(filled).port("main/h.y").status == "flow"


def test_what_holds_no_numbers_is_not_filled() -> None:
    with pytest.raises(EditError, match="is no Variable"):
        fill_with_small_numbers(xor(1.0, 1.0), "main", "h")


def test_in_float64_eighty_sigmoids_have_their_gradient() -> None:
    """The true gradient is 1.4281e-52."""
    gradient = evaluate(widen(sigmoids(80, "float32"))).port("main/x.y").gradient
    np.testing.assert_allclose(gradient, 1.4281e-52, rtol=1e-4)


def test_a_dtype_that_is_chosen_is_widened_too() -> None:
    graph = widen(x(np.array([1, 2])).then("c", "Cast", dtype="float32").loss())
    assert evaluate(graph).port("main/c.y").value.dtype == np.float64
