"""Edits of blocks and wires, as pure functions from graph to graph.

An impossible edit raises EditError and changes nothing. Edits of pages, frames, notes, names and copies live in files
of their own and are exported here too, so that a caller needs one import.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gradwire.engine.base.errors import BlockError, EditError, NameUnknownError, ParameterError
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits.annotations import (
    add_frame,
    add_note,
    frames_without,
    put_into_frame,
    remove_frame,
    remove_note,
    set_color,
    set_frame,
    set_note,
)
from gradwire.engine.edits.copies import Fragment, copy_blocks, paste
from gradwire.engine.edits.folding import fold
from gradwire.engine.edits.grouping import group
from gradwire.engine.edits.page_edits import (
    add_checks,
    add_page,
    duplicate_page,
    move_page,
    remove_check,
    remove_page,
    set_checks,
    set_loss,
    without_lost_ports,
)
from gradwire.engine.edits.renames import rename_block, rename_page, rename_page_port, with_stops
from gradwire.engine.edits.ungrouping import ungroup
from gradwire.engine.edits.unrolling import unroll
from gradwire.engine.edits.wiring import check_no_cycle, check_numbers, check_port, cut
from gradwire.engine.graph.block_parameters import exchanged
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire, same_value
from gradwire.engine.graph.lookup import (
    block_of,
    check_name,
    check_page_use,
    free_name,
    ids_of,
    page_of,
    pages_used_by,
    title_of,
    whole_px,
    with_blocks,
)
from gradwire.engine.graph.ports import has_input, has_output, page_ports, role_of, used_page

__all__ = [
    "Fragment",
    "add_block",
    "add_checks",
    "add_frame",
    "add_note",
    "add_page",
    "connect",
    "copy_blocks",
    "disconnect",
    "duplicate_page",
    "fold",
    "group",
    "move_blocks",
    "move_page",
    "normal_parameters",
    "paste",
    "put_into_frame",
    "remove_blocks",
    "remove_check",
    "remove_frame",
    "remove_note",
    "remove_page",
    "rename_block",
    "rename_page",
    "set_checks",
    "set_collapsed",
    "set_color",
    "set_frame",
    "set_label",
    "set_loss",
    "set_muted",
    "set_note",
    "set_parameter",
    "set_width",
    "ungroup",
    "unroll",
]

_SIDES = {Role.PAGE_INPUT: "input", Role.PAGE_OUTPUT: "output"}


def add_block(
    graph: Graph,
    page_name: str,
    type_name: str,
    *,
    id: str | None = None,
    at: tuple[float, float] | None = None,
    parameters: Mapping[str, object] | None = None,
    label: str | None = None,
) -> tuple[Graph, str]:
    """Returns the graph with one more block, and the block's id.

    The default id is the type's name, then `Exp_1`, `Exp_2`.
    Raises: EditError if there is no such type, the id cannot be given or a parameter does not fit.
    """
    page = page_of(graph, page_name)
    try:
        name = library[type_name].name
    except NameUnknownError as error:
        raise EditError(str(error)) from error
    block_id = free_name(name.rpartition(".")[2], page.blocks) if id is None else check_name(id, page.blocks, "block")
    block = Block(block_id, name, label or None, None if at is None else whole_px(at))
    block = dataclasses.replace(block, parameters=_fitting_parameters(block, parameters or {}))
    for parameter, value in block.parameters.items():
        _check_for_pages(graph, page, block, parameter, value)
    return with_blocks(graph, page, {block_id: block}), block_id


def remove_blocks(graph: Graph, page_name: str, ids: str | Iterable[str]) -> Graph:
    """Returns the graph without some blocks of a page and without everything that belonged to them.

    This includes their wires, their entries in frames and in stop_gradients, the loss if it names one of them, wires to
    ports that a used page thereby loses, and the page of a layer that nothing uses any more.
    Raises: EditError if there is no such block.
    """
    page = page_of(graph, page_name)
    gone = set(ids_of(page, ids))
    if not gone:
        return graph
    blocks = {block_id: block for block_id, block in page.blocks.items() if block_id not in gone}
    doomed = [wire for wire in page.wires.values() if wire.target.block in gone or wire.source.block in gone]
    doomed += [wire for wire in page.surplus if wire.target.block in gone or wire.source.block in gone]
    left = dataclasses.replace(page, blocks=blocks, frames=frames_without(page.frames, gone))
    left = with_stops(left, lambda port: None if port.block in gone else port)
    changed = cut(graph, left, doomed)
    if graph.loss is not None and graph.loss.partition("/")[0] == page.name and graph.loss.partition("/")[2] in gone:
        changed = dataclasses.replace(changed, loss=None)
    return _without_layers(without_lost_ports(changed, page, left), [page.blocks[block_id] for block_id in gone])


def _without_layers(graph: Graph, gone: Iterable[Block]) -> Graph:
    """Returns the graph without the pages of layers that only blocks used which are gone: they came with these."""
    names = {used.name for block in gone if (used := used_page(graph, block)) is not None and used.template is not None}
    unused = {name for name in names if not any(name in pages_used_by(page) for page in graph.pages)}
    return (
        dataclasses.replace(graph, pages=tuple(item for item in graph.pages if item.name not in unused))
        if unused
        else graph
    )


def connect(graph: Graph, page_name: str, source: Port, target: Port) -> Graph:
    """Returns the graph with a wire from an output port to an input port, replacing any wire that ended there.

    A variadic input takes wires up to its next free number. Ports of unknown block types are not checked.
    Raises: EditError if a port does not exist, a number would be left out or the wires would form a cycle.
    """
    page, wire = page_of(graph, page_name), Wire(source, target)
    check_port(graph, page, source, has_output, "output")
    check_port(graph, page, target, has_input, "input")
    surplus = tuple(other for other in page.surplus if other.target != target)
    if page.wires.get(target) == wire and surplus == page.surplus:
        return graph
    check_numbers(page, wire)
    check_no_cycle(page, wire)
    return graph.with_page(dataclasses.replace(page, wires={**page.wires, target: wire}, surplus=surplus))


def disconnect(graph: Graph, page_name: str, *ends: Port | Wire) -> Graph:
    """Returns the graph without some wires; each of `ends` is a wire or an input port to clear.

    Numbered ports above move down: without values_1, values_2 becomes values_1. Removing an input of a Gradients block
    also removes the output that belongs to it.
    Raises: EditError if there is no such wire.
    """
    page = page_of(graph, page_name)
    arriving: dict[Port, list[Wire]] = {}
    for wire in (*page.wires.values(), *page.surplus):
        arriving.setdefault(wire.target, []).append(wire)
    doomed: list[Wire] = []
    for end in ends:
        target = end.target if isinstance(end, Wire) else end
        found = [wire for wire in arriving.get(target, ()) if not isinstance(end, Wire) or wire == end]
        if not found:
            what = f"from {end.source} to {target}" if isinstance(end, Wire) else f"to {target}"
            raise EditError(f'There is no wire {what} on page "{page_name}"; choose one that is there.')
        doomed += found
    return cut(graph, page, doomed) if doomed else graph


def set_parameter(graph: Graph, page_name: str, block_id: str, name: str, value: object) -> Graph:
    """Returns the graph with one parameter of a block set; the default is stored by omission.

    A value and a start take each other's place. A new `name` of a PageInput or PageOutput is carried over to the wires
    wherever the page is used. Parameters of unknown types are not checked.
    Raises: EditError if the block has no such parameter or the value does not fit.
    """
    page = page_of(graph, page_name)
    block = block_of(page, block_id)
    rest = {key: item for key, item in block.parameters.items() if key != name}
    parameters: Mapping[str, object] = {**rest, **_fitting_parameters(block, {name: value})}
    if same_value(parameters, block.parameters):
        return graph
    old = block.parameters.get(name)
    parameters = exchanged(block, name, parameters)
    changed = dataclasses.replace(block, parameters=parameters)
    if name in parameters:
        _check_for_pages(graph, page, changed, name, parameters[name])
    role = role_of(block)
    stands_for_port = role in _SIDES and name == "name" and any(port.block is block for port in page_ports(page, role))
    graph = with_blocks(graph, page, {block_id: changed})
    if stands_for_port and role is not None:
        return rename_page_port(graph, page_name, role, str(old), str(parameters[name]))
    return graph


def set_label(graph: Graph, page_name: str, block_id: str, label: str | None) -> Graph:
    """Returns the graph with another text shown instead of a block's id; None or "" shows the id."""
    return _with_fields(graph, page_name, block_id, label=label or None)


