"""Ways over a page by arrow keys: what comes next from a block, a wire or a port, from the arrays of the page alone.

Right and Left follow wires, Up and Down change the wire, the port or the neighbouring thing. Things stand in columns,
read from top to bottom and from left to right, so that every one of them is reached.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.live.session import Selection
from gradwire.engine.graph.graph import Port, Wire

COLUMN_REACH = 72.0
Item = TypeVar("Item")


class Way(enum.Enum):
    """The directions of the arrow keys."""

    LEFT = enum.auto()
    RIGHT = enum.auto()
    UP = enum.auto()
    DOWN = enum.auto()

    @property
    def step(self) -> int:
        """Onwards or back."""
        return 1 if self in (Way.RIGHT, Way.DOWN) else -1


class Thing(NamedTuple):
    """A block, note or frame by its name."""

    kind: Literal["block", "note", "frame"]
    name: str


@dataclass(frozen=True)
class Place:
    """The place of the keyboard on a page.

    On a thing, `wire` is the one that it was reached by; on a wire, `thing` is the block that it was reached from.
    """

    thing: Thing
    wire: Wire | None = None
    is_on_wire: bool = False

    @property
    def target(self) -> Target:
        """The target that the place is on, as the pointer would find it."""
        if self.is_on_wire:
            return Target(wire=self.wire)
        kind, name = self.thing
        return Target(**{kind: name})  # type: ignore[arg-type]  # the three kinds


def place_of(selection: Selection) -> Place | None:
    """Returns the place of the only thing that is selected, None if there are several or none."""
    found = [Place(Thing("block", name)) for name in selection.blocks]
    found += [Place(Thing("block", wire.source.block), wire, True) for wire in selection.wires]
    found += [Place(Thing("frame", name)) for name in selection.frames]
    found += [Place(Thing("note", name)) for name in selection.notes]
    return found[0] if len(found) == 1 else None


def exists(page: PageArrays, target: Target) -> bool:
    """Returns whether a target is still on the page."""
    if target.port is not None:
        return page.port_position(*target.port) is not None
    if target.wire is not None:
        return target.wire in page.wire_rows
    found = (target.block, page.rows), (target.frame, page.frames), (target.note, page.notes)
    return all(name is None or name in known for name, known in found)


def step(page: PageArrays, place: Place, way: Way) -> Place:
    """Returns the next place that way; the same one where there is none."""
    if place.is_on_wire:
        return _from_wire(page, place, way)
    if way in (Way.UP, Way.DOWN):
        beside = _beside(things(page), place.thing, way)
        return place if beside == place.thing else Place(beside)
    if place.thing.kind != "block":
        return place
    wires = leaving(page, place.thing.name) if way is Way.RIGHT else entering(page, place.thing.name)
    if not wires:
        return place
    return Place(place.thing, place.wire if place.wire in wires else wires[0], True)


def _from_wire(page: PageArrays, place: Place, way: Way) -> Place:
    wire, name = place.wire, page.shown(place.thing.name)
    assert wire is not None, "a place on a wire has one"
    if way in (Way.LEFT, Way.RIGHT):
        end = page.shown(wire.source.block if way is Way.LEFT else wire.target.block)
        return Place(Thing("block", end), wire) if end in page.rows else place
    sisters = leaving(page, name) if name == page.shown(wire.source.block) else entering(page, name)
    return Place(place.thing, _beside(sisters, wire, way), True)


def _beside(items: Sequence[Item], item: Item, way: Way) -> Item:
    """Returns the next of some items, the last and the first one staying."""
    if item not in items:
        return item
    return items[min(max(items.index(item) + way.step, 0), len(items) - 1)]


def leaving(page: PageArrays, block: str) -> list[Wire]:
    """Returns the wires that leave a block: by their ports, then by where they end, from top to bottom."""
    wires = (page.wires[row] for row in page.wires_of(frozenset([block])))
    own = [wire for wire in wires if page.shown(wire.source.block) == block]
    return sorted(own, key=lambda wire: (_port_row(page, wire.source, False), *_corner(page, wire.target.block), wire))


def entering(page: PageArrays, block: str) -> list[Wire]:
    """Returns the wires that end at a block, from its first port to its last."""
    wires = (page.wires[row] for row in page.wires_of(frozenset([block])))
    own = [wire for wire in wires if page.shown(wire.target.block) == block]
    return sorted(own, key=lambda wire: (_port_row(page, wire.target, True), wire))


def _port_row(page: PageArrays, port: Port, is_input: bool) -> int:
    ports = [item.port for item in sockets(page, page.shown(port.block)) if item.is_input is is_input]
    return ports.index(port) if port in ports else len(ports)


def _corner(page: PageArrays, block: str) -> tuple[float, float]:
    row = page.rows.get(block)
    return (0.0, 0.0) if row is None else (float(page.rects[row, 1]), float(page.rects[row, 0]))


def things(page: PageArrays) -> list[Thing]:
    """Returns everything that stands on the page, column by column."""
    found = [(left, top, Thing("block", name)) for name, (left, top) in page.corners().items()]
    found += [(box.left(), box.top(), Thing("note", name)) for name, box in page.notes.items()]
    found += [(box.left(), box.top(), Thing("frame", name)) for name, box in page.frames.items()]
    found.sort()
    columns: list[list[tuple[float, float, Thing]]] = []
    for item in found:
        if not columns or item[0] > columns[-1][0][0] + COLUMN_REACH:
            columns.append([])
        columns[-1].append(item)
    return [thing for column in columns for _, _, thing in sorted(column, key=lambda item: (item[1], item))]


def ends(page: PageArrays) -> tuple[Place, Place] | None:
    """Returns the first and the last block in topological order; None on a page without blocks."""
    order = in_order(page)
    return (Place(Thing("block", order[0])), Place(Thing("block", order[-1]))) if order else None


def in_order(page: PageArrays) -> list[str]:
    """Returns the blocks, each after those before it; among equals as they stand. Those on circles come last."""
    after: dict[str, list[str]] = {}
    waiting = dict.fromkeys((thing.name for thing in things(page) if thing.kind == "block"), 0)
    for wire in page.wires:
        source, target = page.shown(wire.source.block), page.shown(wire.target.block)
        if source in waiting and target in waiting:
            after.setdefault(source, []).append(target)
            waiting[target] += 1
    ready, order = deque(name for name, count in waiting.items() if not count), []
    while ready:
        order.append(ready.popleft())
        for name in after.get(order[-1], ()):
            waiting[name] -= 1
            if not waiting[name]:
                ready.append(name)
    return [*order, *(name for name, count in waiting.items() if count)]


# Ports


class Socket(NamedTuple):
    """A port and the side that it is on."""

    port: Port
    is_input: bool


def sockets(page: PageArrays, block: str) -> list[Socket]:
    """Returns the ports of a block, inputs first."""
    row = page.rows[block]
    return [Socket(page.port_of(row, item), item.is_input) for item in page.shapes[row].ports]


def first_socket(page: PageArrays, block: str) -> Socket | None:
    """Returns the port at which opening a block begins: its first output, for a wire is mostly drawn from there."""
    found = sockets(page, block)
    return next((item for item in found if not item.is_input), found[0] if found else None)


def next_output(page: PageArrays, block: str) -> Port | None:
    """Returns the output that a new block continues: the first that nothing uses, else the first."""
    outputs = [item.port for item in sockets(page, block) if not item.is_input]
    used = {wire.source for wire in leaving(page, block)}
    return next((port for port in outputs if port not in used), outputs[0] if outputs else None)


def next_input(page: PageArrays, block: str) -> Port | None:
    """Returns the first input that has no wire."""
    used = {wire.target for wire in entering(page, block)}
    return next((item.port for item in sockets(page, block) if item.is_input and item.port not in used), None)


def step_socket(page: PageArrays, socket: Socket, way: Way) -> Socket:
    """Returns the next port of the block: Up and Down on its side, Left to the inputs, Right to the outputs."""
    found = sockets(page, page.shown(socket.port.block))
    side = [item for item in found if item.is_input is socket.is_input]
    if way in (Way.UP, Way.DOWN):
        return _beside(side, socket, way)
    other = [item for item in found if item.is_input is (way is Way.LEFT)]
    if other == side or not other or socket not in side:
        return socket
    return other[min(side.index(socket), len(other) - 1)]


def ends_for(page: PageArrays, start: Socket) -> list[Port]:
    """Returns the ports at which a wire from `start` may be tried to end, nearest first."""
    at = page.port_position(*start)
    if at is None:
        return []
    x, y = at.x(), at.y()
    found = [
        ((left + item.x - x) ** 2 + (top + item.y - y) ** 2, page.port_of(row, item))
        for row, (name, (left, top)) in enumerate(page.corners().items())
        if name != page.shown(start.port.block)
        for item in page.shapes[row].ports
        if item.is_input is not start.is_input
    ]
    return [port for _, port in sorted(found)]
