"""Tables of one block's numbers: what arrives, the values, and what is sent, in rows of elements."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.back_steps import back_steps
from gradwire.engine.explain.step_numbers import ROWS, NumberTable, number_table, value_table
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import Line, x

Columns = Mapping[tuple[str, str], tuple[list[float], float | None]]


def columns(table: NumberTable) -> Columns:
    return {(item.role, item.name): (list(item.numbers), item.total) for item in table.columns}


def of(graph: Graph, path: str = "main/f", count: int = ROWS) -> NumberTable:
    run = run_graph(graph)
    (step,) = [item for item in back_steps(run) if item.path == path]
    return number_table(run, step, count)


def weighted(value: object, other: object, kind: str = "Multiply") -> Line:
    """Returns f of x and w, times 2."""
    line = x(value).source("w", other).source("two", 2.0, "Constant").then("f", kind, "w.y")
    return line.then("m", "Multiply", "two.y")


def test_a_product_has_a_row_for_each_element() -> None:
    table = of(weighted([3.0, 4.0], [5.0, 12.0]).loss())
    assert (table.rows, table.size) == (("0", "1"), 2)
    assert columns(table) == {
        ("arrives", "z"): ([2, 2], None),
        ("value", "x"): ([3, 4], None),
        ("value", "y"): ([5, 12], None),
        # Gradients have their norms: 2 · 13 and 2 · 5.
        ("sends", "x"): ([10, 24], 26),
        ("sends", "y"): ([6, 8], 10),
    }


def test_a_number_repeated_along_a_tensor_has_the_terms_of_its_gradient_with_their_sum() -> None:
    table = of(weighted([[3.0, 4.0], [5.0, 6.0]], 7.0).loss())
    assert (table.rows, table.size) == (("0,0", "0,1", "1,0", "1,1"), 4)
    assert columns(table) == {
        ("arrives", "z"): ([2] * 4, None),
        ("value", "x"): ([3, 4, 5, 6], None),
        ("value", "y"): ([7] * 4, None),
        ("sends", "x"): ([14] * 4, 28),
        ("part", "y"): ([6, 8, 10, 12], 36),
    }


def test_a_row_repeated_has_its_gradient_and_no_terms() -> None:
    found = columns(of(weighted([[3.0, 4.0], [5.0, 6.0]], [1.0, 1.0]).loss()))
    assert found["sends", "y"] == ([16, 20, 16, 20], pytest.approx(np.hypot(16, 20)))


def test_one_term_alone_is_no_sum() -> None:
    table = of(weighted(3.0, 4.0).loss())
    assert (table.rows, table.size) == (("",), 1)
    assert columns(table)["sends", "y"] == ([6], 6)


def test_a_long_table_ends_after_some_rows_and_says_how_many_there_are() -> None:
    graph = weighted(np.arange(20.0), np.ones(20)).loss()
    assert (of(graph).rows, of(graph).size) == (tuple("01234567"), 20)
    short = of(graph, count=3)
    assert (short.rows, short.size) == (("0", "1", "2"), 20)
    assert columns(short)["value", "x"] == ([0, 1, 2], None)


def test_tensors_that_have_no_elements_in_common_are_listed_one_by_one() -> None:
    table = of(x([[1.0, 2.0, 3.0]]).source("w", [[1.0], [2.0], [3.0]]).then("f", "MatMul", "w.y").loss())
    assert (table.rows, table.size) == (("0", "1", "2"), 3)
    assert columns(table)["arrives", "product"] == ([1], None)
    assert columns(table)["value", "b"] == ([1, 2, 3], None)


def test_the_sum_of_a_tensor_stands_beside_each_of_its_elements() -> None:
    table = of(x([[1.0, 2.0]]).then("f", "ReduceSum").loss())
    assert (table.rows, table.size) == (("0,0", "0,1"), 2)
    assert columns(table) == {
        ("arrives", "y"): ([1, 1], None), ("value", "x"): ([1, 2], None), ("sends", "x"): ([1, 1], np.sqrt(2)),
    }  # fmt: skip
    # A mean along one axis has no elements in common with both rows.
    table = of(x([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]).then("f", "ReduceMean", axis=[1]).loss())
    assert columns(table)["arrives", "y"] == ([1, 1, 1], None) and table.size == 6


def test_conditions_and_whole_numbers_are_shown_and_send_nothing() -> None:
    line = x([1.0, 2.0]).source("c", np.array([True, False])).on("c.y").then("f", "Where", "x.y", "x.y")
    found = columns(of(line.loss()))
    assert found["value", "condition"] == ([1, 0], None)
    assert [name for role, name in found if role == "sends"] == ["x", "y"]


def test_a_stop_sends_nothing() -> None:
    graph = x([1.0, 2.0]).then("f", "StopGradient").then("m", "Multiply", "x.y").loss()
    assert columns(of(graph)) == {("arrives", "y"): ([1, 2], None), ("value", "x"): ([1, 2], None)}


def test_forward_a_block_shows_its_inputs_and_its_outputs() -> None:
    run = run_graph(weighted([3.0, 4.0], [5.0, 12.0]).loss())
    table = value_table(run, "main/f", 1)
    assert (table.rows, table.size) == (("0",), 2)
    assert columns(table) == {
        ("value", "x"): ([3], None), ("value", "y"): ([5], None), ("arrives", "z"): ([15], None),
    }  # fmt: skip
    empty = value_table(run_graph(x(np.zeros(0)).graph()), "main/x")
    assert (empty.rows, empty.size, columns(empty)) == ((), 0, {("arrives", "y"): ([], None)})
    assert value_table(run, "main/none") == NumberTable((), (), 0)


def test_what_is_unknown_has_no_column() -> None:
    run = run_graph(x(np.zeros((2, 2))).then("i", "MatrixInverse").loss())
    assert columns(value_table(run, "main/i")) == {("value", "x"): ([0] * 4, None)}
    assert columns(value_table(run, "main/x")) == {("arrives", "y"): ([0] * 4, None)}
    assert value_table(run, "main/loss").columns == ()
