"""Copies of a constant for each block that reads it, in place of long wires across the page."""

from __future__ import annotations

import dataclasses

from gradwire.engine.base.errors import EditError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import block_of, free_name, page_of, title_of
from gradwire.engine.graph.ports import role_of


def is_constant(block: Block) -> bool:
    """Returns whether a block always makes the same numbers: it reads nothing, and is not fed, trained or drawn."""
    kind = library.get(block.type)
    is_fixed = kind is not None and not (kind.inputs or kind.is_input or kind.is_variable or kind.draw)
    return is_fixed and kind is not None and kind.role in (Role.ORDINARY, Role.SOURCE)


def readers_of(page: Page, block_id: str) -> list[str]:
    """Returns the blocks that read a block, each once, in the order of their names."""
    found = {wire.target.block for wire in page.wires.values() if wire.source.block == block_id}
    return sorted(found & page.blocks.keys())


def copies_for_readers(graph: Graph, page_name: str, block_id: str) -> tuple[Graph, dict[str, str]]:
    """Returns the graph with a constant of its own for each reader of a block, and the constant of each reader.

    The first reader keeps the block itself. Values and all other gradients stay as they are.
    Raises: EditError if there is no such block, its numbers may change, it has one reader, or a block differentiates
    by it.
    """
    page = page_of(graph, page_name)
    block = block_of(page, block_id)
    readers = readers_of(page, block_id)
    if not is_constant(block):
        raise EditError(f"{title_of(block)} is no constant: copies of it might receive other numbers.")
    if len(readers) < 2:
        raise EditError(f"{title_of(block)} has fewer than two readers; there is nothing to copy it to.")
    for name in readers:
        if role_of(page.blocks[name]) is Role.GRADIENTS:
            raise EditError(f"{title_of(page.blocks[name])} differentiates by {title_of(block)}, so it must stay one.")
    blocks, own = dict(page.blocks), {readers[0]: block_id}
    for name in readers[1:]:
        own[name] = free_name(block_id, blocks)
        blocks[own[name]] = dataclasses.replace(block, id=own[name])
    wires = {target: _joined(wire, block_id, own) for target, wire in page.wires.items()}
    return graph.with_page(dataclasses.replace(page, blocks=blocks, wires=wires)), own


def _joined(wire: Wire, block_id: str, own: dict[str, str]) -> Wire:
    # The wires of a damaged file may name blocks that it does not have.
    if wire.source.block != block_id or wire.target.block not in own:
        return wire
    return Wire(Port(own[wire.target.block], wire.source.name), wire.target)
