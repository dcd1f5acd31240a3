"""How much room something on a page takes up."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.page_arrays import PageArrays, box_rect, united
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.live.session import Selection

PAD = 14.0


def extent(arrays: PageArrays, chosen: Selection) -> QRectF:
    """Returns the rectangle around some blocks, wires, frames and notes; null where none of them is on the page."""
    rows = [arrays.wire_rows[wire] for wire in chosen.wires if wire in arrays.wire_rows]
    boxes = [arrays.bounds(chosen.blocks), *map(box_rect, arrays.wire_boxes[rows].tolist())]
    boxes += [arrays.frames[name] for name in chosen.frames if name in arrays.frames]
    return united(boxes + [arrays.notes[name] for name in chosen.notes if name in arrays.notes])


def is_used(arrays: PageArrays, area: QRectF) -> bool:
    """Returns whether a block, a wire, a frame or a note lies in a rectangle."""
    boxes = [*arrays.frames.values(), *arrays.notes.values()]
    is_built = len(arrays.visible_blocks(area, 0)) > 0 or len(arrays.visible_wires(area, 0)) > 0
    return is_built or any(area.intersects(box) for box in boxes)


def hover_area(arrays: PageArrays, target: Target) -> QRectF:
    """Returns the area that looks otherwise while the pointer is over a target; null where none does."""
    if target.port is not None:
        place = arrays.port_position(*target.port)
        return QRectF() if place is None else QRectF(place.x() - PAD, place.y() - PAD, 2 * PAD, 2 * PAD)
    chosen = target.selection()
    wires = chosen.wires | {arrays.wires[row] for row in arrays.wires_of(chosen.blocks)}
    area = extent(arrays, Selection(chosen.blocks, wires))
    return area if area.isNull() else area.adjusted(-PAD, -PAD, PAD, PAD)
