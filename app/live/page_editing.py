"""Edits of pages that are made of several: each is one entry in the history. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable, Set

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


def fold_chain(graph: Graph, page: str, blocks: Iterable[str]) -> tuple[Graph, str]:
    """The graph with a chain of blocks replaced by a loop, and its id; what stands behind the chain moves up to it."""
    folded, made = edits.fold(graph, page, blocks)
    before, after = graph.page(page).blocks, folded.page(page).blocks
    ends = [block.at[0] for name, block in before.items() if name not in after and block.at is not None]
    place = after[made].at
    if not ends or place is None:
        return folded, made
    return _with_moved(folded, page, max(ends), place[0] - max(ends), after.keys() - before.keys()), made


def unroll_all(graph: Graph, page: str, blocks: Iterable[str]) -> tuple[Graph, list[str]]:
    """The graph with several loops replaced by a block for each of their rounds, and the ids of these.

    What stands behind a loop moves on behind the last round.
    """
    found: list[str] = []
    for block_id in blocks:
        place = graph.page(page).blocks[block_id].at
        graph, ids = edits.unroll(graph, page, block_id)
        made = [graph.page(page).blocks[name].at for name in ids]
        if place is not None:
            last = max((at[0] for at in made if at is not None), default=place[0])
            graph = _with_moved(graph, page, place[0], last - place[0], set(ids))
        found += ids
    return graph, found


def _with_moved(graph: Graph, page: str, left: float, shift: float, without: Set[str]) -> Graph:
    """The graph with all blocks to the right of a place moved to the side, but for some."""
    blocks = graph.page(page).blocks.values()
    behind = {
        block.id: (block.at[0] + shift, block.at[1])
        for block in blocks
        if block.at is not None and block.at[0] > left and block.id not in without
    }
    return edits.move_blocks(graph, page, behind)


def may_use(graph: Graph, page: Page, used: Page) -> bool:
    """Whether a block on a page may use another one, which then must not contain the page."""
    return page.name not in {used.name, *(below.name for below in pages_below(graph, used.blocks.values()))}


def use_page(graph: Graph, page: str, used: str, at: tuple[int, int]) -> tuple[Graph, str]:
    """The graph with a block that uses a page, called after it."""
    block_id = free_name(used, graph.page(page).blocks)
    return edits.add_block(graph, page, "Page", id=block_id, at=at, parameters={"page": used})
