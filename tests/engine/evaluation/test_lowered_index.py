"""The index of a lowered graph that follows edits is the one that is built anew."""

from __future__ import annotations

import random

import pytest

from gradwire.engine.autodiff.infer_update import update_inference
from gradwire.engine.autodiff.status import find_cuts
from gradwire.engine.base.errors import CannotUpdate, EditError
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.evaluation.lower_update import IncrementalLowering
from gradwire.engine.evaluation.lowered_index import LoweredIndex
from gradwire.engine.graph.graph import Graph
from tests.engine.evaluation.test_update import KINDS
from tests.random_graphs import random_graph


def assert_new(index: LoweredIndex) -> None:
    lowered = index.lowered
    fresh = LoweredIndex(lowered, find_cuts(lowered.backward))
    assert {item: set(edges) for item, edges in index.users.items() if edges} == {
        item: set(edges) for item, edges in fresh.users.items()
    }
    assert index.names == fresh.names
    wired = {edge for edges in index.users.values() for edge in edges}
    assert {edge: index.targets.get(edge) for edge in wired} == {edge: fresh.targets.get(edge) for edge in wired}
    assert (index.order, index.places, index.cuts) == (fresh.order, fresh.places, fresh.cuts)
    for item in [output for application in index.order for output in application.outputs]:
        parts, expected = index.parts.known(item), fresh.parts.known(item)
        # The order of two terms does not matter.
        assert parts == expected if len(expected) > 2 else set(parts) == set(expected)
        assert index.edges_to(item) == fresh.edges_to(item)


def owners(index: LoweredIndex) -> list[str]:
    return [index.lowered.owners.get(application, "") for application in index.order]


def lowering_of(graph: Graph) -> IncrementalLowering:
    lowered = run_graph(graph).lowered
    return IncrementalLowering(lowered, find_cuts(lowered.backward))


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_index_built_anew(seed: int) -> None:
    choose, graph, followed = random.Random(seed), random_graph(24, seed, reach=6), 0
    lowering = lowering_of(graph)
    for _ in range(30):
        try:
            edited = KINDS[choose.choice(list(KINDS))](graph, choose)
        except EditError:
            continue
        found = update_inference(lowering.index.lowered.inferred, edited)
        try:
            if found is not None:
                lowering.update(*found)
                graph, followed = edited, followed + 1
                assert_new(lowering.index)
                assert owners(lowering.index) == owners(lowering_of(graph).index)
        except CannotUpdate:
            lowering = lowering_of(graph)
    assert followed > 5
