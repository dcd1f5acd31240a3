"""The names of a console line: a graph that nothing can change, and tensors of ports and wires by their names."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.features.console.console_names import Given, read_only
from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph


def graph() -> Graph:
    """Returns the loss x * x + x, whose gradient is 2 x + 1, for x = 2."""
    x = gw.Variable(2.0, name="x")
    return gw.graph(gw.Loss(gw.Square(x, name="q") + x, name="loss"))


@pytest.fixture
def given() -> Given:
    made = Given()
    made.show(run_graph(graph()), "")
    return made


def test_values_and_gradients_are_those_of_the_run_and_copies(given: Given) -> None:
    assert (given.value("main/x.y"), given.grad("main/x.y"), given.value("main/q.y")) == (2.0, 5.0, 4.0)
    assert given.grad("main/x.y", "main/q.x") == 4.0 and given.grad("main/q.x") == 4.0
    given.value("main/x.y")[...] = 9.0
    assert given.value("main/x.y") == 2.0 and given.names["value"]("main/q.x") == 2.0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("main/x.z", 'There is no port "main/x.z" in this run; the nearest name is "main/x.y".'),
        ("zebra", 'There is no port "zebra" in this run; names are written like "main/x.y".'),
    ],
)
def test_an_unknown_name_is_told_with_its_neighbour(given: Given, name: str, said: str) -> None:
    for ask in (given.value, given.grad):
        with pytest.raises(NameUnknownError) as told:
            ask(name)
        assert str(told.value) == said


def test_a_wire_has_both_of_its_ends(given: Given) -> None:
    for source, target in (("main/x.y", "main/loss.x"), ("main/q.y", "main/q.x"), ("main/q.x", "main/x.y")):
        with pytest.raises(NameUnknownError, match="There is no wire"):
            given.grad(source, target)


def test_hidden_gradients_are_not_told_and_before_a_run_nothing_is() -> None:
    made = Given()
    with pytest.raises(NameUnknownError, match="Nothing has been computed yet"):
        made.value("main/x.y")
    assert "graph" not in made.names
    made.show(run_graph(graph()), "Guess first.")
    with pytest.raises(NameUnknownError, match="Guess first"):
        made.grad("main/x.y")
    assert made.value("main/x.y") == 2.0
    made.show(None, "")
    assert made.run is None and "graph" in made.names


def test_the_graph_is_given_anew_only_where_it_is_another(given: Given) -> None:
    first, run = given.names["graph"], given.run
    given.show(run, "")
    assert given.names["graph"] is first
    given.show(run_graph(graph()), "")
    assert given.names["graph"] is not first


def test_nothing_of_a_graph_can_be_written_to() -> None:
    whole = graph()
    copy = read_only({"graph": whole, "list": [1, {"a": np.zeros(2)}], "kind": Graph})
    block = copy["graph"].pages[0].blocks["x"]
    with pytest.raises(TypeError):
        copy["graph"].pages[0].blocks["x"] = None
    with pytest.raises(TypeError):
        copy["list"][1]["a"] = 1
    with pytest.raises(ValueError, match="read-only"):
        copy["list"][1]["a"][0] = 1
    assert copy["kind"] is Graph and isinstance(copy["list"], tuple)
    assert (
        block.parameters["value"] == 2.0 and block.parameters["value"] is not whole.block("main/x").parameters["value"]
    )
    wires = next(iter(copy["graph"].pages[0].wires))
    assert (wires.block, wires.name) == tuple(wires)


def test_numpy_is_a_copy_that_may_be_spoilt(given: Given) -> None:
    given.names["np"].pi = 3
    assert np.pi > 3.14 and given.names["np"].sum is np.sum
