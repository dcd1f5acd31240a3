"""What a training has reached at each graph."""

from __future__ import annotations

import gc

from gradwire.app.features.training.reached import Reached, ReachedAt
from gradwire.engine.graph.graph import Graph
from tests.app.window.graphs import chain


def test_what_was_reached_goes_with_its_graph() -> None:
    known, graph, other = ReachedAt(), chain(), chain()
    first, second = Reached(1), Reached(2)
    known.note(graph, first)
    assert known.get(graph) is first and known.get(other) is None
    known.note(graph, second)
    known.note(other, first)
    gc.collect()
    assert known.get(graph) is second and known.get(other) is first and len(known._known) == 2
    del other
    gc.collect()
    assert len(known._known) == 1 and known.get(graph) is second and known.get(Graph()) is None
