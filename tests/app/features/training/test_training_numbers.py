"""What a training has reached at each graph."""

from __future__ import annotations

import gc
from weakref import WeakKeyDictionary

from gradwire.app.features.training.reached import Reached
from gradwire.engine.graph.graph import Graph
from tests.app.window.graphs import chain


def test_what_was_reached_goes_with_its_graph() -> None:
    graph, other = chain(), chain()
    known: WeakKeyDictionary[Graph, Reached] = WeakKeyDictionary()
    first, second = Reached(1), Reached(2)
    known[graph] = first
    assert known.get(graph) is first and known.get(other) is None
    known[graph] = second
    known[other] = first
    gc.collect()
    assert known.get(graph) is second and known.get(other) is first and len(known) == 2
    del other
    gc.collect()
    assert len(known) == 1 and known.get(graph) is second and known.get(Graph()) is None