def set_muted(graph: Graph, page_name: str, ids: str | Iterable[str], is_muted: bool) -> Graph:
    """Returns the graph with one or several blocks muted or not."""
    return _with_fields(graph, page_name, ids, is_muted=is_muted)


def set_collapsed(graph: Graph, page_name: str, ids: str | Iterable[str], is_collapsed: bool) -> Graph:
    """Returns the graph with one or several blocks collapsed or not."""
    return _with_fields(graph, page_name, ids, is_collapsed=is_collapsed)


def set_width(graph: Graph, page_name: str, block_id: str, width: float | None) -> Graph:
    """Returns the graph with a block's width set; None stands for the default width.

    Units: px at 100 %.
    Raises: EditError if it is negative or too large for a file.
    """
    if width is None:
        return _with_fields(graph, page_name, block_id, width=None)
    if width < 0:
        raise EditError(f"A width must be at least 0 px, not {width}.")
    return _with_fields(graph, page_name, block_id, width=whole_px((width, 0), "A width")[0])


def move_blocks(graph: Graph, page_name: str, places: Mapping[str, tuple[float, float]]) -> Graph:
    """Returns the graph with blocks moved; `places` maps ids to top-left corners.

    Units: px at 100 %, rounded to integers.
    """
    page = page_of(graph, page_name)
    corners = {block_id: whole_px(place) for block_id, place in places.items()}
    blocks = [block_of(page, block_id) for block_id in corners]
    moved = {
        block.id: dataclasses.replace(block, at=corners[block.id]) for block in blocks if block.at != corners[block.id]
    }
    return with_blocks(graph, page, moved)


