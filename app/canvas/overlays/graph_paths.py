"""The paths through a page: what leads from something to the loss, and what leads to it from the inputs."""

from __future__ import annotations

import enum

from gradwire.app.live.session import Selection
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Graph, Page
from gradwire.engine.graph.lookup import blocks_after, blocks_before
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
    if way in (PathKind.TO_LOSS, PathKind.BOTH):
        after = blocks_after(page, start.blocks | {wire.target.block for wire in start.wires})
        before = blocks_before(page, ends_of(graph, page))
        wires = [wire for wire in page.wires.values() if wire.source.block in after and wire.target.block in before]
        found |= Selection(frozenset(after & before), frozenset(wires))
    if way in (PathKind.FROM_INPUTS, PathKind.BOTH):
        before = blocks_before(page, start.blocks | {wire.source.block for wire in start.wires})
        wires = [wire for wire in page.wires.values() if wire.target.block in before]
        found |= Selection(frozenset(before), frozenset(wires))
    return found


def ends_of(graph: Graph, page: Page) -> list[str]:
    """Returns the blocks at which a page's paths to the loss end: its active Loss blocks, or its outputs."""
    losses = [block.id for block in page.blocks.values() if role_of(block) is Role.LOSS]
    active = [name for name in losses if graph.loss in (None, f"{page.name}/{name}")]
    return active or [block.id for block in page.blocks.values() if role_of(block) is Role.PAGE_OUTPUT]
