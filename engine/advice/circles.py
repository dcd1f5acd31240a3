"""Fixes for circles, which a file may hold: a wire is removed, or a page inside itself muted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine import edits
from engine.errors import EditError
from engine.expand import Expanded, expand
from engine.graph import Graph, Port, Wire
from engine.ports import pages_along
from engine.problems import Problem
from lint.broken_wires import disconnect
from lint.finding import Fix


def fix_of_circle(problem: Problem, graph: Graph, expanded: Expanded) -> Fix | None:
    """What ends a circle: without the wire that runs back furthest; of a page inside itself, with its use muted."""
    if problem.message.startswith("Page "):
        prefix, _, block_id = problem.at.rpartition("/")
        pages = pages_along(graph, prefix)
        edit = partial(edits.set_muted, page_name=pages[-1].name, ids=block_id, is_muted=True)
        return Fix(f"Mute {block_id}", edit)
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


def without_circles(graph: Graph) -> Graph:
    """The graph with all its circles ended."""
    while True:
        expanded, before = expand(graph), graph
        for problem in [item for item in expanded.problems if item.code == "cycle"]:
            fix = fix_of_circle(problem, before, expanded)
            try:
                graph = graph if fix is None else fix.edit(graph)
            except EditError:  # the same wire ended another circle
                continue
        if graph is before:
            return graph


def _wires_of_ring(path: str, expanded: Expanded) -> Iterator[tuple[str, Wire]]:
    """The wires of a shortest ring through an instance, each with the path of the use of its page."""
    ring = _ring(path, expanded)
    for before, after in zip(ring, [*ring[1:], ring[0]], strict=True):
        instance = expanded.instances[after]
        for name, source in instance.inputs.items():
            prefix, _, block_id = after.rpartition("/")
            if source.path != before or instance.is_entered:
                continue
            if source.path.rpartition("/")[0] != prefix:
                # What is wired to a use of a page arrives at the PageInput inside.
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
    """How far to the left a wire runs, in px; what has no place is taken to run on."""
    ends = [expanded.instances[f"{prefix}/{port.block}"].block.at for port in wire]
    return 0 if ends[0] is None or ends[1] is None else ends[0][0] - ends[1][0]
