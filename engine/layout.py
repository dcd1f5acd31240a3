"""Arranges the blocks of a page: in layers along their wires, or one by one beside what they are wired from."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from engine.graph import Block, Graph, Page, Port
from engine.layers import (
    COLUMN_GAP,
    GRID,
    ROW_GAP,
    Corner,
    Edge,
    Size,
    connected_parts,
    neighbours,
    part_corners,
    topological,
    up,
)
from engine.library import library


def arrange(page: Page, sizes: Mapping[str, Size], chosen: Collection[str] | None = None) -> dict[str, Corner]:
    """Top-left corners for the blocks of a page: all of them from 0, 0, or `chosen` around their present centre.

    Separate parts stand below each other, blocks without wires in a grid below them. Wires that run in a circle, as
    a broken file may have them, cannot all go right; as few as a depth-first walk finds go left.
    Units: px at 100 %; `sizes` holds width and height of every block; corners are multiples of 16.
    """
    wanted = page.blocks.keys() if chosen is None else set(chosen)
    ids = [block_id for block_id in page.blocks if block_id in wanted]
    boxes = [sizes[block_id] for block_id in ids]
    edges = _edges_among(page, ids)
    corners: dict[int, Corner] = {}
    top = 0
    for nodes, inner in connected_parts(len(ids), edges):
        local = [boxes[node] for node in nodes]
        found = part_corners(len(nodes), inner, local) if inner else _grid(local)
        corners |= {node: (x, y + top) for node, (x, y) in zip(nodes, found, strict=True)}
        top += max(up(y + height + ROW_GAP) for (_, y), (_, height) in zip(found, local, strict=True))
    places = {ids[node]: corners[node] for node in range(len(ids))}
    return places if chosen is None else _around_centre(places, page, sizes)


def arranged(graph: Graph, size_of: Callable[[Graph, Page, Block], Size]) -> Graph:
    """The graph with a place for every block: the same one if none is missing.

    A page without any place is arranged whole; else a block without one goes to the right of what it is wired from,
    where there is room, or below everything.
    Units: px at 100 %.
    """
    for page in graph.pages:
        missing = [block.id for block in page.blocks.values() if block.at is None]
        if not missing:
            continue
        sizes = {block.id: size_of(graph, page, block) for block in page.blocks.values()}
        whole = len(missing) == len(page.blocks)
        places = arrange(page, sizes) if whole else _places_beside(page, missing, sizes)
        moved = {block_id: dataclasses.replace(page.blocks[block_id], at=at) for block_id, at in places.items()}
        graph = graph.with_page(dataclasses.replace(page, blocks={**page.blocks, **moved}))
    return graph


# The page as nodes and edges


def _edges_among(page: Page, ids: Sequence[str]) -> list[Edge]:
    row = {block_id: index for index, block_id in enumerate(ids)}
    wires = [
        wire
        for wire in (*page.wires.values(), *page.surplus)
        if wire.source.block in row and wire.target.block in row and wire.source.block != wire.target.block
    ]
    leaves = _heights(page, [wire.source for wire in wires], _declared_outputs)
    enters = _heights(page, [wire.target for wire in wires], _declared_inputs)
    return [
        Edge(row[wire.source.block], row[wire.target.block], leaves[wire.source], enters[wire.target]) for wire in wires
    ]


def _declared_inputs(block: Block) -> list[str]:
    block_type = library.get(block.type)
    return [] if block_type is None else [port.name for port in block_type.inputs]


def _declared_outputs(block: Block) -> list[str]:
    block_type = library.get(block.type)
    return [] if block_type is None else [port.name for port in block_type.outputs]


def _heights(page: Page, ports: Iterable[Port], declared: Callable[[Block], list[str]]) -> dict[Port, float]:
    """Where each port stands among those of its block that have wires, from 0 (top) to 1."""
    by_block: dict[str, dict[Port, None]] = {}
    for port in ports:
        by_block.setdefault(port.block, {})[port] = None
    heights: dict[Port, float] = {}
    for block_id, wired in by_block.items():
        names = declared(page.blocks[block_id]) if len(wired) > 1 else []
        ordered = sorted(wired, key=lambda port: _port_order(port.name, names))
        heights |= {port: (index + 0.5) / len(ordered) for index, port in enumerate(ordered)}
    return heights


def _port_order(name: str, declared: list[str]) -> tuple[int, str, int]:
    """Declared ports in their order, the numbered ones of a variadic port by number; others follow by name."""
    if name in declared:
        return declared.index(name), "", 0
    stem, _, number = name.rpartition("_")
    # A number that no file has would only cost time to read.
    if not (number.isdecimal() and len(number) < 9):
        return len(declared), name, 0
    return declared.index(stem) if stem in declared else len(declared), stem, int(number)


# Places


def _grid(boxes: Sequence[Size]) -> list[Corner]:
    """Corners in rows of about as many blocks as there are rows."""
    columns = math.ceil(math.sqrt(len(boxes)))
    width = up(max(box[0] for box in boxes) + COLUMN_GAP)
    corners, top = [], 0
    for start in range(0, len(boxes), columns):
        row = boxes[start : start + columns]
        corners += [(index * width, top) for index in range(len(row))]
        top += up(max(box[1] for box in row) + ROW_GAP)
    return corners


def _around_centre(places: dict[str, Corner], page: Page, sizes: Mapping[str, Size]) -> dict[str, Corner]:
    present = {block_id: at for block_id in places if (at := page.blocks[block_id].at) is not None}
    if not present:
        return places
    (x, y), (new_x, new_y) = _centre(present, sizes), _centre(places, sizes)
    right, down = round((x - new_x) / GRID) * GRID, round((y - new_y) / GRID) * GRID
    return {block_id: (left + right, top + down) for block_id, (left, top) in places.items()}


def _centre(places: Mapping[str, Corner], sizes: Mapping[str, Size]) -> tuple[float, float]:
    rects = np.array([(*at, *sizes[block_id]) for block_id, at in places.items()], float)
    low, high = rects[:, :2].min(axis=0), (rects[:, :2] + rects[:, 2:]).max(axis=0)
    return float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2


def _places_beside(page: Page, missing: Sequence[str], sizes: Mapping[str, Size]) -> dict[str, Corner]:
    """Places for the missing blocks of a page, beside those that have one."""
    ids = list(page.blocks)
    before, after = neighbours(len(ids), _edges_among(page, ids))
    order = dict.fromkeys([*topological(before, after), *range(len(ids))])
    rects = {
        row: (*block.at, *sizes[block.id]) for row, block in enumerate(page.blocks.values()) if block.at is not None
    }
    room = _Room(list(rects.values()))
    wanted, places = set(missing), {}
    for node in order:
        if ids[node] in wanted:
            sources = [rects[edge.source] for edge in before[node] if edge.source in rects]
            x, y = room.place(sources, sizes[ids[node]])
            rects[node] = (x, y, *sizes[ids[node]])
            places[ids[node]] = (x, y)
    return places


Rect = tuple[float, float, float, float]


class _Room:
    """What is taken of a page: rectangles as left, top, width and height."""

    def __init__(self, rects: list[Rect]) -> None:
        self._rects = np.array(rects, float)
        self._left = up(float(self._rects[:, 0].min()))

    def place(self, sources: Sequence[Rect], size: Size) -> Corner:
        """Takes the first free place to the right of `sources`, not above the first, or one below everything."""
        if sources:
            x = up(max(left + width for left, _, width, _ in sources) + COLUMN_GAP)
            y = self._free(x, up(sources[0][1]), size)
        else:
            x, y = self._left, up(float((self._rects[:, 1] + self._rects[:, 3]).max()) + ROW_GAP)
        self._rects = np.vstack([self._rects, (x, y, *size)])
        return x, y

    def _free(self, x: int, y: int, size: Size) -> int:
        """The first top from `y` on where a block of that size has its gaps."""
        left, top, width, height = self._rects.T
        near = (left < x + size[0] + ROW_GAP) & (left + width + ROW_GAP > x) & (top + height + ROW_GAP > y)
        tops, bottoms = top[near], (top + height)[near]
        order = np.argsort(tops, kind="stable")
        reach = np.maximum.accumulate(np.append(y - ROW_GAP, bottoms[order])) + ROW_GAP
        starts = np.ceil(reach / GRID) * GRID
        fits = starts + size[1] + ROW_GAP <= np.append(tops[order], np.inf)
        return int(starts[np.argmax(fits)])
