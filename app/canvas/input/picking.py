"""The target under the pointer, and the cursor there."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from gradwire.app.canvas.geometry.hit_tests import (
    PORT_REACH,
    WIRE_REACH,
    block_at,
    frame_at,
    note_at,
    port_at,
    slider_at,
    wire_at,
)
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import HEADER, Body, loss_row
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.blocks.slice_picker import picker_of
from gradwire.app.canvas.painting.look import Level, level_at

EDGE = 4.0


def target_at(mirror: Mirror, scale: float, scene: QPointF) -> Target:
    """Finds the target at a point of the scene: ports come first, then sliders, blocks, wires, frames and notes.

    A label stands for its wire. `scale` is the zoom beside the size of texts, which decides what a block shows.
    """
    has_ports = level_at(scale) >= Level.COMPACT
    block = block_at(mirror, scene)
    if has_ports and (port := port_at(mirror, scene, min(PORT_REACH / scale, PORT_REACH))) is not None:
        return Target(port=port)
    if block is not None and (fold := mirror.folds.get(block)) is not None:
        return Target(layer=fold.layers[fold.layer_at(scene.x() - mirror.rect(block).left())][0])
    if block is not None:
        return _on_block(mirror, scale, block, scene)
    wire = mirror.label_at(scene) or wire_at(mirror, scene, WIRE_REACH / scale)
    if wire is not None:
        return Target(wire=wire)
    note = note_at(mirror, scene)
    if note is not None:
        return Target(note=note)
    return Target(frame=frame_at(mirror, scene))


def _on_block(mirror: Mirror, scale: float, block_id: str, scene: QPointF) -> Target:
    rect, shape = mirror.rect(block_id), mirror.shapes[mirror.rows[block_id]]
    inner = scene - rect.topLeft()
    if level_at(scale) >= Level.FULL:
        found = slider_at(mirror, scene)
        if found is not None:
            box = shape.slider_box(found[1])
            on_number = inner.y() < box.top() + 20 if shape.body is Body.SLIDER else inner.y() > box.bottom() - 16
            return Target(slider=(*found, on_number), block=block_id)
        if shape.field_box.contains(inner):
            return Target(block=block_id, is_field=True)
        picker = picker_of(mirror, block_id)
        if picker is not None and (step := picker.way_at(inner)):
            return Target(block=block_id, step=step)
    is_edge = abs(inner.x() - rect.width()) <= EDGE and shape.body is not Body.REROUTE
    return Target(block=block_id, is_title=inner.y() <= HEADER, is_edge=is_edge)


def idle_loss_at(mirror: Mirror, scale: float, scene: QPointF) -> str | None:
    """Finds the Loss that a click at a point would make the one that is used."""
    block = block_at(mirror, scene)
    if block is None or level_at(scale) < Level.FULL or mirror.is_used_loss(block):
        return None
    shape, corner = mirror.shapes[mirror.rows[block]], mirror.rect(block).topLeft()
    is_there = shape.body is Body.LOSS and loss_row(shape).contains(scene - corner)
    return block if is_there else None


def cursor_at(mirror: Mirror, scale: float, target: Target, scene: QPointF) -> Qt.CursorShape:
    """Returns the cursor that tells what a press at a target would do."""
    if target.port is not None:
        return Qt.CursorShape.CrossCursor
    if target.slider is not None:
        return Qt.CursorShape.SizeHorCursor if target.slider[2] else Qt.CursorShape.PointingHandCursor
    if target.block is not None and idle_loss_at(mirror, scale, scene) is not None:
        return Qt.CursorShape.PointingHandCursor
    if target.is_button or target.layer is not None:
        return Qt.CursorShape.PointingHandCursor
    return Qt.CursorShape.SizeHorCursor if target.is_edge else Qt.CursorShape.ArrowCursor
