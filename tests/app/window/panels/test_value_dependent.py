"""Blocks whose output shape depends on the values: shown with their values, never with a guess."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QLineEdit

from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.live.selection import Selection
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import Driver
from tests.app.window.graphs import wired, with_block

pytestmark = pytest.mark.usefixtures("one_window")


def masked() -> Graph:
    """Returns x = [1, 2, 3, 4], whose first and third element pass a mask, squared and summed."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([1.0, 2.0, 3.0, 4.0]))
    graph = with_block(graph, "m", "Constant", (0, 200), value=np.array([True, False, True, False]))
    graph = with_block(graph, "kept", "BooleanMask", (280, 0))
    graph = with_block(graph, "q", "Square", (560, 0))
    graph = with_block(graph, "loss", "Loss", (840, 0))
    return wired(graph, "x.y > kept.tensor", "m.y > kept.mask", "kept.y > q.x", "q.y > loss.x")


def test_what_a_mask_leaves_is_known_from_the_values(user: Driver) -> None:
    user.show(masked())
    kept = user.session.wire(user.wire("q.x"))
    whole = user.session.wire(user.wire("kept.tensor"))
    results = user.session.results
    assert kept is not None and kept.value is not None and kept.gradient is not None
    assert kept.value.first == (1.0, 3.0)
    assert kept.gradient.first == (2.0, 6.0)
    assert whole is not None and whole.gradient is not None
    assert whole.gradient.first == (2.0, 0.0, 6.0, 0.0)
    assert results is not None and results.loss is not None
    assert float(results.loss.value) == 10.0
    assert not user.session.problems


def test_ports_show_the_shape_that_the_run_found_where_none_is_inferred(user: Driver) -> None:
    user.show(masked())
    mirror = user.canvas.mirror
    shape = mirror.shapes[mirror.rows["q"]]
    found = {port.name: mirror.spec_of("q", port) for port in shape.ports}
    assert {port.spec for port in shape.ports} == {None}
    assert found == {"x": TensorSpec((2,), np.dtype(float)), "y": TensorSpec((2,), np.dtype(float))}


def test_a_value_of_unknown_size_has_room_below_the_ports(user: Driver) -> None:
    user.show(masked())
    mirror = user.canvas.mirror
    for name in ("kept", "q"):
        shape = mirror.shapes[mirror.rows[name]]
        assert shape.body is Body.BARS
        assert shape.body_box.top() > max(port.y for port in shape.ports)
        assert shape.body_box.bottom() < shape.height


def test_the_inspector_shows_that_shape_too(user: Driver) -> None:
    user.show(masked())
    user.session.select(Selection(blocks=frozenset({"kept"})))
    texts = {field.text() for field in user.window.findChildren(QLineEdit) if field.isReadOnly()}
    assert {"float64", "[4], [4] → [2]"} <= texts
