"""One page as arrays, and the questions that are asked of them at every frame."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from gradwire.app.canvas.geometry.folded_page import ShownFold
from gradwire.app.canvas.geometry.progress import Progress
from gradwire.app.canvas.geometry.routing import Flags, Points, Rows, margin, rect_boxes
from gradwire.app.canvas.geometry.shapes import BlockShape, PortShape
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Block, Port, Wire

GRID = 16
_FLOW = STATUS_ROW[Status.FLOW]
# How far what is drawn of a block reaches beyond its rectangle: badge, focus ring, hot port, tag where NaN arises.
BLOCK_REACH = 34.0


class PageArrays:
    """One page in arrays. Rows of blocks and wires are those of `ids` and `wires`.

    `broken` has the rows of wires that lead nowhere, `wire_breaks` those whose value holds NaN or infinity, `top` and
    `span` the scale of magnitudes: the largest norm and how many decades below it are told apart, or `fixed_range`
    where the user has chosen both. `geometry` counts up whenever something stands or runs elsewhere. `block_stamps` and
    `wire_stamps` are the ticks at which a row last showed something else. `joins` are the rows of the blocks that each
    wire joins, -1 for none; `forks` tells whether its output has other wires. `folds` are the blocks that stand for
    several layers, and `fold_of` has the one that each block inside stands in, whose row it shares. `label_at` finds
    the wire whose label was painted at a point.

    Shapes: `rects` (blocks, 4) as left, top, width, height; `points` (wires, 6, 2), of curves (wires, 28, 2);
    `wire_boxes` (wires, 4); `joins` (wires, 2). Units: px at 100 %.
    """

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.rows: dict[str, int] = {}
        self.folds: Mapping[str, ShownFold] = {}
        self.fold_of: Mapping[str, str] = {}
        self.blocks: list[Block] = []
        self.shapes: list[BlockShape] = []
        self.rects: Points = np.zeros((0, 4))
        self.wires: list[Wire] = []
        self.wire_rows: dict[Wire, int] = {}
        self.broken: set[int] = set()
        self.points: Points = np.zeros((0, 6, 2))
        self.wire_boxes: Points = np.zeros((0, 4))
        self.wire_status: np.ndarray[Any, np.dtype[np.uint8]] = np.zeros(0, np.uint8)
        self.wire_breaks: Flags = np.zeros(0, bool)
        self.wire_blocked: Flags = np.zeros(0, bool)
        self.wire_norm: Points = np.zeros(0)
        self.wire_total: Points = np.zeros(0)
        self.top, self.span = 1.0, 2.0
        self.fixed_range: tuple[float, float] | None = None
        self.frames: dict[str, QRectF] = {}
        self.notes: dict[str, QRectF] = {}
        self.problems: dict[str, list[Problem]] = {}
        self.geometry = 0
        # The rectangle around all blocks, of these rectangles and this geometry.
        self._block_bounds: tuple[Points | None, int, QRectF] = None, 0, QRectF()
        self.tick = 0
        self.block_stamps: Rows = np.zeros(0, np.int64)
        self.wire_stamps: Rows = np.zeros(0, np.int64)
        self.joins: Rows = np.zeros((0, 2), np.int64)
        self.forks: Flags = np.zeros(0, bool)
        self.is_curved = False
        self.progress: Progress | None = None
        self.label_at: Callable[[QPointF], Wire | None] = lambda _: None

    @property
    def low(self) -> float:
        """The smallest norm among the wires that carry a gradient; where the scale begins if that lies below it."""
        begin = self.top * 10**-self.span
        norms = self.wire_norm[(self.wire_status == _FLOW) & (self.wire_norm > 0)]
        return min(max(float(norms.min(initial=self.top)), begin), self.top) if norms.size else begin

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands on the page."""
        return not self.ids and not self.notes and not self.frames

    def bounds(self, ids: frozenset[str] | None = None) -> QRectF:
        """Returns the rectangle around everything, or around some blocks."""
        if ids == self.rows.keys():
            return self.block_bounds()
        if ids is not None:
            return _around(self.rects[[self.rows[name] for name in ids if name in self.rows]])
        return united([self.block_bounds(), *self.frames.values(), *self.notes.values(), self.wire_bounds()])

    def wire_bounds(self) -> QRectF:
        """Returns the rectangle around all wires, a null one around so many that it would take long."""
        boxes, is_quick = self.wire_boxes, 0 < len(self.wires) < 2000
        return box_rect((*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0))) if is_quick else QRectF()

    def block_bounds(self) -> QRectF:
        """Returns the rectangle around all blocks."""
        rects, geometry, box = self._block_bounds
        if rects is not self.rects or geometry != self.geometry:
            box = _around(self.rects)
            self._block_bounds = self.rects, self.geometry, box
        return QRectF(box)

    def corners(self) -> dict[str, tuple[float, float]]:
        """Returns the left and upper edge of every block."""
        return {name: (left, top) for name, (left, top) in zip(self.ids, self.rects[:, :2].tolist(), strict=True)}

    def rect(self, block_id: str) -> QRectF:
        """Returns the rectangle of a block."""
        return QRectF(*self.rects[self.rows[block_id]])

    def port_position(self, port: Port, is_input: bool) -> QPointF | None:
        """Returns the place of a port, None if its block has no such port."""
        row = self.rows.get(port.block)
        shape = None if row is None else self.shapes[row].port(port.name, is_input, port.block)
        if row is None or shape is None:
            return None
        return QPointF(self.rects[row, 0] + shape.x, self.rects[row, 1] + shape.y)

    def shown(self, block_id: str) -> str:
        """Returns the block as which a block is shown: the fold that it is in, else itself."""
        return self.fold_of.get(block_id, block_id)

    def port_of(self, row: int, port: PortShape) -> Port:
        """Returns the port of the graph that a port of a row's shape stands for."""
        return Port(port.block or self.ids[row], port.name)

    def inside(self, block_id: str) -> Iterable[str]:
        """Returns the blocks that a shown one stands for: those inside a fold, else itself."""
        fold = self.folds.get(block_id)
        return (block_id,) if fold is None else itertools.chain.from_iterable(fold.layers)

    def problems_of(self, block_id: str) -> list[Problem]:
        """Returns the problems of a shown block and of all that it stands for."""
        return [item for name in self.inside(block_id) for item in self.problems.get(name, ())]

    def visible_blocks(self, rect: QRectF, pad: float = 8.0) -> Rows:
        """Returns the rows of the blocks that a rectangle of the scene touches."""
        left, top = self.rects[:, 0], self.rects[:, 1]
        seen = (left < rect.right() + pad) & (left + self.rects[:, 2] > rect.left() - pad)
        seen &= (top < rect.bottom() + pad) & (top + self.rects[:, 3] > rect.top() - pad)
        return np.flatnonzero(seen)

    def visible_wires(self, rect: QRectF, pad: float = 24.0) -> Rows:
        """Returns the rows of the wires that a rectangle of the scene touches, labels included."""
        area = (rect.left() - pad, rect.top() - pad, rect.right() + pad, rect.bottom() + pad)
        rows = np.flatnonzero(_touch(self.wire_boxes[:, :2], self.wire_boxes[:, 2:], area))
        # The box of a wire that runs around a corner is mostly empty: where it juts out, its straight pieces decide.
        left, top, right, bottom = self.wire_boxes[rows].T
        seen = (left >= area[0]) & (top >= area[1]) & (right <= area[2]) & (bottom <= area[3])
        points = self.points[rows[~seen]]
        low, high = np.minimum(points[:, :-1], points[:, 1:]), np.maximum(points[:, :-1], points[:, 1:])
        seen[~seen] = _touch(low, high, area).any(axis=1)
        return rows[seen]

    def areas(self, blocks: Rows | list[int], wires: Rows | list[int], seen: QRectF) -> Points:
        """Returns the areas in view of some blocks and wires. Shapes: (n, 4) as left, top, right, bottom."""
        boxes = np.concatenate([rect_boxes(self.rects[blocks]) + margin(BLOCK_REACH), self.wire_boxes[wires]])
        area = (seen.left(), seen.top(), seen.right(), seen.bottom())
        return boxes[_touch(boxes[:, :2], boxes[:, 2:], area)]

    def changed_since(self, tick: int, seen: QRectF) -> tuple[Rows, Rows]:
        """Returns the rows of the blocks and of the wires in view that show something else than at a tick."""
        blocks, wires = self.visible_blocks(seen, BLOCK_REACH), self.visible_wires(seen)
        return blocks[self.block_stamps[blocks] > tick], wires[self.wire_stamps[wires] > tick]

    @property
    def range(self) -> tuple[float, float]:
        """The scale of magnitudes: its top and its span."""
        return self.top, self.span

    def wires_of(self, ids: frozenset[str]) -> list[int]:
        """Returns the rows of all wires that start or end at some blocks."""
        rows = [self.rows[name] for name in ids if name in self.rows]
        if not rows:
            return []
        # One more, for what leads nowhere.
        inside = np.zeros(len(self.ids) + 1, bool)
        inside[rows] = True
        return np.flatnonzero(inside[self.joins].any(axis=1)).tolist()

    def stamp(self, row: int) -> None:
        """Notes that a block shows something else now."""
        self.tick += 1
        self.block_stamps[row] = self.tick

    def blocks_near(self, x: float, y: float, reach: float) -> Rows:
        """Returns the rows of the blocks within reach of a point."""
        left, top = self.rects[:, 0] - reach, self.rects[:, 1] - reach
        across, down = self.rects[:, 2] + 2 * reach, self.rects[:, 3] + 2 * reach
        return np.flatnonzero((left <= x) & (x <= left + across) & (top <= y) & (y <= top + down))


def _touch(low: Points, high: Points, area: tuple[float, float, float, float]) -> Flags:
    """Returns which boxes, given by two corners each, touch an area left, top, right, bottom."""
    left, top, right, bottom = area
    across = (low[..., 0] <= right) & (high[..., 0] >= left)
    return across & (low[..., 1] <= bottom) & (high[..., 1] >= top)


def _around(rects: Points) -> QRectF:
    """Returns the rectangle around some, by corner and size; a null one around none."""
    if not len(rects):
        return QRectF()
    return box_rect((*rects[:, :2].min(axis=0), *(rects[:, :2] + rects[:, 2:]).max(axis=0)))


def united(boxes: Iterable[QRectF]) -> QRectF:
    """Returns the rectangle around some rectangles; null where there is none."""
    return functools.reduce(QRectF.united, boxes, QRectF())


def box_rect(corners: Iterable[float]) -> QRectF:
    """Returns the rectangle with some left, top, right and bottom edges."""
    left, top, right, bottom = corners
    return QRectF(left, top, right - left, bottom - top)
