"""Notices of a model stand at the first block of the line that they name."""

from __future__ import annotations

import dataclasses

import gradwire as gw
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.graphs import placed_notices


def with_origin(graph: Graph, page: str, block: str, origin: str) -> Graph:
    found = graph.page(page)
    noted = dataclasses.replace(found.blocks[block], extra={"origin": origin})
    return graph.with_page(dataclasses.replace(found, blocks={**found.blocks, block: noted}))


def test_a_notice_stands_at_its_line_also_on_an_inner_page() -> None:
    x = gw.Input([1.0, 2.0], name="x")
    graph = gw.graph(gw.Loss(gw.Exp(gw.Maximum(x, 0.0, name="most"), name="exp"), name="loss"))
    graph, use = edits.group(graph, "main", ["most"], name="net")
    graph = with_origin(graph, "net", "most", "model.py:7")
    graph = with_origin(graph, "main", "exp", "model.py:9")
    notices = ["model.py:7: of two equal numbers.", "model.py:9: a bound.", "Saved by PyTorch 2.14.", "other.py:1: no."]
    assert placed_notices(graph, notices) == [
        (f"main/{use}/most", "Of two equal numbers."),
        ("main/exp", "A bound."),
        ("", "Saved by PyTorch 2.14."),
        ("", "other.py:1: no."),
    ]
