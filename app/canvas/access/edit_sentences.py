"""The sentence for an edit: which blocks and wires it has added, removed, muted or unmuted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradwire.app.base.translation import tr, tr_count
from gradwire.engine.graph.graph import Page, Port, Wire

# More things than this are counted, not named.
NAMED = 3


def edit_sentence(old: Page, new: Page) -> str:
    """Returns what an edit has made of a page, "" if only places and numbers differ. Cost: O(blocks + wires)."""
    return ". ".join(part for part in (*_blocks(old, new), *_wires(old, new)) if part)


def _blocks(old: Page, new: Page) -> Iterator[str]:
    if old.blocks is new.blocks:
        return
    yield _said(tr("{things} added"), _named(new, new.blocks.keys() - old.blocks.keys()), "block")
    yield _said(tr("{things} deleted"), _named(old, old.blocks.keys() - new.blocks.keys()), "block")
    both = [name for name in new.blocks if name in old.blocks and new.blocks[name] is not old.blocks[name]]
    changed = [name for name in both if new.blocks[name].is_muted is not old.blocks[name].is_muted]
    for is_muted, text in ((True, tr("{things} muted")), (False, tr("{things} unmuted"))):
        yield _said(text, _named(new, [name for name in changed if new.blocks[name].is_muted is is_muted]), "block")


def _wires(old: Page, new: Page) -> Iterator[str]:
    if old.wires is new.wires:
        return
    before, after = set(old.wires.values()), set(new.wires.values())
    yield _said(tr("Connected {things}"), _ends(after - before), "wire")
    # The wires of a deleted block are gone with it.
    left = [wire for wire in before - after if _has(new, wire.source) and _has(new, wire.target)]
    yield _said(tr("Disconnected {things}"), _ends(left), "wire")


def _has(page: Page, port: Port) -> bool:
    return port.block in page.blocks


def _named(page: Page, names: Iterable[str]) -> list[str]:
    """Returns the spoken names of some blocks: type and name where they differ."""
    blocks = [page.blocks[name] for name in sorted(names)]
    return [
        block.id if block.id.partition("_")[0] == block.type else f"{block.type} {block.label or block.id}"
        for block in blocks
    ]


def _ends(wires: Iterable[Wire]) -> list[str]:
    return [
        tr("{source} to {target}", source=wire.source.block, target=f"{wire.target.block} {wire.target.name}")
        for wire in sorted(wires)
    ]


def _said(text: str, things: list[str], kind: str) -> str:
    if not things:
        return ""
    if len(things) <= NAMED:
        return text.format(things=", ".join(things))
    if kind == "wire":
        return text.format(things=tr_count("{count} wire", "{count} wires", len(things)))
    return text.format(things=tr_count("{count} block", "{count} blocks", len(things)))
