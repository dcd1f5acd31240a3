"""Blocks whose output has as many rows as the values ask for: shown with their values, never with a guess."""

from __future__ import annotations

import numpy as np

from engine.graph import Graph, Port
from tests.app.window.driver import Driver
from tests.app.window.graphs import wired, with_block


def masked() -> Graph:
    """x = [1, 2, 3, 4], of which a mask leaves the first and the third, squared and summed."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([1.0, 2.0, 3.0, 4.0]))
    graph = with_block(graph, "m", "Constant", (0, 200), value=np.array([True, False, True, False]))
    graph = with_block(graph, "kept", "BooleanMask", (280, 0))
    graph = with_block(graph, "q", "Square", (560, 0))
    graph = with_block(graph, "loss", "Loss", (840, 0))
    return wired(graph, "x.y > kept.tensor", "m.y > kept.mask", "kept.y > q.x", "q.y > loss.x")


def test_what_a_mask_leaves_is_known_from_the_values(user: Driver) -> None:
    user.show(masked())
    kept, back = user.wire("q.x"), user.wire("kept.tensor")
    assert user.session.spec(Port("kept", "y")) is None or user.session.spec(Port("kept", "y")).shape == (2,)
    reading = user.session.wire(kept)
    assert reading.value.first == (1.0, 3.0)
    assert reading.gradient.first == (2.0, 6.0)
    assert user.session.wire(back).gradient.first == (2.0, 0.0, 6.0, 0.0)
    assert user.session.results.loss.value == 10.0
    assert not user.session.problems
