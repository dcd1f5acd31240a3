"""Edits of pages that are made of several: each is one entry in the history. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable

from gradwire.engine.edits import edits
from gradwire.engine.edits.page_copies import pages_below
from gradwire.engine.graph.graph import Graph, Page
from gradwire.engine.graph.lookup import free_name


def ungroup_all(graph: Graph, page: str, blocks: Iterable[str]) -> tuple[Graph, list[str]]:
    """The graph with several Page blocks replaced by what stands on their pages, and the ids of that."""
    found: list[str] = []
    for block_id in blocks:
        graph, ids = edits.ungroup(graph, page, block_id)
        found += ids
    return graph, found


def may_use(graph: Graph, page: Page, used: Page) -> bool:
    """Whether a block on a page may use another one, which then must not contain the page."""
    return page.name not in {used.name, *(below.name for below in pages_below(graph, used.blocks.values()))}


def use_page(graph: Graph, page: str, used: str, at: tuple[int, int]) -> tuple[Graph, str]:
    """The graph with a block that uses a page, called after it."""
    block_id = free_name(used, graph.page(page).blocks)
    return edits.add_block(graph, page, "Page", id=block_id, at=at, parameters={"page": used})
