"""Layered layout of one connected part of a page with frames: frames stay contiguous and free of other blocks.

All frames share the layers of their page. Frames are laid out from the innermost outwards; each then acts as one node,
as high as its contents, in every layer that it spans.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gradwire.engine.layout.layer_order import order_layers
from gradwire.engine.layout.layer_rows import rows
from gradwire.engine.layout.layers import Edge, Layers, forward, lanes, ranked

# A wire's labels stand above and below it; this margin keeps them apart from those of its neighbours 44 px away.
LANE_MARGIN, BLOCK_MARGIN = 22.0, 24.0
FRAME_SIDE, FRAME_TOP, FRAME_BOTTOM = 16, 34, 16
# The room of the widest labels beside a block: those of a tensor, with elements and bars, and those of a scalar.
COLUMN_GAP, SCALAR_GAP = 150, 130
GRID = 16
STIFF, FIRM, PLAIN, LOOSE, SLIGHT = 8.0, 8.0, 1.0, 0.5, 0.1
LEVEL = 1000.0
LANES_FOR_EACH, LANES = 5, 1000

Corner = tuple[int, int]
Size = tuple[float, float]
PAGE = -1


@dataclass
class _End:
    """End of a wire as seen from outside a frame: its item, its layer, its offset from the item's top.

    `port_rank` and `port_at` are those of the port itself, for wires that do not use the side of the frame.
    """

    item: tuple[bool, int]
    rank: int
    at: float
    port_rank: int
    port_at: float


@dataclass
class _Way:
    """Wire whose ends move outwards through the frames around them."""

    source: _End
    target: _End
    forks: bool
    is_slight: bool


@dataclass
class Part:
    """Blocks of one part: `boxes` are their sizes, `wires` join them, `frame` names the frame around each.

    `parent` has for each frame the one around it, `PAGE` for none. `gaps` is the room that each block leaves to the
    right for labels. Units: px at 100 %.
    """

    boxes: Sequence[Size]
    wires: Sequence[Edge]
    frame: Sequence[int]
    parent: Mapping[int, int]
    gaps: Sequence[float]


class Column(NamedTuple):
    """Room that a layer needs: the width of its blocks, the gap behind them, frames that begin and end there."""

    width: float = 0.0
    gap: float = 0.0
    begins: int = 0
    ends: int = 0

    def widened(self, other: Column) -> Column:
        """Returns the room that both layers need."""
        return Column(
            max(self.width, other.width),
            max(self.gap, other.gap),
            max(self.begins, other.begins),
            max(self.ends, other.ends),
        )


def up(length: float) -> int:
    """Returns the next multiple of the grid."""
    return -int(-length // GRID) * GRID


def lefts(columns: Sequence[Column]) -> list[int]:
    """Returns the left side of each layer, with extra room for the borders of frames that begin or end there."""
    found, left = [], 0
    for rank, column in enumerate(columns):
        left += FRAME_SIDE * column.begins if rank else 0
        found.append(left)
        left += up(column.width + column.gap) + FRAME_SIDE * column.ends
    return found


class Arrangement:
    """State of the layout of one part while frames are arranged from the innermost to the page.

    A depth-first search first reverses the edges that close a cycle; `wires` then all go to a later layer. `rank` is
    the layer of each block, `span` the first and the last layer of each frame.
    """

    def __init__(self, part: Part, rank: list[int] | None = None) -> None:
        self.part = part
        count = len(part.boxes)
        is_forward = forward(count, [edge[:2] for edge in part.wires])
        self.wires = [
            edge if goes_right else Edge(edge.target, edge.source, edge.enters, edge.leaves)
            for edge, goes_right in zip(part.wires, is_forward, strict=True)
        ]
        self.depth = _depths(part.parent)
        self.inside: dict[int, list[int]] = {frame: [] for frame in self.depth}
        for node in range(count):
            for frame in self._frames_around(part.frame[node]):
                self.inside[frame].append(node)
        framed = [nodes for nodes in self.inside.values() if nodes]
        self.rank = ranked(count, [edge[:2] for edge in self.wires], framed) if rank is None else rank
        self.span = {
            frame: (min(self.rank[node] for node in nodes), max(self.rank[node] for node in nodes))
            for frame, nodes in self.inside.items()
            if nodes
        }
        self.ways: dict[int, list[_Way]] = {}
        self.heights: dict[int, float] = {}
        self.tops: dict[tuple[bool, int], int] = {}

    def tops_in_part(self) -> tuple[list[int], float]:
        """Returns the top of each block, from 0 at the top of the uppermost block or frame, and the height of all."""
        self.ways = self._ways_by_frame()
        frames = sorted(self.span, key=lambda frame: (-self.depth[frame], frame))
        for frame in frames:
            self._arrange(frame)
        self._arrange(PAGE)
        top_of = {PAGE: 0}
        for frame in reversed(frames):
            top_of[frame] = top_of[self._parent(frame)] + self.tops[True, frame] + FRAME_TOP
        tops = [top_of[self.part.frame[node]] + self.tops[False, node] for node in range(len(self.part.boxes))]
        ends = [(top, top + height) for top, (_, height) in zip(tops, self.part.boxes, strict=True)]
        ends += [(top_of[frame] - FRAME_TOP, top_of[frame] - FRAME_TOP + self.heights[frame]) for frame in self.heights]
        highest = min(top for top, _ in ends)
        return [top - highest for top in tops], max(bottom for _, bottom in ends) - highest

    def _parent(self, frame: int) -> int:
        return self.part.parent.get(frame, PAGE)

    def _frames_around(self, frame: int) -> list[int]:
        found = []
        while frame != PAGE:
            found.append(frame)
            frame = self._parent(frame)
        return found

    def _ways_by_frame(self) -> dict[int, list[_Way]]:
        """Returns the wires that concern each frame, up to the innermost frame around both ends."""
        found: dict[int, list[_Way]] = {frame: [] for frame in (*self.span, PAGE)}
        outputs = Counter((edge.source, edge.leaves) for edge in self.wires)
        leaving, arriving = Counter(edge.source for edge in self.wires), {edge.target for edge in self.wires}
        for source, target, leaves, enters, _ in self._wires_with_lanes():
            start = _End((False, source), self.rank[source], leaves, self.rank[source], leaves)
            end = _End((False, target), self.rank[target], enters, self.rank[target], enters)
            # A variable follows its user, and the trunk stays straight.
            is_slight = source not in arriving and leaving[source] == 1
            way = _Way(start, end, outputs[source, leaves] > 1, is_slight)
            one = [*self._frames_around(self.part.frame[source]), PAGE]
            other = [*self._frames_around(self.part.frame[target]), PAGE]
            common = next(frame for frame in one if frame in other)
            for frame in {*one[: one.index(common)], *other[: other.index(common)], common}:
                found[frame].append(way)
        return found

    def _wires_with_lanes(self) -> list[Edge]:
        """Returns the wires, without the longest ones if lanes for all would be too many.

        The longest wires say little about rows.
        """
        by_length = sorted(self.wires, key=lambda edge: self.rank[edge.target] - self.rank[edge.source])
        budget = LANES_FOR_EACH * len(self.rank) + LANES
        for index, edge in enumerate(by_length):
            budget -= self.rank[edge.target] - self.rank[edge.source] - 1
            if budget < 0:
                kept = set(by_length[:index])
                return [edge for edge in self.wires if edge in kept]
        return self.wires

    # One frame

    def _arrange(self, frame: int) -> None:
        """Arranges the items directly inside a frame, and makes the frame one item for the frame around it."""
        layers, nodes = Layers(), {}
        low = self.span[frame][0] if frame != PAGE else 0
        for node in self.inside[frame] if frame != PAGE else range(len(self.rank)):
            if self.part.frame[node] == frame:
                height = self.part.boxes[node][1]
                nodes[False, node, self.rank[node]] = layers.add(self.rank[node] - low, height, BLOCK_MARGIN)
        for child in sorted(self.heights):
            if self._parent(child) == frame:
                self._add_frame(layers, nodes, child, low)
        leaving = self._add_wires(layers, nodes, frame)
        order_layers(layers)
        tops = rows(layers)
        bottom = max(tops[node] + layers.heights[node] for node in range(len(tops)))
        for (is_frame, item, _), node in nodes.items():
            self.tops[is_frame, item] = tops[node]
        if frame != PAGE:
            self.heights[frame] = FRAME_TOP + bottom + FRAME_BOTTOM
            for end, node, at in leaving:
                end.port_at += self.tops[end.item] + FRAME_TOP
                end.at = tops[node] + at + FRAME_TOP
                end.item = (True, frame)

    def _add_frame(self, layers: Layers, nodes: dict[tuple[bool, int, int], int], frame: int, low: int) -> None:
        first, last = self.span[frame]
        for rank in range(first, last + 1):
            nodes[True, frame, rank] = layers.add(rank - low, self.heights[frame], BLOCK_MARGIN, frame)
            if rank > first:
                ends = nodes[True, frame, rank - 1], nodes[True, frame, rank]
                layers.edges.append(Edge(*ends, 0.0, 0.0, LEVEL))

    def _add_wires(
        self, layers: Layers, nodes: Mapping[tuple[bool, int, int], int], frame: int
    ) -> list[tuple[_End, int, float]]:
        """Adds the wires in a frame; returns the ends of those that leave it, each with its node and offset."""
        leaving: list[tuple[_End, int, float]] = []
        first, last = self.span.get(frame, (0, 0))
        for way in self.ways[frame]:
            source = nodes.get((*way.source.item, way.source.rank))
            target = nodes.get((*way.target.item, way.target.rank))
            if source is not None and target is not None:
                self._add_wire(layers, way, nodes)
            elif source is not None:
                end, at = way.source, (source, way.source.at)
                if way.target.port_rank > last:
                    at, end.rank = self._to_side(layers, *at, last - first, True), last
                leaving.append((end, *at))
            elif target is not None:
                end, at = way.target, (target, way.target.at)
                if way.source.port_rank < first:
                    at, end.rank = self._to_side(layers, *at, 0, False), first
                leaving.append((end, *at))
        return leaving

    def _add_wire(self, layers: Layers, way: _Way, nodes: Mapping[tuple[bool, int, int], int]) -> None:
        """Adds a wire between two items; a wire that cannot use the frame's side ends in its port's layer."""
        source, target = way.source, way.target
        rank, at = (target.rank, target.at) if target.rank > source.rank else (target.port_rank, target.port_at)
        start, end = nodes[(*source.item, source.rank)], nodes[(*target.item, rank)]
        weight = SLIGHT if way.is_slight else PLAIN
        # A wire that forks runs at the height of its end, any other at that of its start; so do its lanes.
        first, last = (LOOSE, FIRM) if way.forks else (FIRM, LOOSE)
        if way.is_slight:
            last = SLIGHT
        lanes(layers, Edge(start, end, source.at, at, weight), (first, STIFF, last), LANE_MARGIN)

    def _to_side(self, layers: Layers, node: int, at: float, side: int, is_right: bool) -> tuple[int, float]:
        """Extends a wire to the frame's side through a lane in every layer; returns its last node and offset."""
        step = 1 if is_right else -1
        for rank in range(layers.rank[node] + step, side + step, step):
            lane = layers.add(rank, 0.0, LANE_MARGIN)
            ends = (node, lane, at, 0.0) if is_right else (lane, node, 0.0, at)
            layers.edges.append(Edge(*ends, STIFF))
            node, at = lane, 0.0
        return node, at

    # Columns

    def columns(self) -> list[Column]:
        """Returns the room that each layer needs."""
        found = [Column() for _ in range(max(self.rank) + 1)]
        for node, (across, _) in enumerate(self.part.boxes):
            rank = self.rank[node]
            around = self._frames_around(self.part.frame[node])
            begins, ends = (sum(self.span[frame][side] == rank for frame in around) for side in (0, 1))
            found[rank] = found[rank].widened(Column(across, self.part.gaps[node], begins, ends))
        return found


def _depths(parent: Mapping[int, int]) -> dict[int, int]:
    """Returns the nesting depth of each frame."""
    depth: dict[int, int] = {}
    for frame in parent:
        around, at = [], frame
        while at != PAGE and at not in depth:
            around.append(at)
            at = parent[at]
        below = depth[at] + 1 if at != PAGE else 0
        for index, item in enumerate(reversed(around)):
            depth[item] = below + index
    return depth
