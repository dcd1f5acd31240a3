"""The place of a hover card: near its target, and never over it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QSizeF

from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.routing import Points, margin, piece_boxes, rect_boxes, segments
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.geometry.view.camera import Camera

AWAY, EDGE, STEP, PAD = 16.0, 8.0, 12.0, 6.0


def obstacles(arrays: PageArrays, target: Target, camera: Camera) -> Points:
    """Returns the wire, block and port that a card of a target must leave free. Shapes: (n, 4) corners in the view."""
    if target.port is not None:
        port, is_input = target.port
        ends = "target" if is_input else "source"
        rows = [row for row, wire in enumerate(arrays.wires) if getattr(wire, ends) == port]
        boxes = [_wire_boxes(arrays, row) for row in rows] + [_block_box(arrays, port.block)]
    elif target.wire is not None:
        boxes = [_wire_boxes(arrays, arrays.wire_rows[target.wire])]
    else:
        boxes = [_block_box(arrays, arrays.shown(target.block or target.layer or ""))]
    scene: Points = np.concatenate(boxes)
    return scene * camera.scale + np.array([camera.x, camera.y, camera.x, camera.y])


def _wire_boxes(arrays: PageArrays, row: int) -> Points:
    """Returns the straight pieces of a wire as boxes, as wide as a wire can be."""
    return piece_boxes(segments(arrays.points[[row]]).reshape(-1, 4)) + margin(PAD)


def _block_box(arrays: PageArrays, block_id: str) -> Points:
    rows = [arrays.rows[block_id]] if block_id in arrays.rows else []
    return rect_boxes(arrays.rects[rows]) + margin(PAD)


def place(card: QSizeF, anchor: QPointF, view: QSizeF, taken: Points) -> QPoint:
    """Returns the corner of a card: the free place nearest to the anchor, else the one that covers least.

    Shapes: `taken` (n, 4) as left, top, right, bottom. Units: px of the view.
    """
    spots = _spots(card, anchor, view)
    size = np.array([card.width(), card.height()])
    boxes = np.concatenate([spots, spots + size], axis=1)
    covered = _overlap(boxes, taken)
    # The pointer itself must stay free, or the card would take its clicks.
    own = np.array([[anchor.x() - 4, anchor.y() - 4, anchor.x() + 4, anchor.y() + 4]])
    covered += _overlap(boxes, own)
    middle = spots + size / 2
    away = np.hypot(middle[:, 0] - anchor.x(), (middle[:, 1] - anchor.y()) * 2)
    # Lexsort's last key comes first.
    best = int(np.lexsort((away, covered))[0])
    return QPointF(*spots[best]).toPoint()


def _spots(card: QSizeF, anchor: QPointF, view: QSizeF) -> Points:
    """Corners to try: beside the anchor, then on a grid over the whole view. Shapes: (n, 2)."""
    x, y, width, height = anchor.x(), anchor.y(), card.width(), card.height()
    near = [
        (left, top) for left in (x + AWAY, x - width / 2, x - width - AWAY) for top in (y + AWAY, y - height - AWAY)
    ]
    right, bottom = max(view.width() - width - EDGE, EDGE), max(view.height() - height - EDGE, EDGE)
    xs, ys = np.arange(EDGE, right + 1, STEP), np.arange(EDGE, bottom + 1, STEP)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    return np.concatenate([np.clip(np.array(near), EDGE, (right, bottom)), grid])


def _overlap(boxes: Points, taken: Points) -> Points:
    """Returns how much of each box is taken. Shapes: `boxes` (n, 4), `taken` (m, 4), the result (n,)."""
    low = np.maximum(boxes[:, None, :2], taken[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], taken[None, :, 2:])
    sides = np.maximum(high - low, 0)
    return (sides[..., 0] * sides[..., 1]).sum(axis=1)
