"""A page as arrays, and what lies where on it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from app.canvas.routing import Points, crossed, distances
from app.canvas.shapes import BlockShape
from engine.block_type import BlockType
from engine.graph import Block, Port, Wire
from engine.library import library
from engine.problems import Problem

PORT_REACH, WIRE_REACH, SNAP_REACH = 12.0, 7.0, 24.0
GRID = 16
# How far what is drawn of a block reaches beyond its rectangle: badge, focus ring, hot port.
BLOCK_REACH = 16.0
Rows = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]


class PageArrays:
    """One page in arrays. Rows of blocks and wires are those of `ids` and `wires`.

        `broken` has the rows of wires that lead nowhere, `top` and `span` the scale of magnitudes: the largest norm and
        how many decades below it are told apart, or `fixed_range` where the user has chosen both. `geometry` counts up
        whenever something stands or runs elsewhere. `block_stamps` and `wire_stamps` are the tick at which what a row
        shows, besides its place, last changed. `token_codes` are indices into `tokens`, the colours of the categories.
    `joins` are the rows of the blocks that each wire joins, -1 for none; `forks` says whether its output has others.
    Shapes: `rects` (blocks, 4) as left, top, width, height; `points` (wires, 6, 2), of curves (wires, 25, 2);
    `wire_boxes` (wires, 4); `joins` (wires, 2).
        Units: px at 100 %.
    """

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.rows: dict[str, int] = {}
        self.blocks: list[Block] = []
        self.shapes: list[BlockShape] = []
        self.rects: Points = np.zeros((0, 4))
        self.wires: list[Wire] = []
        self.wire_rows: dict[Wire, int] = {}
        self.broken: set[int] = set()
        self.points: Points = np.zeros((0, 6, 2))
        self.wire_boxes: Points = np.zeros((0, 4))
        self.wire_status: np.ndarray[Any, np.dtype[np.uint8]] = np.zeros(0, np.uint8)
        self.wire_norm: Points = np.zeros(0)
        self.wire_total: Points = np.zeros(0)
        self.top, self.span = 1.0, 2.0
        self.fixed_range: tuple[float, float] | None = None
        self.frames: dict[str, QRectF] = {}
        self.notes: dict[str, QRectF] = {}
        self.problems: dict[str, list[Problem]] = {}
        self.geometry = 0
        self.tick = 0
        self.block_stamps: Rows = np.zeros(0, np.int64)
        self.wire_stamps: Rows = np.zeros(0, np.int64)
        self.tokens: list[str] = []
        self.token_codes: Rows = np.zeros(0, np.int64)
        self.joins: Rows = np.zeros((0, 2), np.int64)
        self.forks: Flags = np.zeros(0, bool)

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands on the page."""
        return not self.ids and not self.notes and not self.frames

    def bounds(self, ids: frozenset[str] | None = None) -> QRectF:
        """The rectangle around everything, or around some blocks."""
        if ids is not None and ids == self.rows.keys():
            return self.block_bounds()
        if ids is not None:
            return _around(self.rects[[self.rows[name] for name in ids if name in self.rows]])
        whole = self.block_bounds()
        for box in (*self.frames.values(), *self.notes.values()):
            whole = whole.united(box)
        if 0 < len(self.wires) < 2000:
            left, top = self.wire_boxes[:, :2].min(axis=0)
            right, bottom = self.wire_boxes[:, 2:].max(axis=0)
            whole = whole.united(QRectF(left, top, right - left, bottom - top))
        return whole

    def block_bounds(self) -> QRectF:
        """The rectangle around all blocks, which is asked for at every frame."""
        return _around(self.rects)

    def rect(self, block_id: str) -> QRectF:
        """Where a block is."""
        return QRectF(*self.rects[self.rows[block_id]])

    def port_at(
        self, point: QPointF, reach: float = PORT_REACH, is_input: bool | None = None
    ) -> tuple[Port, bool] | None:
        """The port nearest to a point within reach, and whether it is an input."""
        x, y = point.x(), point.y()
        best: tuple[float, Port, bool] | None = None
        for row in self._near(x, y, reach):
            left, top = self.rects[row, :2]
            for port in self.shapes[row].ports:
                distance = float(np.hypot(left + port.x - x, top + port.y - y))
                fits = is_input is None or port.is_input is is_input
                if fits and distance <= reach and (best is None or distance < best[0]):
                    best = (distance, Port(self.ids[row], port.name), port.is_input)
        return None if best is None else best[1:]

    def port_position(self, port: Port, is_input: bool) -> QPointF | None:
        """Where a port is, None if its block has no such port."""
        row = self.rows.get(port.block)
        shape = None if row is None else self.shapes[row].port(port.name, is_input)
        if row is None or shape is None:
            return None
        return QPointF(self.rects[row, 0] + shape.x, self.rects[row, 1] + shape.y)

    def block_at(self, point: QPointF) -> str | None:
        """The topmost block under a point."""
        found = self._near(point.x(), point.y(), 0.0)
        return self.ids[found[-1]] if len(found) else None

    def wire_at(self, point: QPointF, reach: float = WIRE_REACH, apart: frozenset[str] = frozenset()) -> Wire | None:
        """The wire nearest to a point within reach; those of the blocks `apart` do not count."""
        x, y = point.x(), point.y()
        box = self.wire_boxes
        near = np.flatnonzero(
            (box[:, 0] - reach <= x) & (box[:, 2] + reach >= x) & (box[:, 1] - reach <= y) & (box[:, 3] + reach >= y)
        )
        near = np.setdiff1d(near, self.wires_of(apart)) if apart else near
        if not len(near):
            return None
        far = distances(self.points[near], x, y)
        best = int(far.argmin())
        return self.wires[near[best]] if far[best] <= reach else None

    def frame_at(self, point: QPointF) -> str | None:
        """The frame whose title strip is under a point, the innermost first."""
        hits = [(box.width() * box.height(), name) for name, box in self.frames.items() if _title(box).contains(point)]
        return min(hits)[1] if hits else None

    def note_at(self, point: QPointF) -> str | None:
        """The note under a point."""
        return next((name for name, box in self.notes.items() if box.contains(point)), None)

    def slider_at(self, point: QPointF) -> tuple[str, int] | None:
        """The slider of a block under a point: the block and the element."""
        block_id = self.block_at(point)
        if block_id is None:
            return None
        shape, rect = self.shapes[self.rows[block_id]], self.rect(block_id)
        inner = point - rect.topLeft()
        for index in range(shape.sliders):
            if shape.slider_box(index).contains(inner):
                return block_id, index
        return None

    def blocks_in(self, rect: QRectF) -> list[str]:
        """The blocks that a rectangle touches."""
        return [self.ids[row] for row in self.visible_blocks(rect)]

    def wires_in(self, rect: QRectF) -> list[Wire]:
        """The wires that lie wholly in a rectangle."""
        low, high = self.points.min(axis=1), self.points.max(axis=1)
        inside = (
            (low[:, 0] >= rect.left())
            & (low[:, 1] >= rect.top())
            & (high[:, 0] <= rect.right())
            & (high[:, 1] <= rect.bottom())
        )
        return [self.wires[row] for row in np.flatnonzero(inside)]

    def wires_crossed(self, start: QPointF, end: QPointF) -> list[Wire]:
        """The wires that a straight line crosses."""
        rows = crossed(self.points, (start.x(), start.y()), (end.x(), end.y()))
        return [self.wires[row] for row in rows]

    def visible_blocks(self, rect: QRectF, pad: float = 8.0) -> Rows:
        """The rows of the blocks that a rectangle of the scene touches."""
        left, top = self.rects[:, 0], self.rects[:, 1]
        seen = (left < rect.right() + pad) & (left + self.rects[:, 2] > rect.left() - pad)
        seen &= (top < rect.bottom() + pad) & (top + self.rects[:, 3] > rect.top() - pad)
        return np.flatnonzero(seen)

    def visible_wires(self, rect: QRectF, pad: float = 24.0) -> Rows:
        """The rows of the wires that a rectangle of the scene touches, labels included."""
        area = (rect.left() - pad, rect.top() - pad, rect.right() + pad, rect.bottom() + pad)
        rows = np.flatnonzero(_touch(self.wire_boxes[:, :2], self.wire_boxes[:, 2:], area))
        # The box of a wire that runs around a corner is mostly empty: where it juts out, its straight pieces decide.
        left, top, right, bottom = self.wire_boxes[rows].T
        seen = (left >= area[0]) & (top >= area[1]) & (right <= area[2]) & (bottom <= area[3])
        points = self.points[rows[~seen]]
        low, high = np.minimum(points[:, :-1], points[:, 1:]), np.maximum(points[:, :-1], points[:, 1:])
        seen[~seen] = _touch(low, high, area).any(axis=1)
        found: Rows = rows[seen]
        return found

    def areas(self, blocks: Rows | list[int], wires: Rows | list[int], seen: QRectF) -> Points:
        """Where some blocks and wires are drawn, as far as they touch what is seen: left, top, right, bottom."""
        low = self.rects[blocks, :2] - BLOCK_REACH
        corners = np.concatenate([low, low + self.rects[blocks, 2:] + 2 * BLOCK_REACH], axis=1)
        boxes = np.concatenate([corners, self.wire_boxes[wires]])
        area = (seen.left(), seen.top(), seen.right(), seen.bottom())
        found: Points = boxes[_touch(boxes[:, :2], boxes[:, 2:], area)]
        return found

    def changed_since(self, tick: int, seen: QRectF) -> tuple[Rows, Rows]:
        """The rows of the blocks and of the wires in view that show something else than at a tick."""
        blocks, wires = self.visible_blocks(seen, BLOCK_REACH), self.visible_wires(seen)
        return blocks[self.block_stamps[blocks] > tick], wires[self.wire_stamps[wires] > tick]

    @property
    def range(self) -> tuple[float, float]:
        """The scale of magnitudes: its top and its span."""
        return self.top, self.span

    def wires_of(self, ids: frozenset[str]) -> list[int]:
        """The rows of all wires that start or end at some blocks."""
        rows = [self.rows[name] for name in ids if name in self.rows]
        if not rows:
            return []
        # One more, for what leads nowhere.
        inside = np.zeros(len(self.ids) + 1, bool)
        inside[rows] = True
        found: list[int] = np.flatnonzero(inside[self.joins].any(axis=1)).tolist()
        return found

    def magnitude(self, row: int) -> float:
        """How large the gradient of a wire is on the page's scale, from 0 to 1."""
        norm = float(self.wire_norm[row])
        if norm <= 0:
            return 0.0
        return min(max(1 - (math.log10(self.top) - math.log10(norm)) / self.span, 0.0), 1.0)

    def magnitudes(self, rows: Rows) -> Points:
        """The same for many wires at once. Shapes: (n,)."""
        norms = np.maximum(self.wire_norm[rows], 1e-300)
        found: Points = np.clip(1 - (np.log10(self.top) - np.log10(norms)) / self.span, 0, 1)
        return found

    def type_of(self, block: Block) -> BlockType | None:
        """The type of a block, None if the library has none of that name."""
        return library.get(block.type)

    def has_error(self, block_id: str) -> bool:
        """Whether a block has a problem of severity error."""
        return any(problem.severity == "error" for problem in self.problems.get(block_id, ()))

    def notice(self, block_id: str) -> Problem | None:
        """What the body of a block tells instead of its value: an error, a birth of NaN, a warning."""
        found = [item for item in self.problems.get(block_id, ()) if item.code != "missing_input"]
        for severity in ("error", "warning"):
            for problem in found:
                if problem.severity == severity:
                    return problem
        return None

    def stamp(self, row: int) -> None:
        """Notes that a block shows something else now."""
        self.tick += 1
        self.block_stamps[row] = self.tick

    def _near(self, x: float, y: float, reach: float) -> Rows:
        left, top = self.rects[:, 0] - reach, self.rects[:, 1] - reach
        across, down = self.rects[:, 2] + 2 * reach, self.rects[:, 3] + 2 * reach
        return np.flatnonzero((left <= x) & (x <= left + across) & (top <= y) & (y <= top + down))


def _touch(low: Points, high: Points, area: tuple[float, float, float, float]) -> Flags:
    """Which boxes, given by two corners each, touch an area left, top, right, bottom."""
    left, top, right, bottom = area
    across = (low[..., 0] <= right) & (high[..., 0] >= left)
    found: Flags = across & (low[..., 1] <= bottom) & (high[..., 1] >= top)
    return found


def _title(box: QRectF) -> QRectF:
    return QRectF(box.left(), box.top(), box.width(), 26)


def _around(rects: Points) -> QRectF:
    """The rectangle around some, by corner and size; a null one around none."""
    if not len(rects):
        return QRectF()
    left, top = rects[:, :2].min(axis=0)
    right, bottom = (rects[:, :2] + rects[:, 2:]).max(axis=0)
    return QRectF(left, top, right - left, bottom - top)
