"""Fixes for cycles in a file: they remove a wire, or mute a page inside itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from functools import partial

from gradwire.engine.advice.broken_wires import disconnect
from gradwire.engine.advice.finding import Fix
from gradwire.engine.autodiff.expand import Expanded, expand
from gradwire.engine.autodiff.page_uses import PageUses, ring_sentence
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.problems import Problem, row_text
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Port, Wire
from gradwire.engine.graph.ports import pages_along


def fix_of_circle(problem: Problem, graph: Graph, expanded: Expanded) -> Fix | None:
    """Returns the fix for a cycle: it removes the wire that runs back furthest, or mutes pages inside themselves."""
    uses = PageUses(graph)
    ring = uses.rings.get(pages_along(graph, problem.at.rpartition("/")[0])[-1].name, ())
    if ring and problem.message == ring_sentence(ring):
        back = uses.leading_back(ring)
        names = row_text(itertools.chain.from_iterable(back.values()), ", ")
        return Fix(f"Mute {names}", partial(_mute, blocks=back))
    found = list(_wires_of_ring(problem.at, expanded))
    if not found:
        return None
    outermost = min(prefix.count("/") for prefix, _ in found)
    prefix, wire = max(
        (item for item in found if item[0].count("/") == outermost),
        key=lambda item: _way_back(item[0], item[1], expanded),
    )
    edit = partial(disconnect, page_name=pages_along(graph, prefix)[-1].name, wires=(wire,))
    return Fix(f"Remove the wire from {wire.source} to {wire.target}", edit)


def _mute(graph: Graph, blocks: Mapping[str, list[str]]) -> Graph:
    for page, ids in blocks.items():
        graph = edits.set_muted(graph, page, ids, True) if ids else graph
    return graph


def without_circles(graph: Graph) -> Graph:
    """Returns the graph with all its cycles broken."""
    while True:
        expanded, before = expand(graph), graph
        for problem in [item for item in expanded.problems if item.code == "cycle"]:
            fix = fix_of_circle(problem, before, expanded)
            try:
                graph = graph if fix is None else fix.edit(graph)
            except EditError:  # The same wire broke another cycle.
                continue
        if graph is before:
            return graph


def _wires_of_ring(path: str, expanded: Expanded) -> Iterator[tuple[str, Wire]]:
    """Yields the wires of a shortest cycle through an instance, each with the path of its page's use."""
    ring = _ring(path, expanded)
    for before, after in zip(ring, [*ring[1:], ring[0]], strict=True):
        instance = expanded.instances[after]
        for name, source in instance.inputs.items():
            prefix, _, block_id = after.rpartition("/")
            if source.path != before or instance.is_entered:
                continue
            if source.path.rpartition("/")[0] != prefix:
                # A wire to a use of a page arrives at the PageInput inside.
                name = str(instance.block.parameters.get("name"))
                prefix, _, block_id = prefix.rpartition("/")
            yield prefix, Wire(Port(source.path.rpartition("/")[2], source.port), Port(block_id, name))


def _ring(path: str, expanded: Expanded) -> list[str]:
    came_from = {path: ""}
    pending = [path]
    for before in pending:
        for after in expanded.consumers.get(before, ()):
            if after == path:
                ring = [before]
                while ring[-1] != path:
                    ring.append(came_from[ring[-1]])
                return ring[::-1]
            if after not in came_from:
                came_from[after] = before
                pending.append(after)
    return [path]


def _way_back(prefix: str, wire: Wire, expanded: Expanded) -> int:
    """Returns how far to the left a wire runs, in px; 0 if an end has no place."""
    ends = [expanded.instances[f"{prefix}/{port.block}"].block.at for port in wire]
    return 0 if ends[0] is None or ends[1] is None else ends[0][0] - ends[1][0]
