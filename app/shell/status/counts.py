"""How many blocks, wires and StopGradients a graph has."""

from __future__ import annotations

import collections
from operator import attrgetter
from typing import NamedTuple

from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph, Page, keeps_blocks
from gradwire.engine.graph.loops import carried_names, is_loop, sound_loop
from gradwire.engine.graph.ports import used_page


class Counts(NamedTuple):
    """The size of a graph."""

    blocks: int = 0
    wires: int = 0
    stops: int = 0


class Counter:
    """A counter that looks at blocks again only when they have changed."""

    def __init__(self) -> None:
        # The graph that has been counted, its StopGradients, and its loops.
        self._counted: tuple[Graph | None, int, list[tuple[str, str]]] = None, 0, []

    def count(self, graph: Graph) -> Counts:
        """Returns the size of a graph; StopGradients are not counted again while its blocks stay."""
        counted, stops, loops = self._counted
        if counted is None or not keeps_blocks(counted, graph):
            stops = sum(map(_stops_of, graph.pages))
            loops = [(page.name, block.id) for page in graph.pages for block in page.blocks.values() if is_loop(block)]
        self._counted = graph, stops, loops
        stops += sum(_stops_in(graph, graph.page(page).blocks[name]) for page, name in loops)
        wires = sum(len(page.wires) + len(page.surplus) for page in graph.pages)
        return Counts(sum(len(page.blocks) for page in graph.pages), wires, stops)


def _stops_of(page: Page) -> int:
    kinds = collections.Counter(map(attrgetter("type"), page.blocks.values()))
    return sum(count for name, count in kinds.items() if name in library and library[name].role is Role.STOP)


def _stops_in(graph: Graph, block: Block) -> int:
    """Returns how many StopGradient blocks a loop stands for."""
    loop, used = sound_loop(block), used_page(graph, block)
    if loop is None or used is None or block.is_muted:
        return 0
    return len(carried_names(used)) * sum(map(loop.stops_before, range(loop.times)))
