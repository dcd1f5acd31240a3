"""Values for other rows equal those of a run with these rows in the source."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.evaluation.fed_values import FedValues
from gradwire.engine.graph.block_parameters import with_parameters
from gradwire.engine.graph.graph import Graph

ROWS = np.linspace(-2, 2, 14).reshape(7, 2)


def network(rows: int = 4) -> Graph:
    """Returns a graph with x [rows, 2], a layer, and rows as the Reshape of the result."""
    x = gw.Input(np.arange(2.0 * rows).reshape(rows, 2), name="x")
    w = gw.Variable(np.array([[0.3, -1.0, 0.5], [0.7, 0.2, -0.4]]), name="w")
    h = gw.Tanh(gw.MatMul(x, w, name="m"), name="h")
    return gw.graph(
        gw.Loss(gw.Reshape(h, shape=(3 * rows,), name="flat"), name="L"),
        gw.Reshape(h, shape=(rows, 3, 1), name="fixed"),
    )


def fed(graph: Graph, target: str) -> FedValues:
    run = run_graph(graph)
    ports = run.lowered.ports
    return FedValues(run, ports[PortName("main/x", "y")], ports[PortName(*target.split("."))])


def value(graph: Graph, rows: Array, target: str) -> Array:
    """Returns what a run with these rows in the source gives."""
    found = run_graph(with_parameters(graph, "main/x", {"value": rows})).tensor(PortName(*target.split(".")), False)
    assert found is not None
    return found


def test_rows_that_are_fed_give_what_a_run_with_them_gives() -> None:
    graph = network()
    assert fed(graph, "main/h.y").at(ROWS).tobytes() == value(graph, ROWS, "main/h.y").tobytes()


def test_a_graph_for_a_number_of_rows_gets_as_many_at_a_time() -> None:
    graph = network(4)
    found = fed(graph, "main/fixed.y").at(ROWS)
    assert found.shape == (7, 3, 1)
    np.testing.assert_allclose(found[..., 0], value(graph, ROWS, "main/h.y"), rtol=1e-14)


@pytest.mark.parametrize("count", range(1, 8))
def test_rows_that_are_left_over_are_filled_up_and_taken_away_again(count: int) -> None:
    graph = network(4)
    np.testing.assert_allclose(
        fed(graph, "main/fixed.y").at(ROWS[:count])[..., 0], value(graph, ROWS[:count], "main/h.y"), rtol=1e-14
    )


def test_a_result_with_other_rows_is_refused_in_a_sentence() -> None:
    with pytest.raises(ShapeError, match=r"4 rows of x give a result of shape \[12\]"):
        fed(network(), "main/flat.y").at(ROWS[:4])


def test_what_does_not_depend_on_the_source_says_so() -> None:
    assert not fed(network(), "main/w.y").is_dependent
    assert fed(network(), "main/x.y").is_dependent


def test_other_numbers_of_the_run_are_taken_over() -> None:
    graph = network()
    other = with_parameters(graph, "main/w", {"value": np.ones((2, 3))})
    np.testing.assert_allclose(fed(other, "main/h.y").at(ROWS)[:, 0], np.tanh(ROWS.sum(axis=1)), rtol=1e-14)


def test_other_outputs_of_the_source_s_block_stay_as_they_are() -> None:
    x = gw.Input(np.arange(8.0).reshape(4, 2), name="x")
    first, second = gw.Split(x, num_or_size_splits=2, axis=1, name="halves")
    graph = gw.graph(gw.Exp(first, name="e"), gw.Add(gw.Exp(second, name="f"), first, name="both"))
    run = run_graph(graph)
    ports = {str(name): item for name, item in run.lowered.ports.items()}
    source = next(item for name, item in ports.items() if name.startswith("main/halves.") and name.endswith("0"))
    rows = np.ones((4, 1))
    assert not FedValues(run, source, ports["main/f.y"]).is_dependent
    np.testing.assert_allclose(FedValues(run, source, ports["main/e.y"]).at(rows), np.exp(rows))
    np.testing.assert_allclose(
        FedValues(run, source, ports["main/both.z"]).at(rows), np.exp(np.arange(1.0, 8, 2)[:, None]) + 1
    )


@pytest.mark.parametrize("count", [4, 7])
def test_a_number_has_no_rows(count: int) -> None:
    found = fed(network(), "main/L.y")
    assert found.is_dependent
    with pytest.raises(ShapeError, match=r"4 rows of x give a result of shape \[\]"):
        found.at(ROWS[:count])


def test_a_graph_for_no_rows_is_not_cut_into_pieces() -> None:
    found = fed(network(0), "main/fixed.y")
    assert found.at(ROWS[:0]).shape == (0, 3, 1)
    with pytest.raises(ShapeError):
        found.at(ROWS)


@pytest.mark.parametrize("rows", [1, 3])
def test_a_result_of_fewer_rows_is_refused(rows: int) -> None:
    x = gw.Input(np.arange(8.0).reshape(4, 2), name="x")
    graph = gw.graph(gw.Reshape(gw.Exp(x), shape=(2, -1), name="flat"))
    with pytest.raises(ShapeError, match=r"4 rows of x give a result of shape \[2, 4\]"):
        fed(graph, "main/flat.y").at(ROWS[:rows])
    assert fed(graph, "main/flat.y").at(ROWS[:2]).shape == (2, 2)
