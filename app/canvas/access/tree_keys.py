"""The keys of the objects in the accessible tree: their parents, children and names.

A key is the target that the object stands for: the page, or a block, port, wire, frame or note on it.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF

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
from gradwire.app.canvas.input.arrow_navigation import Socket, in_order, leaving, sockets
from gradwire.app.canvas.input.picking import target_at
from gradwire.engine.graph.graph import Wire

# The key of the page itself.
PAGE = Target()


def children_of(canvas: Canvas, key: Target) -> list[Target]:
    """Returns the keys below an object: ports below their block, below an output the wires that leave it.

    The blocks of the page come in the order of evaluation.
    """
    mirror = canvas.mirror
    if key == PAGE:
        things = [Target(block=name) for name in in_order(mirror)]
        things += [Target(frame=name) for name in mirror.frames] + [Target(note=name) for name in mirror.notes]
        lost = [mirror.wires[row] for row in sorted(mirror.broken)]
        return [*things, *(Target(wire=wire) for wire in lost if not _has_source(canvas, wire))]
    if key.port is not None:
        port, is_input = key.port
        wires = [] if is_input else leaving(mirror, mirror.shown(port.block))
        return [Target(wire=wire) for wire in wires if wire.source == port]
    return [] if key.block is None else [Target(port=socket) for socket in sockets(mirror, key.block)]


def parent_of(canvas: Canvas, key: Target) -> Target:
    """Returns the key above an object."""
    if key.wire is not None:
        return Target(port=(key.wire.source, False)) if _has_source(canvas, key.wire) else PAGE
    return PAGE if key.port is None else Target(block=canvas.mirror.shown(key.port[0].block))


def _has_source(canvas: Canvas, wire: Wire) -> bool:
    return canvas.mirror.port_position(wire.source, False) is not None


def name_of(canvas: Canvas, key: Target) -> str:
    """Returns the sentence of an object."""
    mirror = canvas.mirror
    if key.wire is not None:
        return wire_sentence(mirror, key.wire)
    if key.port is not None:
        return port_sentence(mirror, Socket(*key.port))
    if key.block is not None:
        return block_sentence(mirror, key.block, canvas.session.selection)
    if key.frame is not None:
        return frame_sentence(mirror, key.frame)
    return page_sentence(mirror) if key.note is None else note_sentence(mirror, key.note)


def key_at(canvas: Canvas, scene: QPointF) -> Target:
    """Returns the key of the thing at a point of the scene."""
    target = target_at(canvas.mirror, canvas.viewport.reading_scale, scene)
    block = target.block if target.layer is None else canvas.mirror.shown(target.layer)
    return Target(port=target.port, block=block, wire=target.wire, frame=target.frame, note=target.note)
