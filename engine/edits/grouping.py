"""Grouping: moves blocks of a page to a page of their own and puts a Page block in their place. No number changes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from gradwire.engine.base.errors import EditError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits.border import check_derivatives, check_no_way_back, check_wires, crossing
from gradwire.engine.edits.copies import frames_within
from gradwire.engine.edits.renames import Renaming, with_references_renamed
from gradwire.engine.edits.wiring import numbered_port
from gradwire.engine.graph.graph import NAME, Block, Frame, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import FreeNames, free_name, ids_of, page_of, title_of
from gradwire.engine.graph.ports import pages_along, role_of

GRID = 16
# Distances from the outermost blocks to the page's ports, and from port to port. Units: px at 100 %.
PORT_LEFT, PORT_RIGHT, PORT_STEP = 240, 320, 112


class _Outlet(NamedTuple):
    """Port of the new page: the block's port that it stands for, and the targets of its wires."""

    name: str
    source: Port
    targets: tuple[Port, ...]


class _Border(NamedTuple):
    """Ports of the new page, with the id of the PageInput or PageOutput block for each source."""

    inputs: list[_Outlet]
    outputs: list[_Outlet]
    input_ids: dict[Port, str]
    output_ids: dict[Port, str]


def group(
    graph: Graph,
    page_name: str,
    ids: str | Iterable[str],
    *,
    notes: Iterable[str] = (),
    frames: Iterable[str] = (),
    name: str | None = None,
) -> tuple[Graph, str]:
    """Returns the graph with some blocks on a new page, and the id of the Page block that replaces them.

    Each outside port that feeds them becomes one input of the page, each of their ports that is read outside one
    output. Frames that hold only these blocks come along, and so do the named `notes` and empty `frames`. `name` is
    that of the page, by default the title of a frame around the blocks.
    Raises: EditError if a number would change, or the wires would form a cycle.
    """
    page = page_of(graph, page_name)
    inside = set(ids_of(page, ids))
    _check_blocks(page, inside)
    check_wires(graph, page, inside)
    check_no_way_back(page, inside)
    check_derivatives(page, inside)
    border = _border(page, inside)
    within = {frame.id for frame in frames_within(page, inside)} | set(frames)
    taken_along = [frame for frame in page.frames if frame.id in within]
    name = free_name(name or _page_name(taken_along, inside), [item.name for item in graph.pages])
    inner = _inner_page(page, name, inside, border, taken_along, set(notes))
    at = middle_of(page.blocks[block_id] for block_id in inside)
    kind, block_id = library.with_role(Role.PAGE).name, free_name(name, page.blocks.keys() - inside)
    block = Block(block_id, kind, at=at, parameters={"page": name})
    outer = _outer_page(page, inside, border, block, inner)
    changed = _with_checks(graph, page, inside, border, block.id)
    pages = tuple(outer if item.name == page.name else item for item in changed.pages)
    return dataclasses.replace(changed, pages=(*pages, inner)), block.id


def _check_blocks(page: Page, inside: Set[str]) -> None:
    if not inside:
        raise EditError("There is no block to make a page from; select some first.")
    for block_id in sorted(inside):
        block = page.blocks[block_id]
        role = role_of(block)
        if role is Role.LOSS:
            raise EditError(
                f"{title_of(block)} would take no part on a page used as a block; leave it out of the selection."
            )
        if role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
            raise EditError(f'{title_of(block)} is a port of page "{page.name}"; leave it out of the selection.')


def _border(page: Page, inside: Set[str]) -> _Border:
    into, out = crossing(page, inside)
    inputs = _outlets(into, lambda wire: _own_name(page, wire.source) or _stem(page, wire.target))
    outputs = _outlets(out, lambda wire: _own_name(page, wire.source) or wire.source.name)
    names = FreeNames(inside)
    input_ids = {item.source: names.take(item.name) for item in inputs}
    output_ids = {
        item.source: names.take(f"{item.name[:60]}_out" if item.name in names else item.name) for item in outputs
    }
    return _Border(inputs, outputs, input_ids, output_ids)


