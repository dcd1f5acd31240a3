"""Ungrouping (inverse of grouping): replaces a Page block by the blocks of its page. No number changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gradwire.engine.base.errors import EditError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.primitives import Constant
from gradwire.engine.edits.border import check_derivatives, check_wires
from gradwire.engine.edits.copies import moved_block, new_names
from gradwire.engine.edits.grouping import middle_of
from gradwire.engine.edits.renames import with_ends_rewritten, with_stops
from gradwire.engine.edits.wiring import cut
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, Port, Wire
from gradwire.engine.graph.lookup import block_of, page_of, pages_used_by, title_of, whole_px
from gradwire.engine.graph.loops import is_loop
from gradwire.engine.graph.ports import page_ports, role_of, used_page

_PORTS = (Role.PAGE_INPUT, Role.PAGE_OUTPUT)


class _Opening(NamedTuple):
    """Plan of an ungrouping: new ids, and for each PageInput the port that feeds it (None without one)."""

    page: Page
    block: Block
    used: Page
    ids: Mapping[str, str]
    feeds: Mapping[str, Port | None]
    offset: tuple[int, int]

    def port(self, port: Port) -> Port | None:
        """Returns the new place of an output port of the used page."""
        if port.block in self.feeds:
            return self.feeds[port.block]
        return Port(self.ids[port.block], port.name) if port.block in self.ids else None


def ungroup(graph: Graph, page_name: str, block_id: str) -> tuple[Graph, tuple[str, ...]]:
    """Returns the graph with a Page block replaced by the blocks of its page, and their ids.

    Other uses of the page stay; the last use takes the page along, as its contents have moved.
    Raises: EditError if the block uses no page, or a number would change.
    """
    page = page_of(graph, page_name)
    block = block_of(page, block_id)
    used = _page_to_open(graph, block)
    check_wires(graph, page, {block_id})
    opening = _opening(page, block, used)
    opened, lost = _opened_page(opening)
    check_derivatives(opened, set(opening.ids.values()))
    changed = cut(_with_checks(graph, opening), opened, lost)
    is_used = any(opening.used.name in pages_used_by(item) for item in changed.pages)
    pages = tuple(item for item in changed.pages if is_used or item.name != opening.used.name)
    return dataclasses.replace(changed, pages=pages), tuple(opening.ids.values())


def _page_to_open(graph: Graph, block: Block) -> Page:
    used = used_page(graph, block) if role_of(block) is Role.PAGE else None
    if used is None:
        raise EditError(f"{title_of(block)} uses no page; choose a block that does.")
    if is_loop(block):
        raise EditError(f"{title_of(block)} uses its page in rounds; unroll it first.")
    if used.gradient is not None:
        raise EditError(
            f'Page "{used.name}" has a gradient of its own, which its blocks alone would not have; remove that '
            "gradient first."
        )
    if block.is_muted:
        raise EditError(f"{title_of(block)} is muted; unmute it first, or the numbers would change.")
    for inner in used.blocks.values():
        if role_of(inner) is Role.LOSS:
            raise EditError(f'{title_of(inner)} takes no part on page "{used.name}", but would here; remove it first.')
    for wire in (*used.surplus, *used.wires.values()):
        if wire in used.surplus or not {wire.source.block, wire.target.block} <= used.blocks.keys():
            where = f'on page "{used.name}"'
            raise EditError(f"The wire from {wire.source} to {wire.target} {where} is not connected; remove it first.")
    return used


def _opening(page: Page, block: Block, used: Page) -> _Opening:
    bound = {port.block.id: Port(block.id, port.name) for port in page_ports(used, Role.PAGE_INPUT)}
    wired = {inner: page.wires[port].source for inner, port in bound.items() if port in page.wires}
    alone = [item for item in used.blocks.values() if role_of(item) is Role.PAGE_INPUT and item.id not in wired]
    kept = [item.id for item in used.blocks.values() if role_of(item) not in _PORTS]
    # An unwired page input gives its own value, so a Constant can replace it.
    constants = [item.id for item in alone if item.parameters.get("value") is not None and _is_wired(used, item)]
    ids = new_names([*kept, *constants], page.blocks.keys() - {block.id})
    feeds = {item.id: Port(ids[item.id], "y") if item.id in constants else None for item in alone}
    _check_feeds(page, used, wired)
    middle = middle_of(used.blocks[name] for name in kept) or (0, 0)
    at = block.at or middle
    return _Opening(page, block, used, ids, {**wired, **feeds}, (at[0] - middle[0], at[1] - middle[1]))


def _is_wired(page: Page, block: Block) -> bool:
    return any(page.wires_from(Port(block.id, "y")))


def _check_feeds(page: Page, used: Page, wired: Mapping[str, Port]) -> None:
    """Checks that no derivative distinguishes two ports that would become one."""
    twice = len(set(wired.values())) < len(wired)
    sources = [wire.source for wire in used.wires.values() if role_at(used, wire.target) is Role.PAGE_OUTPUT]
    through = any(role_at(used, source) is Role.PAGE_INPUT for source in sources)
    has_inner = any(role_of(item) is Role.GRADIENTS for item in used.blocks.values())
    has_outer = any(role_of(item) is Role.GRADIENTS for item in page.blocks.values())
    if (twice and has_inner) or ((through or len(set(sources)) < len(sources)) and has_outer):
        raise EditError(
            f'Page "{used.name}" connects one port to two ports, which a Gradients block treats separately; connect '
            "them differently first."
        )


def role_at(page: Page, port: Port) -> Role | None:
    """Returns the role of the block that a port belongs to."""
    block = page.blocks.get(port.block)
    return None if block is None else role_of(block)


def _opened_page(opening: _Opening) -> tuple[Page, list[Wire]]:
    """Returns the page with the contents of the used one, and its wires that nothing feeds any more."""
    page, block = opening.page, opening.block
    for other in page.blocks.values():
        stops = other.parameters.get("stop_gradients", ())
        if isinstance(stops, tuple) and any(str(name).partition(".")[0] == block.id for name in stops):
            raise EditError(f"{title_of(other)} stops gradients at {title_of(block)}; change that first.")
    wires = {target: wire for target, wire in page.wires.items() if block.id not in (target.block, wire.source.block)}
    wires |= {wire.target: wire for wire in _new_wires(opening)}
    blocks = {name: item for name, item in page.blocks.items() if name != block.id}
    opened = dataclasses.replace(
        page,
        blocks={**blocks, **_new_blocks(opening)},
        wires=wires,
        frames=tuple(_frames(opening)),
        notes=(*page.notes, *_new_notes(opening)),
    )
    return opened, [wire for wire in wires.values() if wire.source.block == block.id]


def _new_blocks(opening: _Opening) -> dict[str, Block]:
    inner = with_stops(opening.used, lambda port: None if port.block in opening.feeds else opening.port(port))
    found = {}
    for old, new in opening.ids.items():
        block = dataclasses.replace(moved_block(inner.blocks[old], opening.offset), id=new)
        if role_of(block) is Role.PAGE_INPUT:
            block = dataclasses.replace(block, type=Constant.name, parameters={"value": block.parameters["value"]})
        found[new] = block
    return found


def _new_wires(opening: _Opening) -> Iterator[Wire]:
    """Yields the wires of the used page and those from its outputs.

    An unfed wire still comes from the removed Page block; the caller cuts it, and numbered ports close up.
    """
    outputs = {port.name: Port(port.block.id, "x") for port in page_ports(opening.used, Role.PAGE_OUTPUT)}
    nothing = Port(opening.block.id, "")
    for wire in opening.used.wires.values():
        if wire.target.block in opening.ids:
            target = Port(opening.ids[wire.target.block], wire.target.name)
            yield Wire(opening.port(wire.source) or nothing, target)
    for wire in opening.page.wires.values():
        if wire.source.block == opening.block.id:
            inner = opening.used.wires.get(outputs.get(wire.source.name, nothing))
            yield Wire((None if inner is None else opening.port(inner.source)) or nothing, wire.target)


def _frames(opening: _Opening) -> Iterator[Frame]:
    """Yields the frames of both pages; the frame around the Page block receives its free contents."""
    frames, used = opening.page.frames, opening.used.frames
    names = new_names([frame.id for frame in used], {frame.id for frame in frames})
    framed = {name for frame in used for name in frame.blocks}
    nested = {name for frame in used for name in frame.frames}
    free_blocks = tuple(new for old, new in opening.ids.items() if old not in framed)
    free_frames = tuple(names[frame.id] for frame in used if frame.id not in nested)
    for frame in frames:
        if opening.block.id in frame.blocks:
            blocks = tuple(name for name in frame.blocks if name != opening.block.id)
            yield dataclasses.replace(frame, blocks=(*blocks, *free_blocks), frames=(*frame.frames, *free_frames))
        else:
            yield frame
    for frame in used:
        yield dataclasses.replace(
            frame,
            id=names[frame.id],
            blocks=tuple(opening.ids[name] for name in frame.blocks if name in opening.ids),
            frames=tuple(names[name] for name in frame.frames if name in names),
            at=_shifted(frame.at, opening.offset),
        )


def _new_notes(opening: _Opening) -> Iterable[Note]:
    names = new_names([note.id for note in opening.used.notes], {note.id for note in opening.page.notes})
    for note in opening.used.notes:
        yield dataclasses.replace(note, id=names[note.id], at=_shifted(note.at, opening.offset))


def _shifted(at: tuple[int, int] | None, offset: tuple[int, int]) -> tuple[int, int] | None:
    return None if at is None else whole_px((at[0] + offset[0], at[1] + offset[1]))


def _with_checks(graph: Graph, opening: _Opening) -> Graph:
    """Returns the graph with its checks updated to the new places of blocks and ports."""
    fed_by = {port.name: port.block.id for port in page_ports(opening.used, Role.PAGE_OUTPUT)}

    def new_end(end: str, is_input: bool) -> str | None:
        head, _, port = end.partition(".")
        first, *rest = head.split("/")
        if first != opening.block.id:
            return None
        return _inner_end(rest, port) if rest else _outer_end(port)

    def _inner_end(rest: list[str], port: str) -> str | None:
        if len(rest) > 1 or not port:
            new = opening.ids.get(rest[0])
            return None if new is None else "/".join([new, *rest[1:]]) + (f".{port}" if port else "")
        if rest[0] in opening.ids:
            return f"{opening.ids[rest[0]]}.{port}"
        found = opening.feeds.get(rest[0])
        return None if found is None else str(found)

    def _outer_end(port: str) -> str | None:
        inner = opening.used.wires.get(Port(fed_by.get(port, ""), "x"))
        found = None if inner is None else opening.port(inner.source)
        return None if found is None else str(found)

    return with_ends_rewritten(graph, opening.page.name, new_end)
