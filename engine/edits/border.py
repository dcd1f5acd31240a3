"""Conditions under which turning some blocks into a page, or back, preserves all numbers."""

from __future__ import annotations

from collections.abc import Iterator, Set

from gradwire.engine.base.errors import CycleError, EditError
from gradwire.engine.base.problems import row_text
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import blocks_after, consumers_of, title_of
from gradwire.engine.graph.ports import has_input, has_output, role_of


def check_no_way_back(page: Page, inside: Set[str]) -> None:
    """Checks that no path leaves the blocks and returns to them, so that they can become one block.

    Raises: CycleError, naming the path.
    """
    reached_from: dict[str, str] = {}
    pending: list[str] = []
    for start in (wire for wire in page.wires.values() if wire.source.block in inside):
        if start.target.block not in inside and start.target.block not in reached_from:
            reached_from[start.target.block] = start.source.block
            pending.append(start.target.block)
    following = consumers_of(page)
    while pending:
        block_id = pending.pop()
        for consumer in following.get(block_id, ()):
            if consumer in inside:
                raise _way_back(reached_from, block_id, consumer, inside)
            if consumer not in reached_from:
                reached_from[consumer] = block_id
                pending.append(consumer)


def check_wires(graph: Graph, page: Page, inside: Set[str]) -> None:
    """Checks that every wire across the border connects two existing ports.

    Raises: EditError naming the first that does not.
    """
    surplus = set(page.surplus)
    for wire in (*page.wires.values(), *page.surplus):
        if (wire.source.block in inside) is (wire.target.block in inside):
            continue
        ends = ((wire.source, has_output), (wire.target, has_input))
        is_broken = any(
            port.block not in page.blocks or has(graph, page.blocks[port.block], port.name) is False
            for port, has in ends
        )
        if is_broken or wire in surplus:
            raise EditError(f"The wire from {wire.source} to {wire.target} is not connected; remove it first.")


def check_derivatives(page: Page, inside: Set[str]) -> None:
    """Checks that the border does not change the paths from xs to y of any Gradients block.

    Raises: EditError.
    """
    for block in page.blocks.values():
        if role_of(block) is Role.GRADIENTS:
            _check_stops(block, inside)
            if not all(_is_whole(page, inside, block.id, source) for source in _differentiated(page, block.id)):
                raise EditError(
                    f"{title_of(block)} differentiates along a path that the border of the page would cut; "
                    "select all blocks from its xs to its y, or leave it out."
                )


def _differentiated(page: Page, block_id: str) -> Iterator[Port]:
    """Returns the ports with respect to which a Gradients block differentiates."""
    return (
        wire.source
        for wire in page.wires.values()
        if wire.target.block == block_id and wire.target.name.startswith("xs_")
    )


def _is_whole(page: Page, inside: Set[str], block_id: str, source: Port) -> bool:
    """Returns whether all paths from a port to the Gradients block's y leave through the port that grouping creates."""
    y = page.wires.get(Port(block_id, "y"))
    if y is None or (source.block in inside) is (block_id in inside):
        return True
    starts = [wire.target.block for wire in page.wires_from(source)]
    astray = [name for name in starts if name != block_id and (name in inside) is (source.block in inside)]
    return y.source.block not in blocks_after(page, astray)


def _check_stops(block: Block, inside: Set[str]) -> None:
    stops = block.parameters.get("stop_gradients")
    for name in stops if isinstance(stops, tuple) else ():
        other = str(name).partition(".")[0]
        if (other in inside) is not (block.id in inside):
            raise EditError(
                f"{title_of(block)} stops gradients at {name}, on the other side of the page's border; "
                "take both along, or neither."
            )


def _way_back(reached_from: dict[str, str], last: str, goal: str, inside: Set[str]) -> CycleError:
    way = [last]
    while way[-1] not in inside:
        way.append(reached_from[way[-1]])
    between = row_text(reversed(way[:-1]), ", ")
    shown = row_text([*reversed(way), goal], " -> ")
    message = f"These blocks cannot become one page: {between} would be before and after it ({shown}). Select it too."
    return CycleError(message, (*reversed(way), goal))


def crossing(page: Page, inside: Set[str]) -> tuple[list[Wire], list[Wire]]:
    """Returns the wires into some blocks and those out of them, top to bottom."""
    across = (
        wire for wire in page.wires.values() if (wire.source.block in inside) is not (wire.target.block in inside)
    )
    wires = sorted(across, key=lambda wire: _height(page, wire))
    into = [wire for wire in wires if wire.target.block in inside]
    out = [wire for wire in wires if wire.source.block in inside]
    return into, out


def _height(page: Page, wire: Wire) -> tuple[int, str, str, int, str, str]:
    source, target = (page.blocks.get(port.block) for port in wire)
    heights = [block.at[1] if block is not None and block.at else 0 for block in (target, source)]
    return heights[0], *wire.target, heights[1], *wire.source