def _outlets(wires: list[Wire], name_of: Callable[[Wire], str]) -> list[_Outlet]:
    targets: dict[Port, list[Port]] = {}
    names: dict[Port, str] = {}
    free = FreeNames()
    for wire in wires:
        if wire.source not in names:
            names[wire.source] = free.take(name_of(wire))
        targets.setdefault(wire.source, []).append(wire.target)
    return [_Outlet(name, source, tuple(targets[source])) for source, name in names.items()]


def _own_name(page: Page, port: Port) -> str | None:
    """Returns a distinctive name of a port: its block's given name, or its own among several; else None."""
    block = page.blocks[port.block]
    block_type = library.get(block.type)
    outputs = () if block_type is None else block_type.outputs
    if role_of(block) is Role.PAGE or len(outputs) > 1 or any(item.variadic for item in outputs):
        return port.name
    stem = re.escape(block.type.rpartition(".")[2])
    return None if re.fullmatch(rf"{stem}(_\d+)?", block.id) else block.id


def _stem(page: Page, port: Port) -> str:
    found = numbered_port(page, port)
    return port.name if found is None else found.stem


def _page_name(frames: list[Frame], inside: Set[str]) -> str:
    """Returns the title of the one frame around all blocks, as a name; else `page`."""
    around = [frame.title for frame in frames if inside <= set(frame.blocks)]
    name = re.sub(r"[^A-Za-z0-9]+", "_", around[0]).strip("_").lower()[:48] if len(around) == 1 else ""
    return name if NAME.fullmatch(name) else "page"


def _inner_page(page: Page, name: str, inside: Set[str], border: _Border, frames: list[Frame], notes: Set[str]) -> Page:
    blocks = {block_id: block for block_id, block in page.blocks.items() if block_id in inside}
    left, right = _extent(list(blocks.values()), 0)
    inputs = _ports(Role.PAGE_INPUT, border.inputs, border.input_ids, left - PORT_LEFT, page)
    outputs = _ports(Role.PAGE_OUTPUT, border.outputs, border.output_ids, right + PORT_RIGHT, page)
    wires = {target: wire for target, wire in page.wires.items() if {wire.source.block, target.block} <= inside}
    for item in border.inputs:
        source = Port(border.input_ids[item.source], "y")
        wires |= {target: Wire(source, target) for target in item.targets}
    for item in border.outputs:
        target = Port(border.output_ids[item.source], "x")
        wires[target] = Wire(item.source, target)
    return Page(
        name,
        {**inputs, **blocks, **outputs},
        wires,
        tuple(wire for wire in page.surplus if wire.target.block in inside),
        tuple(frames),
        tuple(note for note in page.notes if note.id in notes),
    )


def _ports(role: Role, outlets: list[_Outlet], ids: Mapping[Port, str], x: int, page: Page) -> dict[str, Block]:
    """Returns the blocks of a page's ports, each beside its neighbour, in the order of the outlets.

    Beside a neighbour without a place it has none either, so that such a page is laid out as a whole.
    """
    type_name = library.with_role(role).name
    found, free = {}, None
    for item in outlets:
        beside = page.blocks[(item.source if role is Role.PAGE_OUTPUT else item.targets[0]).block].at
        at = None
        if beside is not None:
            at = x, (beside[1] if free is None else max(beside[1], free))
            free = at[1] + PORT_STEP
        block_id = ids[item.source]
        found[block_id] = Block(block_id, type_name, at=at, parameters={"name": item.name})
    return found


