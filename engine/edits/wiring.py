"""Wires of one page: cycles, numbered ports, and the consequences of removing a wire."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from gradwire.engine.base.errors import CycleError, EditError
from gradwire.engine.base.problems import row_text
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits.renames import Renaming, renamed_page, with_references_renamed, with_stops
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.lookup import block_of, title_of
from gradwire.engine.graph.ports import role_of


class NumberedPort(NamedTuple):
    """Port of a variadic input: `values_3` is number "3" of `values`; text, because a file may hold any number."""

    stem: str
    number: str
    type: BlockType


def numbered_port(page: Page, port: Port) -> NumberedPort | None:
    """Returns the parts of a variadic input port; None for every other port."""
    block = page.blocks.get(port.block)
    block_type = None if block is None else library.get(block.type)
    declared = None if block_type is None else block_type.input_port(port.name)
    if block_type is None or declared is None or not declared.variadic:
        return None
    return NumberedPort(declared.name, port.name.rpartition("_")[2], block_type)


def check_port(
    graph: Graph, page: Page, port: Port, has: Callable[[Graph, Block, str], bool | None], kind: str
) -> None:
    """Checks that the block has the port, or has an unknown type; `kind` is input or output.

    Raises: EditError.
    """
    block = block_of(page, port.block)
    if has(graph, block, port.name) is False:
        raise EditError(f"{title_of(block)} has no {kind} {port.name}; choose one of its ports.")


def check_numbers(page: Page, wire: Wire) -> None:
    """Checks that the wire leaves no gap among the numbered ports at its ends.

    Raises: EditError.
    """
    found = numbered_port(page, wire.target)
    if found is not None and wire.target not in page.wires:
        number = 0
        while (free := Port(wire.target.block, f"{found.stem}_{number}")) in page.wires:
            number += 1
        if free != wire.target:
            title = title_of(page.blocks[wire.target.block])
            raise EditError(f"{title}: {wire.target.name} would leave a gap; connect {free.name} first.")
    partner = _partner_input(page, wire.source)
    if partner is not None and partner not in page.wires:
        title = title_of(page.blocks[wire.source.block])
        raise EditError(f"{title} has no output {wire.source.name} yet; connect {partner.name} first.")


def check_no_cycle(page: Page, wire: Wire) -> None:
    """Checks that the wire closes no cycle; a Page block depends on all its inputs.

    Raises: CycleError, naming the cycle.
    Source: depth-first search. Cost: O(wires).
    """
    before: dict[str, list[str]] = {}
    for target, other in page.wires.items():
        before.setdefault(target.block, []).append(other.source.block)
    start, goal = wire.source.block, wire.target.block
    reached_from = {start: start}
    pending = [start]
    while pending and goal not in reached_from:
        block_id = pending.pop()
        for producer in before.get(block_id, ()):
            if producer not in reached_from:
                reached_from[producer] = block_id
                pending.append(producer)
    if goal in reached_from:
        ring = [goal]
        while ring[-1] != start:
            ring.append(reached_from[ring[-1]])
        circle = row_text([*ring, goal], " -> ")
        message = f"The wire from {wire.source} to {wire.target} would close a circle: {circle}. Leave it out."
        raise CycleError(message, tuple(ring))


def runs_in_circles(page: Page) -> bool:
    """Returns whether the wires of a page contain a cycle, as those of a file may.

    Source: Kahn, Topological Sorting of Large Networks (1962). Cost: O(blocks + wires).
    """
    waiting = Counter(target.block for target in page.wires)
    after: dict[str, list[str]] = {}
    for target, wire in page.wires.items():
        after.setdefault(wire.source.block, []).append(target.block)
    ready = [block_id for block_id in after if not waiting[block_id]]
    for block_id in ready:
        for following in after.get(block_id, ()):
            waiting[following] -= 1
            if not waiting[following]:
                ready.append(following)
    return any(waiting.values())


def cut(graph: Graph, page: Page, doomed: Iterable[Wire]) -> Graph:
    """Returns the graph with `page` in place of the page of that name, less the doomed wires; the checks follow."""
    left, renaming = without_wires(page, doomed)
    return with_references_renamed(graph, renaming).with_page(left)


def without_wires(page: Page, doomed: Iterable[Wire]) -> tuple[Page, Renaming]:
    """Returns the page without some wires, and the new names of the numbered ports that moved down.

    A surplus wire takes over a free port. Removing an input of a Gradients block also removes the output that belongs
    to it, with its wires.
    """
    wires, surplus = dict(page.wires), dict(enumerate(page.surplus))
    waiting: dict[Port, list[int]] = {}
    for place, wire in surplus.items():
        waiting.setdefault(wire.target, []).append(place)
    emptied: list[Port] = []
    queue = list(doomed)
    for wire in queue:
        places = waiting.get(wire.target, [])
        if wires.get(wire.target) != wire:
            gone = next((place for place in places if surplus[place] == wire), None)
            if gone is not None:
                places.remove(gone)
                del surplus[gone]
            continue
        del wires[wire.target]
        if places:
            wires[wire.target] = surplus.pop(places.pop(0))
        else:
            emptied.append(wire.target)
            queue.extend(_without_partner(page, wire.target.block, wires, surplus.values()))
    left = dataclasses.replace(page, wires=wires, surplus=tuple(surplus.values()))
    return _without_gaps(left, emptied)


def _without_partner(page: Page, block_id: str, wires: Mapping[Port, Wire], surplus: Iterable[Wire]) -> list[Wire]:
    """Returns the wires from outputs of a Gradients block whose input has none."""
    block = page.blocks.get(block_id)
    if block is None or role_of(block) is not Role.GRADIENTS:
        return []
    outgoing = (wire for wire in (*wires.values(), *surplus) if wire.source.block == block_id)
    return [wire for wire in outgoing if _is_gone(page, wire.source, wires)]


def _is_gone(page: Page, output: Port, wires: Mapping[Port, Wire]) -> bool:
    partner = _partner_input(page, output)
    return partner is not None and partner not in wires


def _partner_input(page: Page, output: Port) -> Port | None:
    """Returns for `g_2` of a Gradients block its `xs_2`; None for every other port."""
    block = page.blocks.get(output.block)
    block_type = None if block is None else library.get(block.type)
    if block_type is None or block_type.role is not Role.GRADIENTS or block_type.output_port(output.name) is None:
        return None
    return Port(output.block, f"{block_type.inputs[-1].name}_{output.name.rpartition('_')[2]}")


def _without_gaps(page: Page, emptied: list[Port]) -> tuple[Page, Renaming]:
    touched = {port.block for port in emptied if numbered_port(page, port) is not None}
    if not touched:
        return page, Renaming(page.name)
    # A block has one variadic input, and its numbers have no leading zeros, so shorter names come first.
    ports = sorted((port for port in page.wires if port.block in touched), key=lambda port: (len(port.name), port.name))
    counts = dict.fromkeys(touched, 0)
    inputs: dict[Port, Port] = {}
    outputs: dict[Port, Port] = {}
    for port in ports:
        found = numbered_port(page, port)
        if found is not None:
            number, counts[port.block] = counts[port.block], counts[port.block] + 1
            inputs[port] = Port(port.block, f"{found.stem}_{number}")
            if found.type.role is Role.GRADIENTS:
                stem = found.type.outputs[-1].name
                outputs[Port(port.block, f"{stem}_{found.number}")] = Port(port.block, f"{stem}_{number}")
    renaming = Renaming(page.name, inputs=_moved(inputs), outputs=_moved(outputs))
    kept = with_stops(page, lambda port: None if _is_gone(page, port, page.wires) else port)
    return renamed_page(kept, renaming), renaming


def _moved(names: dict[Port, Port]) -> dict[Port, Port]:
    return {old: new for old, new in names.items() if old != new}
