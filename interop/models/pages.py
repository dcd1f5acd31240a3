"""A page for each module: what was called in it, with its parameters inside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.edits.grouping import group
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.names import block_name

_MAIN = "main"
# A page of fewer blocks hides more than it shows.
_LEAST = 3


def with_pages(graph: Graph, modules: Mapping[str, str]) -> Graph:
    """Returns the graph with the blocks of each module on a page of its own, inner modules inside.

    `modules` has the path of the module by block. A module whose wires would form a circle stays as it is.
    """
    inside: dict[str, set[str]] = defaultdict(set)
    children: dict[str, dict[str, None]] = defaultdict(dict)
    for block, path in modules.items():
        parts = path.split(".") if path else []
        for depth in range(1, len(parts) + 1):
            own = ".".join(parts[:depth])
            inside[own].add(block)
            children[".".join(parts[: depth - 1])][own] = None
    # Outer modules first: what is then on a page of its own is out of the way.
    waiting = [(_MAIN, path) for path in reversed(children[""])]
    while waiting:
        page, path = waiting.pop()
        if len(inside[path]) >= _LEAST:
            graph, page = _grouped(graph, page, path, inside[path])
        waiting += [(page, child) for child in reversed(children[path])]
    return graph


def _grouped(graph: Graph, page: str, path: str, blocks: set[str]) -> tuple[Graph, str]:
    """Returns the graph with these blocks on a page of their own, and the page that they are on."""
    try:
        grouped, block = group(graph, page, blocks, name=block_name(path))
    except GradwireError:
        return graph, page
    return grouped, str(grouped.page(page).blocks[block].parameters["page"])