def _outer_page(page: Page, inside: Set[str], border: _Border, block: Block, inner: Page) -> Page:
    moved_frames = {frame.id for frame in inner.frames}
    moved_notes = {note.id for note in inner.notes}
    blocks = {block_id: item for block_id, item in page.blocks.items() if block_id not in inside}
    wires = {
        target: wire for target, wire in page.wires.items() if inside.isdisjoint((target.block, wire.source.block))
    }
    for item in border.inputs:
        target = Port(block.id, item.name)
        wires[target] = Wire(item.source, target)
    for item in border.outputs:
        wires |= {target: Wire(Port(block.id, item.name), target) for target in item.targets}
    return dataclasses.replace(
        page,
        blocks={**blocks, block.id: block},
        wires=wires,
        surplus=tuple(wire for wire in page.surplus if wire.target.block not in inside),
        frames=tuple(_frames_left(page, inside, moved_frames, block.id)),
        notes=tuple(note for note in page.notes if note.id not in moved_notes),
    )


def _frames_left(page: Page, inside: Set[str], moved: Set[str], block_id: str) -> Iterator[Frame]:
    """Yields the remaining frames without the blocks; a frame that held all of them receives the Page block."""
    around = {_frame_around(page, name, moved) for name in inside}
    holder = next(iter(around)) if len(around) == 1 else None
    for frame in page.frames:
        if frame.id not in moved:
            blocks = [name for name in frame.blocks if name not in inside]
            blocks += [block_id] if frame.id == holder else []
            frames = tuple(name for name in frame.frames if name not in moved)
            yield dataclasses.replace(frame, blocks=tuple(blocks), frames=frames)


def _frame_around(page: Page, block_id: str, moved: Set[str]) -> str | None:
    """Returns the innermost frame around a block that does not move with it."""
    outer = {inner: frame.id for frame in page.frames for inner in frame.frames}
    found = next((frame.id for frame in page.frames if block_id in frame.blocks), None)
    # Frames of a damaged file may contain each other.
    for _ in page.frames:
        if found is None or found not in moved:
            break
        found = outer.get(found)
    return found


def _with_checks(graph: Graph, page: Page, inside: Set[str], border: _Border, block_id: str) -> Graph:
    """Returns the graph with its checks updated to the new paths of blocks and of wires across the border."""
    across: dict[tuple[str, str], tuple[str, str]] = {}
    for item in border.inputs:
        for target in item.targets:
            across[str(item.source), str(target)] = (
                f"{block_id}/{border.input_ids[item.source]}.y",
                f"{block_id}/{target}",
            )
    for item in border.outputs:
        for target in item.targets:
            across[str(item.source), str(target)] = (str(Port(block_id, item.name)), str(target))

    def rewrite(check: Mapping[str, object]) -> Mapping[str, object]:
        ends = check.get("wire")
        if not isinstance(ends, list | tuple) or len(ends) != 2 or not all(isinstance(end, str) for end in ends):
            return check
        prefix, _, source = ends[0].rpartition("/")
        way = pages_along(graph, prefix)
        found = across.get((source, ends[1].removeprefix(f"{prefix}/"))) if way and way[-1].name == page.name else None
        return check if found is None else {**check, "wire": tuple(f"{prefix}/{end}" for end in found)}

    moved = with_references_renamed(graph, Renaming(page.name, {name: f"{block_id}/{name}" for name in inside}))
    pairs = zip(graph.checks, moved.checks, strict=True)
    checks = tuple(new if (changed := rewrite(old)) is old else changed for old, new in pairs)
    return dataclasses.replace(moved, checks=checks)


def middle_of(blocks: Iterable[Block]) -> tuple[int, int] | None:
    """Returns the centre of the corners of some blocks, on the grid; None if none of them has a place."""
    placed = [block for block in blocks if block.at is not None]
    if not placed:
        return None
    x, y = (sum(_extent(placed, axis)) / 2 for axis in (0, 1))
    return round(x / GRID) * GRID, round(y / GRID) * GRID


def _extent(blocks: Iterable[Block], axis: int) -> tuple[int, int]:
    places = [block.at[axis] for block in blocks if block.at is not None] or [0]
    return min(places), max(places)
