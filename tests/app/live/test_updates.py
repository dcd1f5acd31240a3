"""Updates turn the old graph into the new one, including the order; a small edit has a small update."""

from __future__ import annotations

import pickle

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.app.live.process.updates import update_between, updated
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.engine.edit_sequences import SEQUENCES, Step, rich_graph


def are_same(a: Graph, b: Graph) -> bool:
    """Returns whether two graphs are equal, and list pages, blocks and wires in the same order."""
    orders = [[(page.name, list(page.blocks), list(page.wires.values())) for page in graph.pages] for graph in (a, b)]
    return a == b and orders[0] == orders[1]


def history(steps: list[Step]) -> list[Graph]:
    graphs = [rich_graph()]
    for step in steps:
        graphs.append(step(graphs[-1]))
    return graphs


@settings(deadline=None)
@given(SEQUENCES)
def test_an_update_gives_the_graph_after(steps: list[Step]) -> None:
    graphs = history(steps)
    assert are_same(updated(graphs[0], update_between(graphs[0], graphs[-1])), graphs[-1])


@settings(deadline=None)
@given(SEQUENCES, st.randoms(use_true_random=False))
def test_an_update_leads_from_any_graph_to_any_other(steps: list[Step], numbers: object) -> None:
    graphs = history(steps)
    a, b = numbers.choice(graphs), numbers.choice(graphs)  # type: ignore[attr-defined]  # Hypothesis types it so
    assert are_same(updated(a, update_between(a, b)), b)


@settings(deadline=None)
@given(SEQUENCES)
def test_a_copy_that_gets_every_update_stays_the_same(steps: list[Step]) -> None:
    """Simulates the other process, which never sees the objects themselves."""
    copy, before = Graph(()), Graph(())
    for graph in history(steps):
        copy = updated(copy, pickle.loads(pickle.dumps(update_between(before, graph))))
        before = graph
        assert are_same(copy, graph)


def test_an_edit_of_one_block_sends_one_block() -> None:
    graph = rich_graph()
    changed = edits.set_parameter(graph, "main", "x", "value", np.array(3.0))
    update = update_between(graph, changed)
    (page,) = update.pages
    assert list(page.blocks) == ["x"]
    assert (page.block_order, page.wires_removed, page.wires_added) == (None, frozenset(), ())


def test_the_same_graph_sends_nothing() -> None:
    graph = rich_graph()
    assert update_between(graph, graph).pages == ()
