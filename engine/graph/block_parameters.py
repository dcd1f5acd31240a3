"""Graphs with other parameters of a block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gradwire.engine.graph.graph import Graph


def with_parameters(graph: Graph, name: str, parameters: Mapping[str, object]) -> Graph:
    """Returns a graph with other parameters of one block, by page and id."""
    page_name, _, block_id = name.partition("/")
    page = graph.page(page_name)
    block = page.blocks[block_id]
    changed = replace(block, parameters={**block.parameters, **parameters})
    pages = [replace(item, blocks={**item.blocks, block_id: changed}) if item is page else item for item in graph.pages]
    return replace(graph, pages=tuple(pages))
