"""The difference between two graphs in a compact form: an edit of one block costs one block."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from gradwire.engine.graph.graph import Block, Graph, Page, PageChanges, Port, Wire, changes


@dataclass(frozen=True)
class PageUpdate:
    """A page without its blocks and wires, and the difference of these from the receiver's page."""

    page: Page
    blocks: Mapping[str, Block]
    block_order: tuple[str, ...] | None
    wires_removed: frozenset[Wire]
    wires_added: tuple[Wire, ...]


@dataclass(frozen=True)
class Update:
    """A graph with only the names of its pages, and the pages that changed."""

    graph: Graph
    page_names: tuple[str, ...]
    pages: tuple[PageUpdate, ...]


def update_between(old: Graph, new: Graph) -> Update:
    """Returns the update that turns `old` into `new`."""
    before = {page.name: page for page in old.pages}
    after = {page.name: page for page in new.pages}
    changed = {name: change for name, change in changes(old, new).items() if name in after}
    pages = tuple(_page_update(before.get(name, Page(name)), after[name], changed[name]) for name in changed)
    return Update(dataclasses.replace(new, pages=()), tuple(after), pages)


def updated(old: Graph, update: Update) -> Graph:
    """Returns `old` with an update applied."""
    before = {page.name: page for page in old.pages}
    for item in update.pages:
        name = item.page.name
        before[name] = _updated_page(before.get(name, Page(name)), item)
    return dataclasses.replace(update.graph, pages=tuple(before[name] for name in update.page_names))


def _page_update(old: Page, new: Page, change: PageChanges) -> PageUpdate:
    blocks = {name: new.blocks[name] for name in change.added | change.changed}
    order = None if list(old.blocks) == list(new.blocks) else tuple(new.blocks)
    # The order of wires is part of a page: all wires after the first difference are sent again.
    before, after = ([], []) if old.wires is new.wires else (list(old.wires.values()), list(new.wires.values()))
    kept = _same_beginning(before, after)
    removed, added = frozenset(before[kept:]), tuple(after[kept:])
    return PageUpdate(dataclasses.replace(new, blocks={}, wires={}), blocks, order, removed, added)


def _same_beginning(old: list[Wire], new: list[Wire]) -> int:
    for index, (a, b) in enumerate(zip(old, new, strict=False)):
        if a != b:
            return index
    return min(len(old), len(new))


def _updated_page(old: Page, update: PageUpdate) -> Page:
    blocks = {**old.blocks, **update.blocks}
    if update.block_order is not None:
        blocks = {name: blocks[name] for name in update.block_order}
    return dataclasses.replace(update.page, blocks=blocks, wires=_updated_wires(old.wires, update))


def _updated_wires(old: Mapping[Port, Wire], update: PageUpdate) -> Mapping[Port, Wire]:
    if not update.wires_removed and not update.wires_added:
        return old
    wires = {target: wire for target, wire in old.items() if wire not in update.wires_removed}
    return wires | {wire.target: wire for wire in update.wires_added}
