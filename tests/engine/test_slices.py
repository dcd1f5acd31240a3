"""The loss along one element: the curve is the formula, and the gradient its slope unless something stops it."""

from __future__ import annotations

import numpy as np
import pytest

import blocks  # noqa: F401  # fills the library
from engine import edits
from engine.errors import NameUnknownError
from engine.graph import Graph, Port
from engine.slices import slice_of

PLACES = np.linspace(-2.0, 2.0, 9).tolist()


def graph_of(value: object, *types: str) -> Graph:
    """An Input x through blocks of some types, summed up into a Loss."""
    graph, last = edits.add_block(Graph(), "main", "Input", id="x", parameters={"value": np.array(value, float)})
    source = Port(last, "y")
    for number, kind in enumerate((*types, "ReduceSum", "Loss")):
        graph, name = edits.add_block(graph, "main", kind, id=f"b{number}")
        graph = edits.connect(graph, "main", source, Port(name, "x"))
        source = Port(name, "y")
    return graph


def test_the_curve_of_a_square_is_the_formula() -> None:
    found = slice_of(graph_of([0.5, 3.0], "Square"), "main/x.y", (0,), PLACES)
    assert found.losses.tolist() == [place**2 + 9 for place in PLACES]
    assert (found.at, found.loss, found.slope) == (0.5, 9.25, 1.0)
    assert found.is_tangent and not found.has_kink


def test_a_kink_is_seen_and_every_slope_between_its_sides_is_a_tangent() -> None:
    found = slice_of(graph_of(0.0, "Abs"), "main/x.y", (), PLACES)
    assert found.losses.tolist() == [abs(place) for place in PLACES]
    assert (found.left, found.right, found.slope) == pytest.approx((-1.0, 1.0, 0.0))
    assert found.has_kink and found.is_tangent


def test_behind_a_stop_gradient_the_slope_is_not_that_of_the_curve() -> None:
    found = slice_of(graph_of(1.5, "StopGradient", "Square"), "main/x.y", (), PLACES)
    assert found.losses.tolist() == [place**2 for place in PLACES]
    assert found.slope == 0.0
    # The slope of x * x at 1.5 is 3; differences of 1e-6 tell it to about 1e-6.
    assert found.left == pytest.approx(3.0, abs=1e-5)
    assert not found.is_tangent


def test_where_the_loss_is_not_a_number_neither_is_the_curve() -> None:
    found = slice_of(graph_of(1.0, "Log"), "main/x.y", (), [-1.0, 1.0])
    assert np.isnan(found.losses[0]) and found.losses[1] == 0.0


def test_the_graph_and_its_other_elements_stay() -> None:
    graph = graph_of([1.0, 2.0], "Exp")
    found = slice_of(graph, "main/x.y", (1,), [2.0])
    assert found.losses[0] == pytest.approx(np.exp(1.0) + np.exp(2.0), rel=1e-15)


@pytest.mark.parametrize(("port", "index"), [("main/nobody.y", (0,)), ("main/x.y", ()), ("main/x.y", (2,))])
def test_what_is_not_there_has_no_slice(port: str, index: tuple[int, ...]) -> None:
    with pytest.raises(NameUnknownError):
        slice_of(graph_of([1.0, 2.0], "Exp"), port, index, PLACES)
