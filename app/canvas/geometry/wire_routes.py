"""The courses of a page's wires: the ports that they join, and the points that they run through."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath

from gradwire.app.canvas.geometry.curves import curve, point_count, softened
from gradwire.app.canvas.geometry.detours import Surroundings, behind, detoured
from gradwire.app.canvas.geometry.kept_rows import KeptRows
from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.routing import CORNERS, Ends, Flags, Points, Rows, boxes, rect_boxes, route
from gradwire.app.canvas.geometry.shapes import HEADER, PortsByName, ports_by_name
from gradwire.app.canvas.geometry.wire_paths import path_of
from gradwire.engine.graph.graph import Page, Port, Wire

# A missing block stands so far beside the block at the other end of its wire. Units: px at 100 %.
BESIDE = 80
# Pages with more wires are seen from so far that their wires need not be led round blocks.
DETOURS = 1000
# More wires than this are not led round blocks while these move.
AT_ONCE = 12


class WireRoutes:
    """The ends and courses of wires, which run anew where a block has moved."""

    def __init__(self, arrays: PageArrays) -> None:
        self._arrays = arrays
        self._offsets: Points = np.zeros((0, 4))
        # With corners: the simple routes, and the ways round blocks. Curves are made of both.
        self._simple = self._ways = np.zeros((0, CORNERS, 2))
        self._curves: Points = np.zeros((0, CORNERS, 2))
        # Where everything was when all wires were last led round the blocks.
        self._settled_rects: Points = np.zeros((0, 4))
        self._settled = self._settled_ways = np.zeros((0, CORNERS, 2))
        self._paths: dict[int, QPainterPath] = {}

    def path(self, row: int) -> QPainterPath:
        """Returns the path of a wire. The caller must not change it."""
        if row not in self._paths:
            self._paths[row] = path_of(self._arrays.points[row])
        return self._paths[row]

    # Joining wires to ports

    def join_all(self, page: Page) -> None:
        """Joins all wires of the page to the ports where they end."""
        self._arrays.forks = self._found_forks()
        self._arrays.joins, self._offsets = self._ends(self._arrays.wires)
        self.note_broken(page)

    def keep(self, kept: KeptRows) -> Rows:
        """Takes over which wires there are; returns the rows of those that are new or fork otherwise."""
        arrays = self._arrays
        forks, arrays.forks = kept.carried(arrays.forks), self._found_forks()
        arrays.joins, self._offsets = kept.carried(arrays.joins), kept.carried(self._offsets)
        arrays.points, arrays.wire_boxes = kept.carried(arrays.points), kept.carried(arrays.wire_boxes)
        self._simple, self._ways = kept.carried(self._simple), kept.carried(self._ways)
        self._curves, self._paths = kept.carried(self._curves), {}
        return np.union1d(kept.new, np.flatnonzero(forks != arrays.forks))

    def join_and_route(self, anew: Rows, others: Sequence[int]) -> None:
        """Joins some wires to their ports, and lets them run anew."""
        # Not np.union1d, which would import a package of NumPy's that nothing else needs.
        rows = sorted({*anew.tolist(), *others})
        if rows:
            arrays = self._arrays
            arrays.points, arrays.wire_boxes = arrays.points.copy(), arrays.wire_boxes.copy()
            arrays.joins[rows], self._offsets[rows] = self._ends([arrays.wires[row] for row in rows])
            self._route_simply(rows)

    def note_broken(self, page: Page) -> None:
        """Notes which wires lead nowhere, or end where another one does."""
        arrays = self._arrays
        arrays.broken = set(np.flatnonzero((arrays.joins < 0).any(axis=1)).tolist())
        arrays.broken |= set(range(len(page.wires), len(arrays.wires)))

    def _found_forks(self) -> Flags:
        sources = list(map(operator.itemgetter(0), self._arrays.wires))
        fanout = Counter(sources)
        return np.fromiter(map(fanout.__getitem__, sources), np.int64, len(sources)) > 1

    def _ends(self, wires: list[Wire]) -> tuple[Rows, Points]:
        """Returns the rows of the joined blocks, -1 for nowhere, and the ends there as x, y, x, y."""
        ports: dict[int, PortsByName] = {}
        sources = self._port_places(ports, (source for source, _ in wires), False)
        targets = self._port_places(ports, (target for _, target in wires), True)
        joins = np.column_stack([sources[:, 0], targets[:, 0]]).astype(np.int64)
        return joins, np.column_stack([sources[:, 1:], targets[:, 1:]])

    def _port_places(self, known: dict[int, PortsByName], ends: Iterable[Port], are_inputs: bool) -> Points:
        """Returns the block's row of each port, -1 for nowhere, and its place on the block. Shapes: (n, 3).

        `known` keeps ports by name for each tuple of ports, by its identity: blocks that are alike share one.
        """
        rows, shapes, folded = self._arrays.rows, self._arrays.shapes, self._arrays.fold_of
        found: list[tuple[int, float, float]] = []
        for block, name in ends:
            row = rows.get(block, -1)
            if row < 0:
                found.append((row, 0.0, 0.0))
                continue
            ports = shapes[row].ports
            if id(ports) not in known:
                known[id(ports)] = ports_by_name(ports)
            port = known[id(ports)].get((name, are_inputs, block if block in folded else ""))
            edge = 0.0 if are_inputs else shapes[row].width
            found.append((row, edge, HEADER) if port is None else (row, port.x, port.y))
        return np.array(found, float).reshape(-1, 3)

    # Letting wires run

    def route_all(self) -> None:
        """Lets all wires run anew."""
        arrays, count = self._arrays, len(self._arrays.wires)
        arrays.points = np.zeros((count, point_count(arrays.is_curved), 2))
        arrays.wire_boxes, self._curves, self._paths = np.zeros((count, 4)), arrays.points.copy(), {}
        self._simple, self._ways = np.zeros((2, count, CORNERS, 2))
        self._route_simply(np.arange(count))
        self.settle()

    def settle(self) -> None:
        """Leads all wires round the blocks, once these stand where the page has them."""
        arrays = self._arrays
        if self._has_detours():
            around = self._surroundings()
            self._ways = detoured(self._simple, around).copy()
            self._take(self._drawn(np.arange(len(arrays.wires)), around))
            self._settled, self._settled_ways = arrays.points.copy(), self._ways.copy()
            self._settled_rects = arrays.rects.copy()

    def route(self, rows: list[int]) -> None:
        """Lets some wires run anew between their blocks, which are shown elsewhere for a while; the others stay."""
        arrays = self._arrays
        self._route_simply(rows)
        if rows and self._has_detours():
            if np.array_equal(arrays.rects, self._settled_rects):
                self._ways[rows], arrays.points[rows] = self._settled_ways[rows], self._settled[rows]
            elif len(rows) <= AT_ONCE:
                around = self._surroundings()
                self._ways[rows] = detoured(self._ways, around, np.array(rows))[rows]
                arrays.points[rows] = self._drawn(np.array(rows), around)
            arrays.wire_boxes[rows] = boxes(arrays.points[rows])

    def _drawn(self, rows: Rows, around: Surroundings) -> Points:
        """Returns the points of some wires: their ways, or curves, which follow a way where a block is in theirs."""
        ways = self._ways[rows]
        if not self._arrays.is_curved:
            return ways
        found = self._curves[rows].copy()
        needs_way = (ways != self._simple[rows]).any(axis=(1, 2))
        needs_way |= behind(found, around._replace(joins=around.joins[rows]))
        found[needs_way] = softened(ways[needs_way])
        return found

    def _has_detours(self) -> bool:
        return 0 < len(self._arrays.wires) <= DETOURS

    def _take(self, points: Points) -> None:
        """Takes over the points of all wires; arrays of before keep theirs."""
        arrays = self._arrays
        rows = np.flatnonzero((points != arrays.points).any(axis=(1, 2)))
        if len(rows):
            arrays.geometry += 1
            arrays.points, arrays.wire_boxes = arrays.points.copy(), arrays.wire_boxes.copy()
            arrays.points[rows] = points[rows]
            arrays.wire_boxes[rows] = boxes(points[rows])
            for row in self._paths.keys() & set(rows.tolist()):
                del self._paths[row]

    def _surroundings(self) -> Surroundings:
        arrays = self._arrays
        # No wire ends at a note: as an obstacle it is a block.
        obstacles = np.concatenate([rect_boxes(arrays.rects), _corners(arrays.notes.values())])
        numbers: dict[Port, int] = {}
        outputs = [numbers.setdefault(wire.source, len(numbers)) for wire in arrays.wires]
        return Surroundings(obstacles, _corners(arrays.frames.values()), arrays.joins, np.array(outputs))

    def _route_simply(self, rows: list[int] | Rows) -> None:
        """Lets some wires run anew, whatever is in their way."""
        arrays = self._arrays
        arrays.geometry += 1
        if not len(rows):
            return
        for row in self._paths.keys() & list(rows):
            del self._paths[row]
        source, target = arrays.joins[rows].T
        x1, y1, x2, y2 = self._offsets[rows].T
        a, b = self._rects_of(source, target), self._rects_of(target, source)
        ends = Ends(
            a[:, 0] + x1, a[:, 1] + y1, b[:, 0] + x2, b[:, 1] + y2,
            a[:, 1], a[:, 1] + a[:, 3], b[:, 1], b[:, 1] + b[:, 3], arrays.forks[rows],
        )  # fmt: skip
        self._simple[rows] = self._ways[rows] = route(ends)
        self._curves[rows] = arrays.points[rows] = curve(ends) if arrays.is_curved else self._simple[rows]
        arrays.wire_boxes[rows] = boxes(arrays.points[rows])

    def _rects_of(self, rows: Rows, others: Rows) -> Points:
        """Returns the rectangles of blocks; a missing one stands beside the block at the other end."""
        rects = self._arrays.rects
        found: Points = rects[np.maximum(rows, 0)].copy() if len(rects) else np.zeros((len(rows), 4))
        lost = rows < 0
        if lost.any() and len(rects):
            beside = rects[np.maximum(others, 0)]
            corners = beside[:, 0] - BESIDE, beside[:, 1] + HEADER
            found[lost] = np.column_stack([*corners, *np.zeros((2, len(rows)))])[lost]
        return found


def _corners(rects: Iterable[QRectF]) -> Points:
    """Returns rectangles as left, top, right, bottom. Shapes: (n, 4)."""
    return np.array([rect.getCoords() for rect in rects], float).reshape(-1, 4)
