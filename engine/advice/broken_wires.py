"""Fixes for wires that lead nowhere, which a file may hold: joined to the port that was probably meant, or removed."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

from engine import edits
from engine.block_type import Role
from engine.errors import EditError
from engine.expand import broken_wires, reason_broken
from engine.graph import Block, Graph, Page, Port, Wire
from engine.library import library
from engine.lookup import page_of
from engine.ports import has_input, has_output, page_ports, used_page
from lint.finding import Fix

# Looking for ports of similar names takes a while; of a page with more broken wires the rest is removed.
COMPARED = 100
# How alike the letters of two names must be: those of a port are few, and there are few ports.
_LIKE_BLOCK, _LIKE_PORT = 0.8, 0.6


def fix_of_second_wire(page_name: str, wire: Wire) -> Fix:
    """What mends a wire into a port that has one."""
    return Fix(f"Remove the second wire into {wire.target}", partial(drop_surplus, page_name=page_name, wire=wire))


def fix_of_broken_wire(graph: Graph, page_name: str, wire: Wire, is_compared: bool) -> Fix:
    """What mends a wire that leads nowhere; `is_compared` looks for ports of similar names."""
    instead = _likely(graph, page_of(graph, page_name), wire) if is_compared else None
    if instead is not None:
        edit = partial(reconnect, page_name=page_name, wire=wire, instead=instead)
        return Fix(f"Connect {instead.source} to {instead.target} instead", edit)
    return Fix(f"Remove the wire to {wire.target}", partial(disconnect, page_name=page_name, wires=(wire,)))


def drop_surplus(graph: Graph, page_name: str, wire: Wire) -> Graph:
    """The graph without one of the wires of a page that end where another already does.

    Raises: EditError if there is no such wire.
    """
    page = page_of(graph, page_name)
    if wire not in page.surplus:
        raise EditError(f'There is no wire from {wire.source} to {wire.target} on page "{page_name}" any more.')
    place = page.surplus.index(wire)
    return graph.with_page(dataclasses.replace(page, surplus=page.surplus[:place] + page.surplus[place + 1 :]))


def reconnect(graph: Graph, page_name: str, wire: Wire, instead: Wire) -> Graph:
    """The graph with another wire in place of one.

    Raises: EditError if the one is not there, or the other cannot be.
    """
    if wire.target == instead.target and page_of(graph, page_name).wires.get(wire.target) == wire:
        return edits.connect(graph, page_name, *instead)
    return edits.connect(edits.disconnect(graph, page_name, wire), page_name, *instead)


def disconnect(graph: Graph, page_name: str, wires: tuple[Wire, ...]) -> Graph:
    """The graph without some wires.

    Raises: EditError if one of them is not there.
    """
    return edits.disconnect(graph, page_name, *wires)


def _likely(graph: Graph, page: Page, wire: Wire) -> Wire | None:
    """The wire that was probably meant by one that leads nowhere."""
    source, target = _standing(graph, page, wire.source, False), _standing(graph, page, wire.target, True)
    if source is None or target is None or any(other.target == target for other in page.surplus):
        return None
    instead = Wire(source, target)
    if target != wire.target and target in page.wires:
        return None
    try:
        reconnect(graph, page.name, wire, instead)
    except EditError:
        return None
    return instead


def _standing(graph: Graph, page: Page, port: Port, is_input: bool) -> Port | None:
    """The port itself if it is there, else that of the most similar name."""
    block = page.blocks.get(port.block) or page.blocks.get(_similar(port.block, page.blocks, _LIKE_BLOCK))
    if block is None:
        return None
    if (has_input if is_input else has_output)(graph, block, port.name) is not False:
        return Port(block.id, port.name)
    names = list(_port_names(graph, page, block, is_input))
    name = names[0] if len(names) == 1 else _similar(port.name, names, _LIKE_PORT)
    return Port(block.id, name) if name else None


def _similar(name: str, names: Iterable[str], likeness: float) -> str:
    by_letters = {other.casefold(): other for other in names}
    found = difflib.get_close_matches(name.casefold(), by_letters, 1, likeness)
    return by_letters[found[0]] if found else ""


def _port_names(graph: Graph, page: Page, block: Block, is_input: bool) -> Iterator[str]:
    """The ports of a block, of a variadic one the first that is free."""
    block_type, role = library[block.type], Role.PAGE_INPUT if is_input else Role.PAGE_OUTPUT
    if block_type.role is Role.PAGE:
        used = used_page(graph, block)
        yield from [] if used is None else [port.name for port in page_ports(used, role)]
        return
    for port in block_type.inputs if is_input else block_type.outputs:
        number = 0
        while port.variadic and Port(block.id, f"{port.name}_{number}") in page.wires:
            number += 1
        yield f"{port.name}_{number}" if port.variadic else port.name


def with_wires_mended(graph: Graph, page_name: str) -> Graph:
    """The graph with all wires of a page joined to the ports that were probably meant, or removed."""
    graph = _without_surplus(graph, graph.page(page_name))
    for _, wire in islice(broken_wires(graph, graph.page(page_name)), COMPARED):
        instead = _likely(graph, graph.page(page_name), wire)
        if instead is not None:
            graph = reconnect(graph, page_name, wire, instead)
    return edits.disconnect(graph, page_name, *(wire for _, wire in broken_wires(graph, graph.page(page_name))))


def _without_surplus(graph: Graph, page: Page) -> Graph:
    """The graph with the first wire into each port of a page that leads somewhere."""
    if not page.surplus:
        return graph
    wires = dict(page.wires)
    for wire in page.surplus:
        if reason_broken(graph, page, wires[wire.target]) and not reason_broken(graph, page, wire):
            wires[wire.target] = wire
    return graph.with_page(dataclasses.replace(page, wires=wires, surplus=()))
