"""The gesture that a press on the page begins."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.gestures.choose import BoxSelect, Lasso
from gradwire.app.canvas.input.gestures.copying import Copy
from gradwire.app.canvas.input.gestures.draw_wire import DrawWire
from gradwire.app.canvas.input.gestures.gesture import Gesture
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.move import Move
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.canvas.input.gestures.resize import Resize
from gradwire.app.canvas.input.gestures.scrub import Scrub
from gradwire.app.canvas.input.picking import target_at
from gradwire.app.live.session import Selection
from gradwire.engine.graph.graph import Port


def begin_gesture(canvas: GestureHost, pointer: Pointer) -> Gesture:
    """Makes the gesture that a press of the left button begins; first it selects all that the gesture is to move."""
    if pointer.has(Modifiers.ControlModifier) and pointer.has(Modifiers.AltModifier):
        return Lasso(canvas, pointer)
    target = target_at(canvas.mirror, canvas.viewport.reading_scale, pointer.scene)
    if target.port is not None:
        return _from_port(canvas, pointer, *target.port)
    if target.slider is not None:
        block_id, index, on_number = target.slider
        _select(canvas, Selection(frozenset([block_id])), pointer)
        return Scrub(canvas, pointer, block_id, index, by_slider=not on_number)
    if target.is_edge and target.block is not None:
        return Resize(canvas, pointer, target.block)
    chosen = target.selection()
    if not chosen:
        return BoxSelect(canvas, pointer)
    _select(canvas, chosen, pointer)
    carry = Copy if pointer.has(Modifiers.ControlModifier) else Move
    return carry(canvas, pointer, _corner(canvas, target))


def _corner(canvas: GestureHost, target: Target) -> QPointF:
    mirror = canvas.mirror
    if target.block is not None:
        return mirror.rect(target.block).topLeft()
    if target.note is not None:
        return mirror.notes[target.note].topLeft()
    frame = next((item for item in canvas.session.page.frames if item.id == target.frame), None)
    first = next((name for name in frame.blocks if name in mirror.rows), None) if frame is not None else None
    return mirror.rect(first).topLeft() if first is not None else QPointF()


def _from_port(canvas: GestureHost, pointer: Pointer, port: Port, is_input: bool) -> Gesture:
    """Takes the wire's end at a connected input, with Ctrl a second wire from the same output.

    At any other port it begins a new wire.
    """
    wire = canvas.session.page.wires.get(port) if is_input else None
    if wire is not None:
        moved = None if pointer.has(Modifiers.ControlModifier) else wire
        return DrawWire(canvas, pointer, wire.source, False, moved)
    block = canvas.mirror.shapes[canvas.mirror.rows[port.block]]
    if block.body is Body.REROUTE and is_input:
        # Both ports of a dot lie on one another; a free wire starts at the output.
        return DrawWire(canvas, pointer, Port(port.block, block.outputs[0].name), False)
    return DrawWire(canvas, pointer, port, is_input)


def _select(canvas: GestureHost, chosen: Selection, pointer: Pointer) -> None:
    session = canvas.session
    if pointer.has(Modifiers.ShiftModifier):
        session.select(session.selection ^ chosen)
    elif (chosen | session.selection) != session.selection:
        session.select(chosen)
