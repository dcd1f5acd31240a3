"""Pictures tell the truth: boundaries and fits are what the network itself gives there."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.canvas.painting.monitors.picture_question import GRID, PictureOf
from gradwire.app.canvas.painting.monitors.pictures import (
    Boundary,
    Curves,
    Heat,
    Histogram,
    Images,
    Picture,
    Points,
    Said,
)
from gradwire.app.canvas.painting.monitors.tensor_pictures import MOST_POINTS, kind_of, picture_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.block_parameters import with_parameters
from gradwire.engine.graph.graph import Graph
from tests.engine.monitored import with_monitor

CROSS = np.array([[-1.0, -2.0], [1.0, 2.0], [-0.5, 1.5], [0.25, -1.0]])


def shown(graph: Graph) -> Picture:
    found = PictureOf("main/shown").answer(run_graph(graph))
    assert found is not None
    return found


def product(x: Expression) -> Expression:
    """Returns x[:, 0] x[:, 1], one column, whose sign is that of two opposite quadrants."""
    first, second = (gw.MatMul(x, gw.Constant(np.eye(2)[:, [column]])) for column in (0, 1))
    return gw.Multiply(first, second, name="y")


def plane(network: Expression, **wired: object) -> Graph:
    return with_monitor(gw.graph(gw.Loss(network, name="L")), **{"kind": "boundary", **wired})


def middles(picture: Boundary) -> Array:
    """Returns the places of the grid. Shapes: (rows, columns, 2)."""
    axes = [
        low + (np.arange(GRID) + 0.5) * (high - low) / GRID for low, high in zip(picture.low, picture.high, strict=True)
    ]
    return np.stack(np.meshgrid(*axes), axis=-1)


def network_at(graph: Graph, rows: Array) -> Array:
    """Returns what a run of the whole graph gives for other rows of x."""
    found = run_graph(with_parameters(graph, "main/x", {"value": rows})).tensor(PortName("main/y", "z"), False)
    assert found is not None
    return found


def test_a_boundary_is_the_sign_of_what_the_network_gives_there() -> None:
    graph = plane(product(gw.Input(CROSS, name="x")), y="y.z", x="x.y")
    found = shown(graph)
    assert isinstance(found, Boundary)
    places = middles(found)
    outputs = network_at(graph, places.reshape(-1, 2)).reshape(GRID, GRID)
    np.testing.assert_array_equal(found.classes, outputs > 0)
    np.testing.assert_allclose(found.margins, np.abs(outputs) / np.abs(outputs).max(), rtol=1e-12)


def test_the_plane_covers_the_data() -> None:
    found = shown(plane(product(gw.Input(CROSS, name="x")), y="y.z", x="x.y"))
    assert isinstance(found, Boundary)
    assert (CROSS.min(axis=0) > found.low).all()
    assert (CROSS.max(axis=0) < found.high).all()
    np.testing.assert_array_equal(found.points.at, CROSS)


def test_the_contour_lies_where_the_classes_meet() -> None:
    found = shown(plane(product(gw.Input(CROSS, name="x")), y="y.z", x="x.y"))
    assert isinstance(found, Boundary)
    ends = found.contour.reshape(-1, 2)
    # The quadrants meet on the axes, to half a cell where the four of them touch.
    assert np.abs(ends).min(axis=1).max() < 0.5 * 4.7 / GRID
    assert len(ends) >= 4 * (GRID - 2)


def test_of_several_columns_the_largest_is_the_class() -> None:
    x = gw.Input(CROSS, name="x")
    scores = gw.MatMul(x, gw.Constant(np.array([[1.0, -1.0, 0.0], [0.0, 0.0, 2.0]])), name="y")
    found = shown(plane(scores, y="y.product", x="x.y"))
    assert isinstance(found, Boundary)
    places = middles(found)
    candidates = np.stack([places[..., 0], -places[..., 0], 2 * places[..., 1]], axis=-1)
    np.testing.assert_array_equal(found.classes, candidates.argmax(axis=-1))
    assert set(found.classes.ravel().tolist()) == {0, 1, 2}


def test_the_threshold_moves_the_boundary() -> None:
    graph = plane(product(gw.Input(CROSS, name="x")), y="y.z", x="x.y", threshold=0.5)
    found = shown(graph)
    assert isinstance(found, Boundary)
    np.testing.assert_array_equal(found.classes, middles(found).prod(axis=-1) > 0.5)


def test_the_line_of_a_fit_is_a_run_with_these_numbers_and_covers_the_data() -> None:
    column = np.array([[0.5], [-2.0], [1.5]])
    x = gw.Input(column, name="x")
    y = gw.Multiply(gw.Tanh(x), gw.Constant(3.0), name="y")
    target = gw.Input(column**2, name="t")
    graph = with_monitor(gw.graph(gw.Loss(y, name="L"), target), y="y.z", x="x.y", target="t.y", kind="fit")
    found = shown(graph)
    assert isinstance(found, Curves) and found.dots is not None
    np.testing.assert_array_equal(found.y, network_at(graph, found.x[:, np.newaxis]))
    assert (found.x[0], found.x[-1]) == (-2.0, 1.5)
    np.testing.assert_array_equal(found.dots, np.concatenate([column, column**2], axis=1))


def test_without_a_wire_into_x_it_is_the_data_block_before() -> None:
    x, labels = gw.Data(set="moons", n=40, name="x")
    found = shown(plane(product(x), y="y.z"))
    assert isinstance(found, Boundary)
    data = run_graph(gw.graph(x, labels))
    inputs, classes = (data.tensor(PortName("main/x", port), False) for port in ("x", "y"))
    assert inputs is not None and classes is not None
    np.testing.assert_array_equal(found.points.at, inputs)
    assert found.points.classes is not None
    np.testing.assert_array_equal(found.points.classes, classes.argmax(axis=1))


@pytest.mark.parametrize(
    ("kind", "y", "x", "sentence"),
    [
        ("boundary", "y.z", None, "Y depends on no Data block; connect x with the tensor that it is a function of."),
        ("boundary", "y.z", "other.y", "Y does not depend on x."),
        ("fit", "y.z", "x.y", "A fit needs x with one column, not 2."),
        ("image", "y.z", None, "Images need rows that are squares, or a height and a width; the shape is [4, 1]."),
        ("points", "y.z", None, "Points need two columns, not 1."),
    ],
)
def test_what_cannot_be_shown_is_said(kind: str, y: str, x: str | None, sentence: str) -> None:
    graph = gw.graph(gw.Loss(product(gw.Input(CROSS, name="x")), name="L"), gw.Input(CROSS, name="other"))
    found = shown(with_monitor(graph, y=y, kind=kind, **({} if x is None else {"x": x})))
    assert isinstance(found, Said)
    assert found.sentence == sentence


@pytest.mark.parametrize(
    ("shape", "kind", "picture"),
    [
        ((5,), "curve", Curves),
        ((5, 1), "curve", Curves),
        ((5, 2), "points", Points),
        ((5, 3), "heat", Heat),
        ((5, 8, 8), "image", Images),
        ((5, 8, 8, 3), "image", Images),
    ],
)
def test_the_shape_decides_what_is_shown(shape: tuple[int, ...], kind: str, picture: type[Picture]) -> None:
    tensor = np.arange(float(np.prod(shape))).reshape(shape)
    assert kind_of(tensor) == kind
    assert isinstance(picture_of(tensor, None, None), picture)


def test_a_histogram_has_the_share_of_the_finite_elements_in_each_bin() -> None:
    found = picture_of(np.array([0.0, 1, 1, 2, np.nan]), None, np.array([[2.0], [2.0]]), "histogram")
    assert isinstance(found, Histogram)
    # Eight bins, the fewest; a number on an edge is in the bin above, the largest one in the last.
    np.testing.assert_array_equal(found.edges, np.linspace(0, 2, 9))
    np.testing.assert_array_equal(found.shares, [0.25, 0, 0, 0, 0.5, 0, 0, 0.25])
    np.testing.assert_array_equal(found.others, [0, 0, 0, 0, 0, 0, 0, 1])


def test_a_histogram_is_not_compared_with_the_labels_of_its_data() -> None:
    x, _ = gw.Data(set="moons", n=20, name="data")
    graph = gw.graph(gw.Loss(gw.Square(x, name="y"), name="L"))
    found = shown(with_monitor(graph, y="y.y", kind="histogram"))
    assert isinstance(found, Histogram)
    assert found.others is None
    compared = shown(with_monitor(graph, y="y.y", target="data.x", kind="histogram"))
    assert isinstance(compared, Histogram)
    assert compared.others is not None


def test_images_go_from_0_to_1_and_carry_their_labels() -> None:
    pixels = np.arange(2 * 16.0).reshape(2, 16)
    found = picture_of(pixels, None, np.array([[0.0, 0, 1], [0, 1, 0]]), "image")
    assert isinstance(found, Images)
    np.testing.assert_allclose(found.pixels.reshape(2, 16), pixels / 31, rtol=1e-15)
    assert found.labels == ("2", "1")


def test_a_large_tensor_is_shown_in_part() -> None:
    found = picture_of(np.zeros((10 * MOST_POINTS, 2)), None, None)
    assert isinstance(found, Points)
    assert found.at.shape == (MOST_POINTS, 2)


def rows(**parameters: object) -> tuple[Picture | None, list[Array]]:
    """Returns the picture on a Data block, and its x and y."""
    run = run_graph(gw.graph(*gw.Data(**parameters, name="data")))
    tensors = [run.tensor(PortName("main/data", port), False) for port in ("x", "y")]
    return PictureOf("main/data").answer(run), [tensor for tensor in tensors if tensor is not None]


def test_data_of_the_plane_are_points_in_the_colours_of_their_classes() -> None:
    found, (x, y) = rows(set="blobs", n=30, classes=3)
    assert isinstance(found, Points) and found.classes is not None
    np.testing.assert_array_equal(found.at, x)
    np.testing.assert_array_equal(found.classes, y.argmax(axis=1))


def test_data_of_a_function_are_points_of_x_and_y() -> None:
    found, (x, y) = rows(set="sine", n=30)
    assert isinstance(found, Points)
    np.testing.assert_array_equal(found.at, np.concatenate([x, y], axis=1))


@pytest.mark.parametrize(("name", "side"), [("digits", 8), ("glyphs", 28)])
def test_data_of_images_are_images_with_their_labels(name: str, side: int) -> None:
    found, (x, y) = rows(set=name, n=3)
    assert isinstance(found, Images)
    assert found.pixels.shape == (3, side, side, 1)
    np.testing.assert_allclose(found.pixels.ravel() * (x.max() - x.min()) + x.min(), x.ravel(), atol=1e-12)
    assert found.labels == tuple(map(str, y.argmax(axis=1)))
