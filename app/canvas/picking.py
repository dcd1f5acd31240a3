"""What is under the pointer, and which gesture a press there begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from app.canvas.gestures import BoxSelect, Copy, DrawWire, Gesture, Lasso, Modifiers, Move, Pointer, Resize, Scrub
from app.canvas.look import Level, level_at
from app.canvas.page_arrays import PORT_REACH, WIRE_REACH
from app.canvas.shapes import HEADER, Body, seed_row
from app.canvas.slice_picker import can_be_read, picker_of
from app.live.session import Selection
from engine.graph import Port, Wire

if TYPE_CHECKING:
    from app.canvas.gesture_view import GestureView

EDGE = 4.0


@dataclass(frozen=True)
class Target:
    """What is at one point: at most one of port, slider with its block, block, wire, frame and note.

    On a block there may be its field, or an arrow that leads to the next or the last slice (`step` 1 or −1).
    """

    port: tuple[Port, bool] | None = None
    slider: tuple[str, int, bool] | None = None
    block: str | None = None
    is_title: bool = False
    is_edge: bool = False
    is_field: bool = False
    step: int = 0
    wire: Wire | None = None
    frame: str | None = None
    note: str | None = None

    def __bool__(self) -> bool:
        return self != _NOTHING

    @property
    def is_track(self) -> bool:
        """Whether a slider is there rather than its number."""
        return self.slider is not None and not self.slider[2]

    @property
    def is_button(self) -> bool:
        """Whether a click there does something at once, and a second one does it again."""
        return self.is_field or bool(self.step)

    def selection(self) -> Selection:
        """What a click there selects."""
        return Selection(
            frozenset([self.block] if self.block else []),
            frozenset([self.wire] if self.wire else []),
            frozenset([self.frame] if self.frame else []),
            frozenset([self.note] if self.note else []),
        )


_NOTHING = Target()


def target_at(canvas: GestureView, scene: QPointF) -> Target:
    """What a point of the scene lies on: ports come first, then sliders, blocks, wires, frames and notes."""
    mirror, scale = canvas.mirror, canvas.camera.scale
    has_ports = level_at(scale) >= Level.COMPACT
    block = mirror.block_at(scene)
    if has_ports and (port := mirror.port_at(scene, min(PORT_REACH / scale, PORT_REACH))) is not None:
        return Target(port=port)
    if block is not None:
        return _on_block(canvas, block, scene)
    wire = mirror.wire_at(scene, WIRE_REACH / scale)
    if wire is not None:
        return Target(wire=wire)
    note = mirror.note_at(scene)
    if note is not None:
        return Target(note=note)
    return Target(frame=mirror.frame_at(scene))


def _on_block(canvas: GestureView, block_id: str, scene: QPointF) -> Target:
    mirror = canvas.mirror
    rect, shape = mirror.rect(block_id), mirror.shapes[mirror.rows[block_id]]
    inner = scene - rect.topLeft()
    if level_at(canvas.camera.scale) >= Level.FULL:
        found = mirror.slider_at(scene)
        if found is not None:
            box = shape.slider_box(found[1])
            on_number = inner.y() < box.top() + 20 if shape.body is Body.SLIDER else inner.y() > box.bottom() - 16
            return Target(slider=(*found, on_number), block=block_id)
        if shape.field_box.contains(inner):
            return Target(block=block_id, is_field=True)
        picker = picker_of(mirror, block_id) if can_be_read(canvas.camera.scale) else None
        if picker is not None and (step := picker.way_at(inner)):
            return Target(block=block_id, step=step)
    is_edge = abs(inner.x() - rect.width()) <= EDGE and shape.body is not Body.REROUTE
    return Target(block=block_id, is_title=inner.y() <= HEADER, is_edge=is_edge)


def idle_loss_at(canvas: GestureView, scene: QPointF) -> str | None:
    """The Loss that a click at a point would make the one that is used."""
    mirror, block = canvas.mirror, canvas.mirror.block_at(scene)
    if block is None or level_at(canvas.camera.scale) < Level.FULL or mirror.is_used_loss(block):
        return None
    shape, corner = mirror.shapes[mirror.rows[block]], mirror.rect(block).topLeft()
    is_there = shape.body is Body.LOSS and seed_row(shape).contains(scene - corner)
    return block if is_there else None


def begin_gesture(canvas: GestureView, pointer: Pointer) -> Gesture:
    """The gesture that a press of the left button begins; it selects first what it is about to move."""
    if pointer.has(Modifiers.ControlModifier) and pointer.has(Modifiers.AltModifier):
        return Lasso(canvas, pointer)
    target = target_at(canvas, pointer.scene)
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


def _corner(canvas: GestureView, target: Target) -> QPointF:
    mirror = canvas.mirror
    if target.block is not None:
        return mirror.rect(target.block).topLeft()
    if target.note is not None:
        return mirror.notes[target.note].topLeft()
    frame = next((item for item in canvas.session.page.frames if item.id == target.frame), None)
    first = next((name for name in frame.blocks if name in mirror.rows), None) if frame is not None else None
    return mirror.rect(first).topLeft() if first is not None else QPointF()


def _from_port(canvas: GestureView, pointer: Pointer, port: Port, is_input: bool) -> Gesture:
    """A press on a connected input takes the end of its wire, with Ctrl that of a second wire from the same output.

    Everywhere else a new wire begins.
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


def _select(canvas: GestureView, chosen: Selection, pointer: Pointer) -> None:
    session = canvas.session
    if pointer.has(Modifiers.ShiftModifier):
        session.select(session.selection ^ chosen)
    elif (chosen | session.selection) != session.selection:
        session.select(chosen)


def cursor_at(canvas: GestureView, target: Target, pointer: Pointer) -> Qt.CursorShape:
    """The cursor that tells what a press would do."""
    if target.port is not None:
        return Qt.CursorShape.CrossCursor
    if target.slider is not None:
        return Qt.CursorShape.SizeHorCursor if target.slider[2] else Qt.CursorShape.PointingHandCursor
    if target.block is not None and idle_loss_at(canvas, pointer.scene) is not None:
        return Qt.CursorShape.PointingHandCursor
    if target.is_button:
        return Qt.CursorShape.PointingHandCursor
    return Qt.CursorShape.SizeHorCursor if target.is_edge else Qt.CursorShape.ArrowCursor
