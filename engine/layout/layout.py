"""Automatic layout of a page, or of some of its blocks, in layers along the wires."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gradwire.engine.graph.graph import Page, Port
from gradwire.engine.layout.bands import part_corners, zoom
from gradwire.engine.layout.framed_layers import (
    BLOCK_MARGIN,
    COLUMN_GAP,
    FRAME_BOTTOM,
    FRAME_SIDE,
    FRAME_TOP,
    GRID,
    PAGE,
    Corner,
    Part,
    Size,
    up,
)
from gradwire.engine.layout.free_space import Rect, smallest_shift
from gradwire.engine.layout.layers import Edge, joined_parts

ROW_GAP = int(2 * BLOCK_MARGIN)
PART_GAP = 112
# A canvas of 1366 x 768 px in the window, without margins: the room in which a page should be read.
CANVAS = (1310.0, 530.0)
# Rows of parts may be so many times as wide as they would be if nothing were left over.
SHELF_SHARES = (1.0, 1.1, 1.2, 1.4, 1.7)
NOTE_SIZE = (352.0, 96.0)


class Outline(NamedTuple):
    """Size of a block, the offset of each port below its top, and the room for labels at its right.

    Units: px at 100 %.
    """

    width: float
    height: float
    inputs: Mapping[str, float] = {}
    outputs: Mapping[str, float] = {}
    gap: float = COLUMN_GAP


def arrange(
    page: Page,
    outlines: Mapping[str, Outline],
    chosen: Collection[str] | None = None,
    room: Size | None = None,
) -> dict[str, tuple[int, int]]:
    """Returns top-left corners for the blocks of a page, or for the `chosen` ones.

    They keep their centre and avoid the blocks that stay; blocks without a place begin at 0, 0. Wires go right; with
    a `room` long pages go on in bands below, as a text in lines, if they can then be read larger there. A
    broken file may have cycles: then the edges that a depth-first search finds go left. Frames keep their contents
    together and apart from other blocks; a frame counts only if all its blocks are chosen. Separate parts stand in
    rows, blocks without wires in a grid.
    Units: px at 100 %.
    """
    wanted = page.blocks.keys() if chosen is None else set(chosen)
    ids = [block_id for block_id in page.blocks if block_id in wanted]
    if not ids:
        return {}
    frames = _Frames(page, set(ids))
    boxes = [outlines[block_id][:2] for block_id in ids]
    corners = _packed(_parts(page, ids, outlines, frames, room), boxes, frames.depth, room or CANVAS)
    places = dict(zip(ids, corners, strict=True))
    right, down = _way_to_centre(page, places, outlines)
    moved = {block_id: (x + right, y + down) for block_id, (x, y) in places.items()}
    rest, held = _obstacles(page, set(ids), outlines), frames.rects(moved, outlines)
    boxes_now = [(*moved[block_id], *outlines[block_id][:2]) for block_id in ids]
    right, down = smallest_shift([*boxes_now, *held], rest, GRID) if _has_place(page, ids) else (0, 0)
    return {block_id: (x + right, y + down) for block_id, (x, y) in moved.items()}


# The page as nodes, edges and frames


class _Frames:
    """Frames of a page whose blocks are all arranged, by number; `of` maps each block to its innermost frame."""

    def __init__(self, page: Page, ids: set[str]) -> None:
        number = {frame.id: index for index, frame in enumerate(page.frames)}
        self.parent = dict.fromkeys(range(len(page.frames)), PAGE)
        for index, frame in enumerate(page.frames):
            for held in frame.frames:
                child = number.get(held, PAGE)
                if child != PAGE and self.parent[child] == PAGE and child not in self.around(index):
                    self.parent[child] = index
        self.of: dict[str, int] = {}
        for index, frame in enumerate(page.frames):
            for block_id in frame.blocks:
                self.of.setdefault(block_id, index)
        self.members: dict[int, list[str]] = {}
        for block_id in page.blocks:
            for frame_at in self.around(self.of.get(block_id, PAGE)):
                self.members.setdefault(frame_at, []).append(block_id)
        self.members = {index: members for index, members in self.members.items() if ids.issuperset(members)}
        self.depth = max((len(self.around(index)) for index in self.members), default=0)

    def around(self, frame: int) -> list[int]:
        """Returns a frame and those around it, the innermost first."""
        found = []
        while frame != PAGE:
            found.append(frame)
            frame = self.parent[frame]
        return found

    def innermost(self, block_id: str) -> int:
        """Returns the innermost frame around a block that counts."""
        around = self.around(self.of.get(block_id, PAGE))
        return next((frame for frame in around if frame in self.members), PAGE)

    def counted_parents(self) -> dict[int, int]:
        """Returns for each frame that counts the frame around it, which counts, too."""
        return {frame: self.parent[frame] if self.parent[frame] in self.members else PAGE for frame in self.members}

    def rects(self, places: Mapping[str, Corner], outlines: Mapping[str, Outline]) -> list[Rect]:
        """Returns the rectangles of the frames that count."""
        depth = {frame: len(self.around(frame)) for frame in self.members}
        deepest = max(depth.values(), default=0)
        return [
            _framed([(*places[block_id], *outlines[block_id][:2]) for block_id in members], deepest - depth[frame] + 1)
            for frame, members in self.members.items()
        ]


def _framed(rects: Sequence[Rect], depth: int) -> Rect:
    """Returns the rectangle of a frame around some blocks, with `depth` nested frames."""
    found = np.array(rects, float)
    low, high = found[:, :2].min(axis=0), (found[:, :2] + found[:, 2:]).max(axis=0)
    (left, top), (right, bottom) = low.tolist(), high.tolist()
    height = bottom - top + depth * (FRAME_TOP + FRAME_BOTTOM)
    return left - depth * FRAME_SIDE, top - depth * FRAME_TOP, right - left + 2 * depth * FRAME_SIDE, height


def _parts(
    page: Page, ids: Sequence[str], outlines: Mapping[str, Outline], frames: _Frames, room: Size | None
) -> list[tuple[list[int], list[Corner]]]:
    """Returns the connected parts with the corners of their blocks; isolated blocks form the last part."""
    edges = _edges_among(page, ids, outlines)
    boxes, gaps = [outlines[block_id][:2] for block_id in ids], [outlines[block_id].gap for block_id in ids]
    row = {block_id: index for index, block_id in enumerate(ids)}
    inside = [[row[block_id] for block_id in members] for members in frames.members.values()]
    pairs = [edge[:2] for edge in edges] + [(nodes[0], node) for nodes in inside for node in nodes]
    frame_of = [frames.innermost(block_id) for block_id in ids]
    by_source: dict[int, list[Edge]] = {}
    for edge in edges:
        by_source.setdefault(edge.source, []).append(edge)
    parent, found, alone = frames.counted_parents(), [], []
    for nodes in joined_parts(len(ids), pairs):
        if len(nodes) == 1 and frame_of[nodes[0]] == PAGE:
            alone += nodes
            continue
        number = {node: index for index, node in enumerate(nodes)}
        inner = [
            edge._replace(source=number[edge.source], target=number[edge.target])
            for node in nodes
            for edge in by_source.get(node, ())
        ]
        framed = [frame_of[node] for node in nodes]
        part = Part([boxes[node] for node in nodes], inner, framed, parent, [gaps[node] for node in nodes])
        found.append((nodes, part_corners(part, room)))
    return found + ([(alone, _grid([boxes[node] for node in alone]))] if alone else [])


def _edges_among(page: Page, ids: Sequence[str], outlines: Mapping[str, Outline]) -> list[Edge]:
    row = {block_id: index for index, block_id in enumerate(ids)}
    return [
        Edge(
            row[wire.source.block],
            row[wire.target.block],
            _down(outlines[wire.source.block], wire.source, is_input=False),
            _down(outlines[wire.target.block], wire.target, is_input=True),
        )
        for wire in (*page.wires.values(), *page.surplus)
        if wire.source.block in row and wire.target.block in row and wire.source.block != wire.target.block
    ]


def _down(outline: Outline, port: Port, is_input: bool) -> float:
    known = outline.inputs if is_input else outline.outputs
    return known.get(port.name, outline.height / 2)


# Places


def _grid(boxes: Sequence[Size]) -> list[Corner]:
    """Returns corners in a grid of about as many rows as columns."""
    columns = math.ceil(math.sqrt(len(boxes)))
    width = up(max(box[0] for box in boxes) + COLUMN_GAP)
    corners, top = [], 0
    for start in range(0, len(boxes), columns):
        row = boxes[start : start + columns]
        corners += [(index * width, top) for index in range(len(row))]
        top += up(max(box[1] for box in row) + ROW_GAP)
    return corners


def _packed(
    parts: Sequence[tuple[list[int], list[Corner]]], boxes: Sequence[Size], depth: int, room: Size
) -> list[Corner]:
    """Returns the corners of all blocks, with the parts in rows as wide as lets them be read largest in a room."""
    extents = [
        (
            max(x + boxes[node][0] for node, (x, _) in zip(nodes, corners, strict=True)),
            max(y + boxes[node][1] for node, (_, y) in zip(nodes, corners, strict=True)),
        )
        for nodes, corners in parts
    ]
    gap = PART_GAP + 2 * FRAME_TOP * depth
    area, widest = sum((width + gap) * (height + gap) for width, height in extents), max(width for width, _ in extents)
    shape = room[0] / room[1]
    tried = [_shelves(extents, gap, max(widest, math.sqrt(shape * share * area))) for share in SHELF_SHARES]
    corners, _ = max(tried, key=lambda found: zoom(found[1], room))
    found: dict[int, Corner] = {}
    for (nodes, own), (left, top) in zip(parts, corners, strict=True):
        found |= {node: (x + left, y + top) for node, (x, y) in zip(nodes, own, strict=True)}
    return [found[node] for node in range(len(boxes))]


def _shelves(extents: Sequence[Size], gap: float, room: float) -> tuple[list[Corner], Size]:
    """Returns the corners of parts in rows that are no wider than a room, and the size of all.

    Source: next fit on shelves (Coffman, Garey, Johnson and Tarjan, Performance Bounds for Level-Oriented
    Two-Dimensional Packing Algorithms, 1980). Cost: O(parts).
    """
    corners, size = [], (0.0, 0.0)
    left = top = bottom = 0
    for width, height in extents:
        if left and left + width > room:
            left, top = 0, bottom
        corners.append((left, top))
        size = max(size[0], left + width), max(size[1], top + height)
        left, bottom = left + up(width + gap), max(bottom, top + up(height + gap))
    return corners, size


def _has_place(page: Page, ids: Sequence[str]) -> bool:
    return any(page.blocks[block_id].at is not None for block_id in ids)


def _way_to_centre(page: Page, places: Mapping[str, Corner], outlines: Mapping[str, Outline]) -> Corner:
    """Returns the offset from the new centre to the present one, on the grid; 0, 0 without present places."""
    present = {block_id: at for block_id in places if (at := page.blocks[block_id].at) is not None}
    if not present:
        return 0, 0
    (x, y), (new_x, new_y) = _centre(present, outlines), _centre(places, outlines)
    return round((x - new_x) / GRID) * GRID, round((y - new_y) / GRID) * GRID


def _centre(places: Mapping[str, Corner], outlines: Mapping[str, Outline]) -> tuple[float, float]:
    rects = np.array([(*at, *outlines[block_id][:2]) for block_id, at in places.items()], float)
    low, high = rects[:, :2].min(axis=0), (rects[:, :2] + rects[:, 2:]).max(axis=0)
    return float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2


def _obstacles(page: Page, ids: set[str], outlines: Mapping[str, Outline]) -> list[Rect]:
    """Returns the rectangles that stay: other blocks, frames that hold only such, and notes."""
    places = {block.id: block.at for block in page.blocks.values() if block.id not in ids and block.at is not None}
    rects = [(float(x), float(y), *outlines[block_id][:2]) for block_id, (x, y) in places.items()]
    rects += _Frames(page, set(places)).rects(places, outlines)
    return rects + [(*note.at, *(note.size or NOTE_SIZE)) for note in page.notes if note.at is not None]
