"""Positions for blocks without any, as in a file that another program wrote."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush

import numpy as np

from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.layout.framed_layers import COLUMN_GAP, GRID, Corner, Size, up
from gradwire.engine.layout.free_space import Rect
from gradwire.engine.layout.layers import neighbours, topological
from gradwire.engine.layout.layout import CANVAS, PART_GAP, ROW_GAP, Outline, arrange

OutlineOf = Callable[[Graph, Page, Block], Outline]


def with_missing_places(graph: Graph, outline_of: OutlineOf) -> Graph:
    """Returns the graph with a position for every block; the same graph if none is missing.

    A page without any position is laid out as a whole. Otherwise a block without one goes to the right of its producer
    or to the left of its consumer, where there is room; unconnected blocks are laid out below.
    Units: px at 100 %.
    """
    for page in graph.pages:
        missing = [block.id for block in page.blocks.values() if block.at is None]
        if not missing:
            continue
        outlines = {block.id: outline_of(graph, page, block) for block in page.blocks.values()}
        whole = len(missing) == len(page.blocks)
        places = arrange(page, outlines, room=CANVAS) if whole else _beside(page, missing, outlines)
        moved = {block_id: dataclasses.replace(page.blocks[block_id], at=at) for block_id, at in places.items()}
        graph = graph.with_page(dataclasses.replace(page, blocks={**page.blocks, **moved}))
    return graph


def _beside(page: Page, missing: Sequence[str], outlines: Mapping[str, Outline]) -> dict[str, Corner]:
    """Returns positions beside the blocks that have one, in order of distance along the wires."""
    places = {block.id: block.at for block in page.blocks.values() if block.at is not None}
    room = _Room([(*at, *outlines[block_id][:2]) for block_id, at in places.items()])
    walk = _Walk(page, places)
    while (block_id := walk.next()) is not None:
        places[block_id] = _place(walk, room, block_id, places, outlines)
        walk.reach(block_id)
    apart = [block_id for block_id in missing if block_id not in places]
    shift = room.below()
    for block_id, (x, y) in arrange(page, outlines, apart).items():
        places[block_id] = (x + shift[0], y + shift[1])
    return {block_id: places[block_id] for block_id in missing}


class _Walk:
    """Traversal along the wires from blocks with a position to blocks without one."""

    def __init__(self, page: Page, places: Mapping[str, Corner]) -> None:
        ids = list(page.blocks)
        row = {block_id: index for index, block_id in enumerate(ids)}
        wires = [*page.wires.values(), *page.surplus]
        ends = [
            (row[wire.source.block], row[wire.target.block])
            for wire in wires
            if wire.source.block in row and wire.target.block in row
        ]
        before, after = neighbours(len(ids), ends)
        order = {node: index for index, node in enumerate(topological(before, after))}
        self.before = {ids[node]: [ids[other] for other in others] for node, others in enumerate(before)}
        self.after = {ids[node]: [ids[other] for other in others] for node, others in enumerate(after)}
        self._order = {ids[node]: order.get(node, len(ids)) for node in range(len(ids))}
        self._waiting: list[tuple[bool, int, str]] = []
        self._done = set(places)
        for block_id in places:
            self.reach(block_id)

    def reach(self, block_id: str) -> None:
        """Queues the neighbours of a placed block, consumers before producers."""
        self._done.add(block_id)
        for is_backward, near in ((False, self.after[block_id]), (True, self.before[block_id])):
            for other in near:
                if other not in self._done:
                    order = -self._order[other] if is_backward else self._order[other]
                    heappush(self._waiting, (is_backward, order, other))

    def next(self) -> str | None:
        """Returns the next block to place, None at the end."""
        while self._waiting:
            *_, block_id = heappop(self._waiting)
            if block_id not in self._done:
                return block_id
        return None


def _place(
    walk: _Walk, room: _Room, block_id: str, places: Mapping[str, Corner], outlines: Mapping[str, Outline]
) -> Corner:
    sources = [other for other in walk.before[block_id] if other in places]
    targets = [other for other in walk.after[block_id] if other in places]
    width, height, *_ = outlines[block_id]
    if sources:
        last = max(sources, key=lambda other: places[other][0] + outlines[other].width)
        left = up(places[last][0] + outlines[last].width + COLUMN_GAP)
        return room.take(left, up(places[last][1]), (width, height), is_last=not targets)
    left = -up(-min(places[other][0] for other in targets) + COLUMN_GAP + width)
    return room.take(left, up(places[targets[0]][1]), (width, height))


class _Room:
    """Occupied rectangles of a page as left, top, width and height."""

    def __init__(self, rects: Sequence[Rect]) -> None:
        self._rects = np.array(rects, float)
        self._count = len(rects)

    def below(self) -> Corner:
        """Returns a corner below all rectangles, at the left of all."""
        taken = self._rects[: self._count]
        return up(float(taken[:, 0].min())), up(float((taken[:, 1] + taken[:, 3]).max()) + PART_GAP)

    def take(self, left: int, top: int, size: Size, is_last: bool = False) -> Corner:
        """Takes the first free position in a column, not above `top`; without consumers, a nearer one to the right."""
        place = left, self._free(1, (left, top), size)
        if is_last and (right := self._free(0, (left, top), size)) - left < place[1] - top:
            place = right, top
        if self._count == len(self._rects):
            self._rects = np.concatenate([self._rects, np.zeros_like(self._rects)])
        self._rects[self._count] = (*place, *size)
        self._count += 1
        return place

    def _free(self, axis: int, corner: Corner, size: Size) -> int:
        """Returns the first free coordinate from a corner on, to the right or down, for a block of that size."""
        taken, other = self._rects[: self._count], 1 - axis
        start, end = taken[:, :2], taken[:, :2] + taken[:, 2:]
        near = (start[:, other] < corner[other] + size[other] + ROW_GAP) & (end[:, other] + ROW_GAP > corner[other])
        near &= end[:, axis] + ROW_GAP > corner[axis]
        starts, ends = start[near, axis], end[near, axis]
        order = np.argsort(starts, kind="stable")
        reach = np.maximum.accumulate(np.append(corner[axis] - ROW_GAP, ends[order])) + ROW_GAP
        found = np.ceil(reach / GRID) * GRID
        fits = found + size[axis] + ROW_GAP <= np.append(starts[order], np.inf)
        return int(found[np.argmax(fits)])
