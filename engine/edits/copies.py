"""Copying and pasting of blocks with the wires and frames among them and the pages that they use."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.edits.page_copies import pages_below, with_pages, with_pages_renamed
from gradwire.engine.edits.renames import with_stops
from gradwire.engine.edits.wiring import without_wires
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, Port, Wire
from gradwire.engine.graph.lookup import FreeNames, check_page_use, ids_of, page_of, page_used_by, whole_px
from gradwire.engine.graph.ports import has_output, role_of


@dataclass(frozen=True)
class Fragment:
    """Blocks of one page, the wires between them, the frames around only these blocks, and notes.

    `pages` are the pages that the blocks use.
    """

    blocks: tuple[Block, ...] = ()
    wires: tuple[Wire, ...] = ()
    frames: tuple[Frame, ...] = ()
    notes: tuple[Note, ...] = ()
    pages: tuple[Page, ...] = ()


def copy_blocks(
    graph: Graph, page_name: str, ids: str | Iterable[str], notes: Collection[str] = (), frames: Collection[str] = ()
) -> Fragment:
    """Returns some blocks of a page, and the frames among them, as a fragment.

    Numbered ports count from 0 again. The named `notes` and empty `frames` come along.
    Raises: EditError if there is no such block.
    """
    page = page_of(graph, page_name)
    chosen = set(ids_of(page, ids))
    blocks = {block_id: block for block_id, block in page.blocks.items() if block_id in chosen}
    wires = {target: wire for target, wire in page.wires.items() if target.block in chosen}
    within = {frame.id for frame in frames_within(page, chosen)} | _empty_among(page, frames)
    inner = Page(page.name, blocks, wires, frames=tuple(frame for frame in page.frames if frame.id in within))
    inner, _ = without_wires(inner, [wire for wire in wires.values() if wire.source.block not in chosen])
    chosen_notes = tuple(note for note in page.notes if note.id in notes)
    pages = pages_below(graph, blocks.values())
    return Fragment(tuple(inner.blocks.values()), tuple(inner.wires.values()), inner.frames, chosen_notes, pages)


def paste(
    graph: Graph, page_name: str, fragment: Fragment, offset: tuple[float, float] = (0, 0)
) -> tuple[Graph, dict[str, str]]:
    """Returns the graph with a copy of a fragment on a page, and a map from old to new ids.

    References between the copied blocks point to the copies. An entry of stop_gradients that leads out of the fragment
    stays where the page has such a port. Page ports get free names. Used pages come along unless the graph has them
    already.
    Units: `offset` in px at 100 %.
    Raises: EditError if the page would come to contain itself.
    """
    page = page_of(graph, page_name)
    ids = new_names([block.id for block in fragment.blocks], page.blocks)
    if not ids and not fragment.notes and not fragment.frames:
        return graph, {}
    graph, page_names = with_pages(graph, fragment.pages)
    pasted = {
        ids[block.id]: moved_block(dataclasses.replace(block, id=ids[block.id]), offset) for block in fragment.blocks
    }
    pasted = dict(with_pages_renamed(Page(page.name, pasted), page_names).blocks)
    for block in pasted.values():
        if (used := page_used_by(block)) is not None:
            check_page_use(graph, page, used)
    copy = _page_of_copies(page, fragment, ids, pasted)
    copy = with_stops(copy, lambda port: _stop(graph, page, port, ids))
    return graph.with_page(
        dataclasses.replace(
            page,
            blocks={**page.blocks, **_with_free_port_names(page, copy.blocks)},
            wires={**page.wires, **copy.wires},
            frames=(*page.frames, *(_moved_frame(frame, offset) for frame in copy.frames)),
            notes=(*page.notes, *_pasted_notes(page, fragment, offset)),
        )
    ), ids


def _page_of_copies(page: Page, fragment: Fragment, ids: Mapping[str, str], blocks: Mapping[str, Block]) -> Page:
    frame_ids = new_names([frame.id for frame in fragment.frames], {frame.id for frame in page.frames})
    ends = [
        (Port(ids[wire.source.block], wire.source.name), Port(ids[wire.target.block], wire.target.name))
        for wire in fragment.wires
    ]
    frames = tuple(
        dataclasses.replace(
            frame,
            id=frame_ids[frame.id],
            blocks=tuple(ids[block_id] for block_id in frame.blocks if block_id in ids),
            frames=tuple(frame_ids[frame_id] for frame_id in frame.frames if frame_id in frame_ids),
        )
        for frame in fragment.frames
    )
    return Page(page.name, blocks, {target: Wire(source, target) for source, target in ends}, frames=frames)


def _pasted_notes(page: Page, fragment: Fragment, offset: tuple[float, float]) -> Iterable[Note]:
    names = new_names([note.id for note in fragment.notes], {note.id for note in page.notes})
    for note in fragment.notes:
        yield dataclasses.replace(note, id=names[note.id], at=_moved(note.at, offset))


def _moved_frame(frame: Frame, offset: tuple[float, float]) -> Frame:
    return dataclasses.replace(frame, at=_moved(frame.at, offset))


def _moved(at: tuple[int, int] | None, offset: tuple[float, float]) -> tuple[int, int] | None:
    return None if at is None else whole_px((at[0] + offset[0], at[1] + offset[1]))


def _empty_among(page: Page, names: Collection[str]) -> set[str]:
    """Returns those of some frames that are empty or hold only empty ones among them."""
    found: set[str] = set()
    frames = [frame for frame in page.frames if frame.id in names and not set(frame.blocks) & page.blocks.keys()]
    while more := {frame.id for frame in frames if set(frame.frames) <= found} - found:
        found |= more
    return found


def frames_within(page: Page, chosen: set[str]) -> Iterable[Frame]:
    """Yields the frames that hold at least one block, and only chosen ones, at any depth."""
    by_id = {frame.id: frame for frame in page.frames}
    for frame in page.frames:
        held: set[str] = set()
        seen: set[str] = set()
        pending = [frame.id]
        while pending:
            frame_id = pending.pop()
            if frame_id not in seen and frame_id in by_id:
                seen.add(frame_id)
                held.update(by_id[frame_id].blocks)
                pending.extend(by_id[frame_id].frames)
        if held and held <= chosen:
            yield frame


def new_names(wanted: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """Maps each wanted name to a free name, itself if it is free."""
    names = FreeNames(taken)
    return {name: names.take(name) for name in wanted}


def moved_block(block: Block, offset: tuple[float, float]) -> Block:
    """Returns the block moved by `offset` px; a block without a place stays as it is."""
    return block if block.at is None else dataclasses.replace(block, at=_moved(block.at, offset))


def _stop(graph: Graph, page: Page, port: Port, ids: Mapping[str, str]) -> Port | None:
    if port.block in ids:
        return Port(ids[port.block], port.name)
    block = page.blocks.get(port.block)
    return port if block is not None and has_output(graph, block, port.name) is not False else None


def _with_free_port_names(page: Page, pasted: Mapping[str, Block]) -> dict[str, Block]:
    """Returns the pasted blocks with names for PageInput and PageOutput that are unique on the page."""
    found = dict(pasted)
    for role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
        copies = [block for block in pasted.values() if role_of(block) is role and "name" in block.parameters]
        names = FreeNames(
            str(block.parameters.get("name")) for block in page.blocks.values() if copies and role_of(block) is role
        )
        for block in copies:
            name = names.take(str(block.parameters["name"]))
            found[block.id] = dataclasses.replace(block, parameters={**block.parameters, "name": name})
    return found
