"""Whether two graphs have the same blocks: values, places and wires may differ, blocks and their types may not."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.edits import edits, page_edits
from gradwire.engine.graph.graph import Block, Graph, keeps_blocks
from tests.gallery import example
from tests.recorded import make_graph

KEEP = {
    "value": lambda graph: edits.set_parameter(graph, "main", "x", "value", np.array([4.0, 5.0, 6.0])),
    "place": lambda graph: edits.move_blocks(graph, "main", {"x": (7, 8)}),
}
CHANGE = {
    "block": lambda graph: edits.add_block(graph, "main", "Exp")[0],
    "no block": lambda graph: edits.remove_blocks(graph, "main", "stop"),
    "muted": lambda graph: edits.set_muted(graph, "main", "stop", True),
    "page": lambda graph: page_edits.add_page(graph, "other")[0],
}


@pytest.fixture
def graph() -> Graph:
    return example("softmax_stable")


def test_a_graph_keeps_the_blocks_of_its_own(graph: Graph) -> None:
    assert keeps_blocks(graph, graph)


@pytest.mark.parametrize("name", KEEP)
def test_other_values_and_places_keep_the_blocks(graph: Graph, name: str) -> None:
    edited = KEEP[name](graph)
    assert edited != graph and keeps_blocks(graph, edited) and keeps_blocks(edited, graph)


@pytest.mark.parametrize("name", CHANGE)
def test_other_blocks_and_pages_do_not(graph: Graph, name: str) -> None:
    edited = CHANGE[name](graph)
    assert not keeps_blocks(graph, edited) and not keeps_blocks(edited, graph)


def test_where_a_page_should_be_named_anything_may_stand() -> None:
    pages = (np.array([1.0, 2.0]), np.array([1.0, 3.0]), "other")
    odd = [make_graph([Block("p", "Page", parameters={"page": page})], []) for page in pages]
    assert keeps_blocks(odd[0], odd[0])
    assert not any(keeps_blocks(odd[0], other) for other in odd[1:])
