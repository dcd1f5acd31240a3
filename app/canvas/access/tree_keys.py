"""The keys of the objects in the accessible tree: their parents, children, names and places."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF

from gradwire.app.canvas.access.sentences import (
    block_sentence,
    frame_sentence,
    note_sentence,
    page_sentence,
    port_sentence,
    wire_sentence,
)
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.arrow_navigation import Place, Socket, Thing, in_order, leaving, sockets, stands
from gradwire.app.canvas.input.keyboard import rect_of
from gradwire.app.canvas.input.picking import target_at
from gradwire.engine.graph.graph import Wire

PORT_SIDE = 24.0


class Key(NamedTuple):
    """The thing that an object of the tree stands for: the page, or one of the other four."""

    thing: Thing | None = None
    socket: Socket | None = None
    wire: Wire | None = None


PAGE = Key()


def key_of(place: Place | None, socket: Socket | None) -> Key | None:
    """Returns the key for a place of the keyboard."""
    if socket is not None:
        return Key(socket=socket)
    if place is None:
        return None
    return Key(wire=place.wire) if place.is_on_wire else Key(place.thing)


def exists(canvas: Canvas, key: Key) -> bool:
    """Returns whether what a key stands for is on the page."""
    mirror = canvas.mirror
    if key.socket is not None:
        return mirror.port_position(*key.socket) is not None
    if key.wire is not None:
        return key.wire in mirror.wire_rows
    return key.thing is None or stands(mirror, key.thing)


def children_of(canvas: Canvas, key: Key) -> list[Key]:
    """Returns the keys below an object: ports below their block, below an output the wires that leave it.

    The blocks of the page come in the order of evaluation.
    """
    mirror = canvas.mirror
    if key == PAGE:
        things = [Thing("block", name) for name in in_order(mirror)]
        things += [Thing("frame", name) for name in mirror.frames] + [Thing("note", name) for name in mirror.notes]
        lost = [mirror.wires[row] for row in sorted(mirror.broken)]
        return [*map(Key, things), *(Key(wire=wire) for wire in lost if not _has_source(canvas, wire))]
    if key.thing is not None and key.thing.kind == "block":
        return [Key(socket=socket) for socket in sockets(mirror, key.thing.name)]
    if key.socket is not None and not key.socket.is_input:
        port = key.socket.port
        return [Key(wire=wire) for wire in leaving(mirror, mirror.shown(port.block)) if wire.source == port]
    return []


def parent_of(canvas: Canvas, key: Key) -> Key:
    """Returns the key above an object."""
    if key.wire is not None:
        return Key(socket=Socket(key.wire.source, False)) if _has_source(canvas, key.wire) else PAGE
    return PAGE if key.socket is None else Key(Thing("block", canvas.mirror.shown(key.socket.port.block)))


def _has_source(canvas: Canvas, wire: Wire) -> bool:
    return canvas.mirror.port_position(wire.source, False) is not None


def name_of(canvas: Canvas, key: Key) -> str:
    """Returns the sentence of an object."""
    mirror = canvas.mirror
    if key.wire is not None:
        return wire_sentence(mirror, key.wire)
    if key.socket is not None:
        return port_sentence(mirror, key.socket)
    if key.thing is None:
        return page_sentence(mirror)
    kind, name = key.thing
    if kind == "block":
        return block_sentence(mirror, name, canvas.session.selection)
    return frame_sentence(mirror, name) if kind == "frame" else note_sentence(mirror, name)


def target_of(key: Key) -> Target:
    """Returns the target that an object stands for, as the pointer would find it."""
    if key.socket is not None:
        return Target(port=(key.socket.port, key.socket.is_input))
    if key.wire is not None:
        return Target(wire=key.wire)
    return Target() if key.thing is None else Place(key.thing).target


def key_at(canvas: Canvas, scene: QPointF) -> Key:
    """Returns the key of the thing at a point of the scene."""
    target = target_at(canvas.mirror, canvas.reading_scale, scene)
    if target.port is not None:
        return Key(socket=Socket(*target.port))
    if target.wire is not None:
        return Key(wire=target.wire)
    block = target.block if target.layer is None else canvas.mirror.shown(target.layer)
    for kind, name in (("block", block), ("frame", target.frame), ("note", target.note)):
        if name is not None:
            return Key(Thing(kind, name))  # type: ignore[arg-type]  # the three kinds
    return PAGE


def place_of_key(key: Key) -> Place | None:
    """Returns the place of the keyboard on what a key stands for."""
    if key.wire is not None:
        return Place(Thing("block", key.wire.source.block), key.wire, True)
    return None if key.thing is None else Place(key.thing)


def scene_rect(canvas: Canvas, key: Key) -> QRectF:
    """Returns the rectangle of an object in the scene."""
    if key.socket is not None:
        at = canvas.mirror.port_position(*key.socket) or QPointF()
        return QRectF(at.x() - PORT_SIDE / 2, at.y() - PORT_SIDE / 2, PORT_SIDE, PORT_SIDE)
    place = place_of_key(key)
    return QRectF() if place is None else rect_of(canvas.mirror, place)
