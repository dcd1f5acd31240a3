"""Ways of wires round blocks, for those whose simple route would run behind a block, or upon another wire.

A way has at most five pieces, as a simple route has. It is the cheapest one on a grid of lines beside blocks and wires;
the cost is its length and its bends, and whatever it runs through, near to, or across.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradwire.app.canvas.geometry.routing import (
    ENTER,
    FORK,
    LEAVE,
    Flags,
    Points,
    Rows,
    margin,
    meeting,
    piece_boxes,
    segments,
)
from gradwire.engine.base.runs_of_equals import starts_of_runs

# Wires keep this distance from blocks, and these from each other: side by side, and with labels between.
CLEAR, BESIDE, LABELLED = 16.0, 20.0, 44.0
# The simple route of a wire counts as free as long as it is no nearer than this to a block or a wire.
TIGHT, SAME = 4.0, 4.0
# Half the size of a dot.
DOT = 8.0
# Costs of a px: behind a block, near to one, level or upright through a frame, upon a wire, near to one, upon a wire
# from the same output. A bend and a crossing cost as much as so many px.
BEHIND, NEAR, FRAMED, UPON, ALONG, SHARED = 400.0, 6.0, 3.0, 8.0, 0.6, -0.5
BEND, CROSSING = 24.0, 30.0
# So many wires times blocks are searched through at most, which takes a tenth of a second; wires that lie upon each
# other are looked for among so many.
EFFORT, COMPARED = 1800, 250
# A wire whose grid would have more crossings of lines keeps its route.
CELLS = 30_000
# A grid has only lines near to the wire where there are more blocks than this. Units: px.
BLOCKS, REACH = 60, 640.0


class Surroundings(NamedTuple):
    """Blocks and frames as left, top, right, bottom; wires by the rows of their blocks and the number of their output.

    Shapes: `blocks` (m, 4), `frames` (f, 4), `joins` (n, 2), `outputs` (n,).
    """

    blocks: Points
    frames: Points
    joins: Rows
    outputs: Rows


def detoured(points: Points, around: Surroundings, rows: Rows | None = None) -> Points:
    """Returns the points of wires, with ways round blocks for those that need one; `rows` names those that may move.

    Shapes: (n, 6, 2).
    """
    needed = _needing(points, around)
    if rows is not None:
        needed = needed[np.isin(needed, rows)]
    if not len(needed):
        return points
    searched = needed[: 1 + EFFORT // len(around.blocks)]
    found = points.copy()
    waiting = np.zeros(len(points), bool)
    waiting[searched] = True
    for row in searched.tolist():
        waiting[row] = False
        found[row] = _way(found, row, around, ~waiting)
    return found


# Which wires need a way


def behind(points: Points, around: Surroundings) -> Flags:
    """Returns which wires come too near to a block at which they do not end, or run through their own.

    Shapes: `points` (n, k, 2), the result (n,).
    """
    low, high = points.min(axis=1), points.max(axis=1)
    blocks = around.blocks
    meets = (blocks[:, 0] < high[:, :1] + TIGHT) & (blocks[:, 2] > low[:, :1] - TIGHT)
    meets &= (blocks[:, 1] < high[:, 1:] + TIGHT) & (blocks[:, 3] > low[:, 1:] - TIGHT)
    wires, at = np.nonzero(meets)
    is_own = (around.joins[wires] == at[:, None]).any(axis=1)
    boxes = np.where(is_own[:, None], _inner(blocks[at]), blocks[at] + margin(TIGHT))
    found = np.zeros(len(points), bool)
    found[wires[_hits(points[wires], boxes)]] = True
    return found


def _needing(points: Points, around: Surroundings) -> Rows:
    """Returns the rows of wires that run behind blocks or through foreign frames; after these, upon other wires."""
    known = (around.joins >= 0).all(axis=1)
    needs = behind(points, around) | _through_frames(points, around)
    rows = np.flatnonzero(needs & known)
    if len(points) > COMPARED:
        return rows
    return np.concatenate([rows, np.flatnonzero(_upon(points, around.outputs, needs) & ~needs & known)])


def _inner(blocks: Points) -> Points:
    """Returns the part of blocks through which not even their own wires run; those of a dot end in its middle."""
    inset = np.where(blocks[:, 2] - blocks[:, 0] > 2 * DOT, 1.0, DOT)
    return blocks + inset[:, None] * (1, 1, -1, -1)


def _hits(points: Points, boxes: Points) -> Flags:
    """Returns which wires run through their box. Shapes: (n, k, 2), (n, 4)."""
    low, high = np.minimum(points[:, :-1], points[:, 1:]), np.maximum(points[:, :-1], points[:, 1:])
    inside = (low < boxes[:, None, 2:]) & (high > boxes[:, None, :2])
    return np.any(np.all(inside, axis=2), axis=1)


def _through_frames(points: Points, around: Surroundings) -> Flags:
    """Returns which wires have a level piece through or close to a frame in which neither of their ends lies."""
    found = np.zeros(len(points), bool)
    ends, start, end = points[:, (0, -1)], points[:, 2], points[:, 3]
    for box in around.frames:
        is_outside = ~((ends > box[:2]) & (ends < box[2:])).all(axis=2).any(axis=1)
        left, top, right, bottom = box + margin(BESIDE)
        crosses = (np.minimum(start, end) < (right, bottom)).all(axis=1)
        crosses &= (np.maximum(start, end) > (left, top)).all(axis=1)
        found |= is_outside & crosses & (start[:, 1] == end[:, 1]) & (start[:, 0] != end[:, 0])
    return found


def _upon(points: Points, outputs: Rows, moving: Flags) -> Flags:
    """Returns which wires run upon another one of another output that comes before them and stays."""
    found = np.zeros(len(points), bool)
    for axis in (0, 1):
        start, end, at = points[:, :-1, axis], points[:, 1:, axis], points[:, :-1, 1 - axis]
        wires, places = np.nonzero((points[:, :-1, 1 - axis] == points[:, 1:, 1 - axis]) & (np.abs(end - start) > SAME))
        low, high = np.minimum(start, end)[wires, places], np.maximum(start, end)[wires, places]
        at = at[wires, places]
        meets = (np.abs(at[:, None] - at) < SAME) & (low[:, None] < high - SAME) & (high[:, None] > low + SAME)
        meets &= (outputs[wires][:, None] != outputs[wires]) & (wires[:, None] > wires) & ~moving[wires]
        found[wires[meets.any(axis=1)]] = True
    return found


# The way of one wire


class _Grid:
    """Lines along which a wire may run, and the costs of the pieces between them.

    Shapes: `level` (ys, xs - 1) and `upright` (xs, ys - 1), the costs of pieces. Units: px.
    """

    def __init__(self, xs: Points, ys: Points) -> None:
        self.xs, self.ys = xs, ys
        self._weights = [np.zeros((len(ys) + 1, len(xs))), np.zeros((len(xs) + 1, len(ys)))]
        self._tolls = [np.zeros((len(ys) + 1, len(xs))), np.zeros((len(xs) + 1, len(ys)))]

    def add(self, boxes: Points, weight: float, level: float = 1.0, upright: float = 1.0) -> None:
        """Makes pieces in boxes dearer, in all directions or one. Shapes: (n, 4) as left, top, right, bottom."""
        for is_upright, share in ((False, level), (True, upright)):
            if share and len(boxes):
                self._paint(self._weights[is_upright], boxes, weight * share, is_upright)

    def cross(self, pieces: Points, toll: float) -> None:
        """Lets everything pay that crosses straight pieces of wires. Shapes: (n, 4) as x1, y1, x2, y2."""
        thin, is_upright = piece_boxes(pieces), pieces[:, 0] == pieces[:, 2]
        for crossing in (False, True):
            own = thin[is_upright != crossing]
            own[:, int(crossing)] -= 0.01
            if len(own):
                self._paint(self._tolls[crossing], own, toll, crossing)

    def _paint(self, costs: Points, boxes: Points, cost: float, is_upright: bool) -> None:
        along, across = (self.ys, self.xs) if is_upright else (self.xs, self.ys)
        left, low, right, high = (boxes if is_upright else boxes[:, [1, 0, 3, 2]]).T
        first = np.searchsorted(across, left, "right")
        last = np.maximum(np.searchsorted(across, right, "left"), first)
        begin = np.clip(np.searchsorted(along, low, "right") - 1, 0, len(along) - 1)
        end = np.clip(np.searchsorted(along, high, "left"), begin, len(along) - 1)
        for line, place, sign in ((first, begin, 1), (last, begin, -1), (first, end, -1), (last, end, 1)):
            np.add.at(costs, (line, place), sign * cost)

    def sums(self) -> tuple[Points, Points]:
        """Returns the costs from the first line on, level and upright. Shapes: (ys, xs), (xs, ys)."""
        found = []
        for along, weights, tolls in zip((self.xs, self.ys), self._weights, self._tolls, strict=True):
            weight, toll = (item.cumsum(axis=0).cumsum(axis=1)[:-1, :-1] for item in (weights, tolls))
            pieces = np.diff(along) * np.maximum(1 + weight, 0.2) + toll
            found.append(np.concatenate([np.zeros((len(pieces), 1)), pieces.cumsum(axis=1)], axis=1))
        return found[0], found[1]


def _way(points: Points, row: int, around: Surroundings, counts: Flags) -> Points:
    """Returns the cheapest way of one wire past the blocks, and past those wires that count. Shapes: (6, 2)."""
    start, end = points[row, 0], points[row, -1]
    blocks, own = around.blocks, around.joins[row]
    is_own = np.zeros(len(blocks), bool)
    is_own[own] = True
    counts = counts.copy()
    counts[row] = False
    is_shared = around.outputs == around.outputs[row]
    others, shared = _pieces(points[counts & ~is_shared]), _pieces(points[counts & is_shared])
    near = blocks
    if len(blocks) > BLOCKS:
        low, high = np.minimum(start, end) - REACH, np.maximum(start, end) + REACH
        near, others = (items[meeting(items, low, high)] for items in (blocks, others))
    inside = meeting(around.frames, start, start) | meeting(around.frames, end, end)
    frames = around.frames[~inside] + margin(BESIDE)
    near = np.concatenate([near, frames])
    xs, ys = (_lines(axis, near, others, points[row], shared) for axis in (0, 1))
    if len(xs) * len(ys) > CELLS:
        return points[row]
    grid = _Grid(xs, ys)
    grid.add(blocks[~is_own] + margin(TIGHT), BEHIND)
    grid.add(blocks[~is_own] + margin(CLEAR), NEAR)
    grid.add(_inner(blocks[is_own]), BEHIND)
    grid.add(blocks[is_own] + margin(CLEAR), NEAR, upright=0.0)
    grid.add(frames, FRAMED)
    # Level pieces take the middle of a gap between rows, where their labels have room.
    grid.add(np.concatenate([blocks, around.frames[~inside]]) + margin(LABELLED), ALONG / 2, upright=0.0)
    for pieces, reach, weight in ((others, SAME * 2, UPON), (others, BESIDE - 1, ALONG), (shared, 0.5, SHARED)):
        level, upright = _split(pieces)
        grid.add(level + margin(reach), weight, upright=0.0)
        grid.add(upright + margin(reach), weight, level=0.0)
    grid.add(_split(others)[0] + margin(LABELLED - 1), ALONG / 2, upright=0.0)
    grid.cross(others, CROSSING)
    return _cheapest(grid, start, end)


def _pieces(points: Points) -> Points:
    """Returns the pieces of wires that have a length. Shapes: (n, 6, 2); (m, 4)."""
    found = segments(points).reshape(-1, 4)
    return found[(np.abs(found[:, :2] - found[:, 2:]) > 0.5).any(axis=1)]


def _split(pieces: Points) -> tuple[Points, Points]:
    """Returns level and upright pieces as left, top, right, bottom."""
    found, is_level = piece_boxes(pieces), pieces[:, 1] == pieces[:, 3]
    return found[is_level], found[~is_level]


def _lines(axis: int, blocks: Points, others: Points, own: Points, shared: Points) -> Points:
    """Returns where a grid has lines: beside blocks and wires, in the middle between blocks, and at the own ends."""
    low, high = blocks[:, axis], blocks[:, axis + 2]
    beside = np.concatenate([low - CLEAR, high + CLEAR, low - CLEAR - BESIDE, high + CLEAR + BESIDE])
    along = others[others[:, axis] == others[:, axis + 2], axis]
    steps = (BESIDE,) if axis == 0 else (BESIDE, LABELLED)
    past = [along + sign * step for step in steps for sign in (-1, 1)]
    ends = [own[0, 0] + LEAVE, own[0, 0] + FORK, own[-1, 0] - ENTER, own[-1, 0] - FORK] if axis == 0 else []
    gaps = _gaps(low, high)
    found = np.concatenate([own[:, axis], np.array(ends), beside, *past, gaps, shared[:, axis], shared[:, axis + 2]])
    lines: Points = np.sort(np.concatenate([np.round(found), own[[0, -1], axis]]))
    return lines[starts_of_runs(lines)]


def _gaps(low: Points, high: Points) -> Points:
    """Returns the middles of the gaps between blocks that no block reaches into."""
    order = np.argsort(low)
    reached, starts = np.maximum.accumulate(high[order])[:-1], low[order][1:]
    return ((reached + starts) / 2)[starts - reached > CLEAR]


def _cheapest(grid: _Grid, start: Points, end: Points) -> Points:
    """Returns the cheapest way that leaves to the right and enters from the left. Shapes: (2,), (2,); (6, 2).

    The cheapest crossing from one upright line to another is a running minimum, from the left and from the right.
    Cost: O(lines squared).
    """
    (xs, ys), (level, upright) = (grid.xs, grid.ys), grid.sums()
    first, last = int(np.searchsorted(ys, start[1])), int(np.searchsorted(ys, end[1]))
    x1, x2 = int(np.searchsorted(xs, start[0])), int(np.searchsorted(xs, end[0]))
    leaving = np.where(xs >= start[0] + ENTER - 2, level[first] - level[first, x1], np.inf)
    entering = np.where(xs <= end[0] - ENTER + 2, level[last, x2] - level[last], np.inf)
    to_line = leaving[:, None] + np.abs(upright - upright[:, [first]])
    from_line = entering[:, None] + np.abs(upright - upright[:, [last]])
    along = level.T
    rightwards = np.minimum.accumulate(to_line - along, axis=0) + along
    leftwards = np.minimum.accumulate((to_line + along)[::-1], axis=0)[::-1] - along
    crossed = np.minimum(np.minimum(rightwards, leftwards) + 2 * BEND, to_line)
    there, height = np.unravel_index(np.argmin(crossed + from_line), crossed.shape)
    across = to_line[:, height] + np.abs(along[:, height] - along[there, height]) + 2 * BEND
    across[there] = to_line[there, height]
    here = int(np.argmin(across))
    (x1, y1), (x2, y2), one, other = start.tolist(), end.tolist(), float(xs[here]), float(xs[there])
    if here == there:
        return np.array([(x1, y1), (one, y1), (one, y2), (x2, y2), (x2, y2), (x2, y2)])
    middle = float(ys[height])
    return np.array([(x1, y1), (one, y1), (one, middle), (other, middle), (other, y2), (x2, y2)])
