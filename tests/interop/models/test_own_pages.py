"""Pages with a gradient of their own in models: their ports, and the gradients of their uses."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.files import dumps
from gradwire.interop.models.graphs import Found, Origin, model_of
from gradwire.interop.models.own_pages import OwnPage, page_of, port_names

X = np.array([0.5, -2.0, 3.0])


def source() -> Expression:
    found: Expression = gw.Input(value=X)
    return found


def scaled(factor: float) -> OwnPage:
    """Returns a page that squares, and whose gradient is `factor` times what arrives."""
    x, d = source(), source()
    forward = page_of("Squared", {"x": x}, {"y": gw.Square(x)}, {}, "Squared_gradient")
    backward = page_of("Squared_gradient", {"d_y": d}, {"d_x": gw.Multiply(d, np.full(3, factor, float))}, {})
    return OwnPage("Squared", forward, backward, ["x"], {"y": x.spec})


def test_a_use_has_the_value_of_the_page_and_the_gradient_of_the_other_one() -> None:
    page, x = scaled(5), gw.Input(value=X, name="x")
    (y,) = page.use([x])
    origin = Origin("model.py:3", "layer", "y = f(x)", "Squared.apply")
    pages = [page.forward, page.backward]
    found = Found(
        "model", {"output": gw.ReduceSum(gw.Multiply(y, y))}, {"x": x}, {y.application: origin}, (), {}, pages
    )
    graph = loads(dumps(model_of(found).graph)).graph
    assert graph.gradients == {"Squared": "Squared_gradient"}
    ports = {key.path: port for key, port in run_graph(graph).snapshot.ports.items()}
    np.testing.assert_array_equal(ports["main/Squared"].value, X**2)
    np.testing.assert_allclose(ports["main/x"].gradient, 5 * 2 * X**2)
    assert graph.page("main").blocks["Squared"].extra["origin"] == "model.py:3"


def test_no_gradient_arrives_at_an_output_that_has_none() -> None:
    page, x = scaled(5), gw.Input(value=X, name="x")
    still = OwnPage("Squared", page.forward, page.backward, page.inputs, page.outputs, frozenset(["y"]))
    (y,) = still.use([x])
    pages = [page.forward, page.backward]
    found = Found("model", {"output": gw.ReduceSum(gw.Add(y, x))}, {"x": x}, {}, (), {}, pages)
    ports = {key.path: port for key, port in run_graph(model_of(found).graph).snapshot.ports.items()}
    np.testing.assert_array_equal(ports["main/x"].gradient, np.ones(3))


@pytest.mark.parametrize(
    ("inputs", "count", "wanted"),
    [
        (["x"], 1, (["x"], ["y"])),
        (["x", "y"], 1, (["x", "y"], ["of_y"])),
        (["d_x", "x"], 2, (["d_x", "of_x"], ["y_0", "y_1"])),
        (["d_y"], 1, (["d_y"], ["of_y"])),
        (["x", "x", "x"], 1, (["x", "of_x", "of_of_x"], ["y"])),
    ],
)
def test_no_port_is_called_as_the_gradient_of_another_one(
    inputs: list[str], count: int, wanted: tuple[list[str], list[str]]
) -> None:
    assert port_names(inputs, count) == wanted
