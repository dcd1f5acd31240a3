"""Fixes for broken wires in a file: they join the probable port, or remove the wire."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

from gradwire.engine.advice.finding import Fix
from gradwire.engine.autodiff.expand import broken_wires, reason_broken
from gradwire.engine.base.errors import EditError
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import page_of
from gradwire.engine.graph.ports import has_input, has_output, page_ports, used_page

# The search for similar names is slow; beyond this number of broken wires per page, the others are removed.
COMPARED = 100
# Minimal similarity of two names; ports have short names, but there are few of them.
_LIKE_BLOCK, _LIKE_PORT = 0.8, 0.6


def fix_of_second_wire(page_name: str, wire: Wire) -> Fix:
    """Returns the fix for a wire into a port that has one already."""
    return Fix(f"Remove the second wire into {wire.target}", partial(drop_surplus, page_name=page_name, wire=wire))


def fix_of_broken_wire(graph: Graph, page_name: str, wire: Wire, is_compared: bool) -> Fix:
    """Returns the fix for a wire that leads nowhere; `is_compared` looks for ports of similar names."""
    instead = _likely(graph, page_of(graph, page_name), wire) if is_compared else None
    if instead is not None:
        edit = partial(reconnect, page_name=page_name, wire=wire, instead=instead)
        return Fix(f"Connect {instead.source} to {instead.target} instead", edit)
    return Fix(f"Remove the wire to {wire.target}", partial(disconnect, page_name=page_name, wires=(wire,)))


def drop_surplus(graph: Graph, page_name: str, wire: Wire) -> Graph:
    """Returns the graph without one of a page's surplus wires, which end where another already does.

    Raises: EditError if there is no such wire.
    """
    page = page_of(graph, page_name)
    if wire not in page.surplus:
        raise EditError(f'There is no wire from {wire.source} to {wire.target} on page "{page_name}" any more.')
    place = page.surplus.index(wire)
    return graph.with_page(dataclasses.replace(page, surplus=page.surplus[:place] + page.surplus[place + 1 :]))


def reconnect(graph: Graph, page_name: str, wire: Wire, instead: Wire) -> Graph:
    """Returns the graph with one wire replaced by another.

    Raises: EditError if the old wire does not exist, or the new one is impossible.
    """
    if wire.target == instead.target and page_of(graph, page_name).wires.get(wire.target) == wire:
        return edits.connect(graph, page_name, *instead)
    return edits.connect(edits.disconnect(graph, page_name, wire), page_name, *instead)


def disconnect(graph: Graph, page_name: str, wires: tuple[Wire, ...]) -> Graph:
    """Returns the graph without some wires.

    Raises: EditError if one of them does not exist.
    """
    return edits.disconnect(graph, page_name, *wires)


def _likely(graph: Graph, page: Page, wire: Wire) -> Wire | None:
    """Returns the wire that the author of a broken one probably meant; None if there is none."""
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
    """Returns the port itself if it exists, else the one with the most similar name."""
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
    """Yields the ports of a block, of a variadic one the first that is free."""
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
    """Returns the graph with all broken wires of a page joined to the probable ports, or removed."""
    graph = _without_surplus(graph, graph.page(page_name))
    for _, wire in islice(broken_wires(graph, graph.page(page_name)), COMPARED):
        instead = _likely(graph, graph.page(page_name), wire)
        if instead is not None:
            graph = reconnect(graph, page_name, wire, instead)
    return edits.disconnect(graph, page_name, *(wire for _, wire in broken_wires(graph, graph.page(page_name))))


def _without_surplus(graph: Graph, page: Page) -> Graph:
    """Returns the graph without surplus wires; each port keeps its first wire that leads somewhere."""
    if not page.surplus:
        return graph
    wires = dict(page.wires)
    for wire in page.surplus:
        if reason_broken(graph, page, wires[wire.target]) and not reason_broken(graph, page, wire):
            wires[wire.target] = wire
    return graph.with_page(dataclasses.replace(page, wires=wires, surplus=()))
