"""Places of blocks that an edit has put on a wire: each takes the place of the block behind it, which gives way."""

from __future__ import annotations

from dataclasses import replace

from gradwire.engine.graph.graph import Graph, Page


def with_inserted_places(before: Graph, after: Graph) -> Graph:
    """Returns `after` with a position for each new block that ends at an input which had another wire before.

    It takes the position of the block with that input. Units: px at 100 %.
    """
    for page in after.pages:
        if before.has_page(page.name):
            after = after.with_page(_placed(before.page(page.name), page))
    return after


def _placed(old: Page, page: Page) -> Page:
    blocks = dict(page.blocks)
    for target, wire in page.wires.items():
        made, reader = blocks.get(wire.source.block), blocks.get(target.block)
        # The wires of a damaged file may name blocks that it does not have.
        if made is None or reader is None:
            continue
        is_inserted = target in old.wires and made.id not in old.blocks and reader.id in old.blocks
        if is_inserted and made.at is None and _reaches(page, old.wires[target].source.block, made.id):
            blocks[made.id] = replace(made, at=reader.at)
    return replace(page, blocks=blocks)


def _reaches(page: Page, source: str, made: str) -> bool:
    """Returns whether a new block reads the source of the wire on which it stands."""
    return any(wire.source.block == source for wire in page.wires.values() if wire.target.block == made)
