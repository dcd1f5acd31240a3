"""Graphs with blocks that show something, for tests."""

from __future__ import annotations

from dataclasses import replace

from gradwire.engine.graph.graph import Block, Graph, Port, Wire


def with_monitor(graph: Graph, type_name: str = "Monitor", **wired: object) -> Graph:
    """Returns a graph with one more block, `shown`; keywords are parameters, or ports as `"block.port"`."""
    page = graph.pages[0]
    ports = {name: wired.pop(name) for name in ("y", "x", "target") if name in wired}
    block = Block("shown", type_name, at=(0, 0), parameters=wired)
    wires = {
        Port("shown", name): Wire(Port(*str(source).split(".")), Port("shown", name)) for name, source in ports.items()
    }
    return graph.with_page(replace(page, blocks={**page.blocks, "shown": block}, wires={**page.wires, **wires}))
