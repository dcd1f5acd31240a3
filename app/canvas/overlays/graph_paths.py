"""The paths through a page: what leads from something to the loss, and what leads to it from the inputs."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable

from gradwire.app.live.session import Selection
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Graph, Page, Wire
from gradwire.engine.graph.ports import role_of


class PathKind(enum.Enum):
    """Kinds of paths that are shown."""

    TO_LOSS = "to the loss"
    FROM_INPUTS = "from the inputs"
    BOTH = "both"
    ALONE = "alone"


def items_on_paths(graph: Graph, page: Page, start: Selection, way: PathKind) -> Selection:
    """Returns the blocks and wires of a page that lie on the paths through some blocks and wires, those included.

    On a page that others use the paths to the loss lead to its outputs. Without such a path only the start is left.
    """
    found = Selection(start.blocks, start.wires)
    if way is PathKind.ALONE:
        return found
    if way is not PathKind.FROM_INPUTS:
        found |= _to_loss(graph, page, start)
    if way is not PathKind.TO_LOSS:
        first = start.blocks | {wire.source.block for wire in start.wires}
        wires = _reached(page.wires.values(), first, _backward)
        found |= Selection(first | {wire.source.block for wire in wires}, wires)
    return found


def _to_loss(graph: Graph, page: Page, start: Selection) -> Selection:
    first = start.blocks | {wire.target.block for wire in start.wires}
    after = _reached(page.wires.values(), first, _forward)
    ends = frozenset(ends_of(graph, page))
    before = _reached(page.wires.values(), ends, _backward)
    wires = after & before
    on_the_way = {wire.target.block for wire in wires} | {wire.source.block for wire in wires}
    return Selection(frozenset(on_the_way | (first & ends)), wires)


def ends_of(graph: Graph, page: Page) -> list[str]:
    """Returns the blocks at which a page's paths to the loss end: its active Loss blocks, or its outputs."""
    active = [
        block.id
        for block in page.blocks.values()
        if role_of(block) is Role.LOSS and graph.loss in (None, f"{page.name}/{block.id}")
    ]
    return active or [block.id for block in page.blocks.values() if role_of(block) is Role.PAGE_OUTPUT]


def _forward(wire: Wire) -> tuple[str, str]:
    return wire.source.block, wire.target.block


def _backward(wire: Wire) -> tuple[str, str]:
    return wire.target.block, wire.source.block


def _reached(wires: Iterable[Wire], start: Iterable[str], ends: Callable[[Wire], tuple[str, str]]) -> frozenset[Wire]:
    """Returns the wires that are reached from some blocks; each wire leads from the first of its ends to the second."""
    leaving: dict[str, list[Wire]] = {}
    for wire in wires:
        leaving.setdefault(ends(wire)[0], []).append(wire)
    found: set[Wire] = set()
    waiting = list(start)
    seen = set(waiting)
    while waiting:
        for wire in leaving.get(waiting.pop(), ()):
            found.add(wire)
            after = ends(wire)[1]
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return frozenset(found)
