"""Hit tests: the items of a page at a point, in a rectangle or on a line."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.routing import crossed, distances
from gradwire.engine.graph.graph import Port, Wire

PORT_REACH, WIRE_REACH, SNAP_REACH = 12.0, 7.0, 24.0
TITLE_HEIGHT = 26


def port_at(
    arrays: PageArrays, point: QPointF, reach: float = PORT_REACH, is_input: bool | None = None
) -> tuple[Port, bool] | None:
    """Returns the port nearest to a point within reach, and whether it is an input."""
    x, y = point.x(), point.y()
    best: tuple[float, Port, bool] | None = None
    for row in arrays.blocks_near(x, y, reach):
        left, top = arrays.rects[row, :2]
        for port in arrays.shapes[row].ports:
            distance = float(np.hypot(left + port.x - x, top + port.y - y))
            fits = is_input is None or port.is_input is is_input
            if fits and distance <= reach and (best is None or distance < best[0]):
                best = (distance, arrays.port_of(row, port), port.is_input)
    return None if best is None else best[1:]


def block_at(arrays: PageArrays, point: QPointF) -> str | None:
    """Returns the topmost block under a point."""
    found = arrays.blocks_near(point.x(), point.y(), 0.0)
    return arrays.ids[found[-1]] if len(found) else None


def wire_at(
    arrays: PageArrays, point: QPointF, reach: float = WIRE_REACH, apart: frozenset[str] = frozenset()
) -> Wire | None:
    """Returns the wire nearest to a point within reach; those of the blocks `apart` do not count."""
    boxes, at = arrays.wire_boxes, point.toTuple()
    near = np.flatnonzero(((boxes[:, :2] - reach <= at) & (boxes[:, 2:] + reach >= at)).all(axis=1))
    near = np.setdiff1d(near, arrays.wires_of(apart)) if apart else near
    if not len(near):
        return None
    far = distances(arrays.points[near], *at)
    best = int(far.argmin())
    return arrays.wires[near[best]] if far[best] <= reach else None


def frame_at(arrays: PageArrays, point: QPointF) -> str | None:
    """Returns the frame whose title strip is under a point, the innermost first."""
    titles = {name: QRectF(box.topLeft(), QSizeF(box.width(), TITLE_HEIGHT)) for name, box in arrays.frames.items()}
    return smallest({name: arrays.frames[name] for name, title in titles.items() if title.contains(point)})


def smallest(boxes: Mapping[str, QRectF]) -> str | None:
    """Returns the name of the smallest of some rectangles; of frames around a point that is the innermost."""
    return min(boxes, key=lambda name: (boxes[name].width() * boxes[name].height(), name), default=None)


def note_at(arrays: PageArrays, point: QPointF) -> str | None:
    """Returns the note under a point."""
    return next((name for name, box in arrays.notes.items() if box.contains(point)), None)


def slider_at(arrays: PageArrays, point: QPointF) -> tuple[str, int] | None:
    """Returns the slider under a point: its block and the element."""
    block_id = block_at(arrays, point)
    if block_id is None:
        return None
    shape, rect = arrays.shapes[arrays.rows[block_id]], arrays.rect(block_id)
    inner = point - rect.topLeft()
    return next(((block_id, index) for index in range(shape.sliders) if shape.slider_box(index).contains(inner)), None)


def blocks_in(arrays: PageArrays, rect: QRectF) -> list[str]:
    """Returns the blocks that a rectangle touches; those inside a fold are not among them."""
    found = [arrays.ids[row] for row in arrays.visible_blocks(rect, 0.0)]
    return [name for name in found if name not in arrays.folds]


def wires_in(arrays: PageArrays, rect: QRectF) -> list[Wire]:
    """Returns the wires that lie wholly in a rectangle."""
    low, high = arrays.points.min(axis=1), arrays.points.max(axis=1)
    inside = (low >= (rect.left(), rect.top())).all(axis=1) & (high <= (rect.right(), rect.bottom())).all(axis=1)
    return [arrays.wires[row] for row in np.flatnonzero(inside)]


def wires_crossed(arrays: PageArrays, start: QPointF, end: QPointF) -> list[Wire]:
    """Returns the wires that a straight line crosses."""
    rows = crossed(arrays.points, (start.x(), start.y()), (end.x(), end.y()))
    return [arrays.wires[row] for row in rows]
