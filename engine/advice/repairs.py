"""Fixes for faults that only a file can hold: broken wires, second wires, cycles."""

from __future__ import annotations

import dataclasses
import difflib
import itertools
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice

from gradwire.engine.advice.finding import Fix
from gradwire.engine.autodiff.expand import (
    Expanded,
    PortName,
    broken_sentence,
    broken_wires,
    expand,
    reason_broken,
    reason_surplus,
)
from gradwire.engine.autodiff.page_uses import PageUses, ring_sentence
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.problems import Problem, row_text
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits
from gradwire.engine.edits.page_edits import set_gradient
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import page_of
from gradwire.engine.graph.paths import whole_path
from gradwire.engine.graph.ports import has_input, has_output, page_ports, pages_along, used_page

REPAIRABLE = ("broken_wire", "cycle")
# The search for similar names is slow; beyond this number of broken wires per page, the others are removed.
COMPARED = 100
# Minimal similarity of two names; ports have short names, but there are few of them.
_LIKE_BLOCK, _LIKE_PORT = 0.8, 0.6


def repairs(graph: Graph, expanded: Expanded, problems: Iterable[Problem]) -> dict[Problem, Fix]:
    """Returns the fixes for broken wires and cycles, by problem."""
    wanted = [problem for problem in problems if problem.code in REPAIRABLE]
    broken = {page.name: dict(broken_wires(graph, page)) for page in graph.pages} if wanted else {}
    found: dict[Problem, Fix] = {}
    for number, problem in enumerate(wanted):
        page = pages_along(graph, problem.at.rpartition("/")[0])[-1].name
        wire = broken[page].get(problem.message)
        if problem.code == "cycle":
            fix = fix_of_circle(problem, graph, expanded)
            found |= {} if fix is None else {problem: fix}
        elif wire is not None and problem.message == broken_sentence(wire, reason_surplus(wire)):
            found[problem] = fix_of_second_wire(page, wire)
        elif wire is not None:
            found[problem] = fix_of_broken_wire(graph, page, wire, number < COMPARED)
    return found


def repair_all(graph: Graph) -> Graph:
    """Returns the graph without cycles, and with every broken wire joined to the probable port, or removed.

    Raises: EditError if there is nothing to repair.
    """
    repaired = graph
    for page in graph.pages:
        repaired = with_wires_mended(repaired, page.name)
    repaired = without_circles(repaired)
    if repaired is graph:
        raise EditError("There is nothing to repair.")
    return repaired


# Broken wires


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


# Cycles


def fix_of_circle(problem: Problem, graph: Graph, expanded: Expanded) -> Fix | None:
    """Returns the fix for a cycle: it removes the wire that runs back furthest, or mutes pages inside themselves.

    A page that lies inside itself by its own gradient is left to its blocks.
    """
    uses = PageUses(graph)
    ring = next((ring for ring in uses.rings.values() if problem.message == ring_sentence(ring)), ())
    if ring:
        giving = [page for page, name in graph.gradients.items() if page in ring and name in ring]
        if giving:
            edit = partial(set_gradient, page_name=giving[0], gradient=None)
            return Fix(f"Leave the gradient of page {giving[0]} to its blocks", edit)
        back = uses.leading_back(ring)
        names = row_text(itertools.chain.from_iterable(back.values()), ", ")
        return Fix(f"Mute {names}", partial(_mute, blocks=back))
    found = list(_wires_of_ring(problem.at, expanded))
    if not found:
        return None
    outermost = min(prefix.count("/") for prefix, _ in found)
    prefix, wire = max(
        (item for item in found if item[0].count("/") == outermost),
        key=lambda item: _way_back(item[0], item[1], expanded),
    )
    edit = partial(disconnect, page_name=pages_along(graph, prefix)[-1].name, wires=(wire,))
    return Fix(f"Remove the wire from {wire.source} to {wire.target}", edit)


def _mute(graph: Graph, blocks: Mapping[str, list[str]]) -> Graph:
    for page, ids in blocks.items():
        graph = edits.set_muted(graph, page, ids, True) if ids else graph
    return graph


def without_circles(graph: Graph) -> Graph:
    """Returns the graph with all its cycles broken."""
    while True:
        expanded, before = expand(graph), graph
        for problem in [item for item in expanded.problems if item.code == "cycle"]:
            fix = fix_of_circle(problem, before, expanded)
            try:
                graph = graph if fix is None else fix.edit(graph)
            except EditError:  # The same wire broke another cycle.
                continue
        if graph is before:
            return graph


def _wires_of_ring(path: str, expanded: Expanded) -> Iterator[tuple[str, Wire]]:
    """Yields the wires of a shortest cycle through an instance, each with the path of its page's use."""
    ring = _ring(path, expanded)
    for before, after in zip(ring, [*ring[1:], ring[0]], strict=True):
        instance = expanded.instances[after]
        for name, source in instance.inputs.items():
            # A wire to a use of a page arrives at the PageInput inside.
            end = instance.port or PortName(after, name)
            prefix, _, block_id = end.path.rpartition("/")
            is_on_page = not instance.is_entered and whole_path(end.path) == end.path
            if source.path == before and is_on_page:
                yield prefix, Wire(Port(source.path.rpartition("/")[2], source.port), Port(block_id, end.port))


def _ring(path: str, expanded: Expanded) -> list[str]:
    came_from = {path: ""}
    pending = [path]
    for before in pending:
        for after in expanded.consumers.get(before, ()):
            if after == path:
                ring = [before]
                while ring[-1] != path:
                    ring.append(came_from[ring[-1]])
                return ring[::-1]
            if after not in came_from:
                came_from[after] = before
                pending.append(after)
    return [path]


def _way_back(prefix: str, wire: Wire, expanded: Expanded) -> int:
    """Returns how far to the left a wire runs, in px; 0 if an end has no place."""
    ends = [expanded.instances[f"{prefix}/{port.block}"].block.at for port in wire]
    return 0 if ends[0] is None or ends[1] is None else ends[0][0] - ends[1][0]
