"""Edits of blocks that also take values back to those of an earlier run: the values are those of the graph."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.graph.graph import Graph

X = PortName("main/x", "y")


def graph() -> Graph:
    """Returns the loss x * stop(x) for x = 2."""
    x = gw.Variable(2.0, name="x")
    return gw.graph(gw.Loss(x * gw.StopGradient(x, name="stop"), name="loss"))


def with_x(before: Graph, number: float) -> Graph:
    return edits.set_parameter(before, "main", "x", "value", np.array(number))


def sent(after: Graph) -> Graph:
    """Returns a graph as another process receives it: equal, but none of its blocks is the same object."""
    return pickle.loads(pickle.dumps(after))


def numbers(run: Evaluation) -> tuple[float, float]:
    """Returns the loss and its gradient."""
    gradient = run.tensor(X, True)
    assert run.loss is not None and run.loss.value is not None and gradient is not None
    return float(run.loss.value), float(gradient)


@pytest.mark.parametrize("way", [lambda item: item, copy.copy, sent], ids=["the same", "a copy", "sent"])
@pytest.mark.parametrize("moves", [False, True], ids=["in place", "moved"])
def test_a_value_that_goes_back_with_another_edit_is_that_of_the_graph(
    way: Callable[[Graph], Graph], moves: bool
) -> None:
    first = graph()
    rerun = Rerun(run_graph(first))
    rerun.prepare()
    raised = with_x(first, 3.0)
    values = new_values(first, raised)
    assert values is not None
    run = rerun.run(raised, values)
    assert run is not None and numbers(run) == (9.0, 3.0)
    back = edits.set_muted(way(first), "main", ("stop",), True)
    back = edits.move_blocks(back, "main", {"x": (90, 90)}) if moves else back
    found = rerun.update(back)
    # Whoever cannot follow plans anew; wrong numbers are none.
    assert numbers(run_graph(back) if found is None else found[0]) == (4.0, 4.0)


def test_a_value_that_goes_on_with_another_edit_is_followed() -> None:
    first = graph()
    rerun = Rerun(run_graph(first))
    rerun.prepare()
    raised = with_x(first, 3.0)
    rerun.run(raised, new_values(first, raised) or {})
    found = rerun.update(edits.set_muted(sent(with_x(raised, 5.0)), "main", ("stop",), True))
    assert found is not None and numbers(found[0]) == (25.0, 10.0)
    removed = edits.remove_blocks(found[0].graph, "main", ["stop"])
    gone = rerun.update(removed)
    assert gone is None or gone[0].graph is removed