def normal_parameters(type_name: str, parameters: Mapping[str, object]) -> dict[str, object]:
    """Returns the parameters that differ from the default, normalised; unknown types keep theirs unchanged.

    Raises: ParameterError if the type has no such parameter or a value does not fit.
    """
    block_type = library.get(type_name)
    if block_type is None:
        return dict(parameters)
    return dict(_normal(block_type, parameters))


def _normal(block_type: BlockType, parameters: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in parameters.items():
        parameter = block_type.parameters.get(name)
        if parameter is None:
            known = ", ".join(block_type.parameters) or "none"
            raise ParameterError(f"there is no parameter {name}; choose among: {known}")
        normal = parameter.normalize(value)
        if not same_value(normal, parameter.default):
            yield name, normal


def _fitting_parameters(block: Block, parameters: Mapping[str, object]) -> dict[str, object]:
    try:
        return normal_parameters(block.type, parameters)
    except BlockError as error:
        raise EditError(f"{title_of(block)}: {error}.") from error


def _check_for_pages(graph: Graph, page: Page, block: Block, name: str, value: object) -> None:
    """Checks a parameter that names a page port or a used page against the rest of the graph."""
    role = role_of(block)
    if role is Role.PAGE and name == "page":
        check_page_use(graph, page, page_of(graph, str(value)).name)
    if role in _SIDES and name == "name":
        others = [other for other in page.blocks.values() if role_of(other) is role]
        check_name(str(value), {str(other.parameters.get("name")) for other in others}, f"page {_SIDES[role]}")


# Any: the fields of a block have different types.
def _with_fields(graph: Graph, page_name: str, ids: str | Iterable[str], **fields: Any) -> Graph:
    page = page_of(graph, page_name)
    blocks = [page.blocks[block_id] for block_id in ids_of(page, ids)]
    changed = [block for block in blocks if any(getattr(block, name) != value for name, value in fields.items())]
    return with_blocks(graph, page, {block.id: dataclasses.replace(block, **fields) for block in changed})
