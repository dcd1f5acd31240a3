"""How wires run: rounded right angles, as corner points of all wires of a page at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Points = np.ndarray[Any, np.dtype[np.float64]]
Rows = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]

CORNERS = 6
FORK, JOIN = 22.0, 22.0
LEAVE, ENTER = 15.0, 14.0
RADIUS = 12.0
OVERLAP = 0.6
ROOM = 24.0


class Ends(NamedTuple):
    """The ends of n wires. `top` and `bottom` are those of the source's and the target's blocks; `forks` says that
    the output has several wires. Shapes: all (n,)."""

    x1: Points
    y1: Points
    x2: Points
    y2: Points
    top1: Points
    bottom1: Points
    top2: Points
    bottom2: Points
    forks: Flags

    def of(self, chosen: Flags) -> Ends:
        """Returns the ends of some of the wires."""
        return Ends._make(item[chosen] for item in self)


def route(ends: Ends) -> Points:
    """Returns the corner points of every wire, the last one repeated where a wire has fewer.

    A wire to the right has one vertical jog: just after the output where that forks, so that the trunk is shared,
    else just before the input. A wire to the left leaves, runs back between the rows, and enters.
    Shapes: (n, 6, 2).
    """
    x1, y1, x2, y2 = ends.x1, ends.y1, ends.x2, ends.y2
    gap = x2 - x1
    is_back = gap < LEAVE + ENTER
    jog = np.where(ends.forks, x1 + np.minimum(FORK, gap / 2), x2 - np.minimum(JOIN, gap / 2))
    jog = np.where(np.abs(y1 - y2) < 0.5, x1 + gap / 2, jog)
    forward = corner_points((x1, y1), (jog, y1), (jog, y2), (x2, y2), (x2, y2), (x2, y2))
    middle = return_height(ends)
    right, left = x1 + LEAVE, x2 - ENTER
    back = corner_points((x1, y1), (right, y1), (right, middle), (left, middle), (left, y2), (x2, y2))
    return np.where(is_back[:, None, None], back, forward)


def corner_points(*corners: tuple[Points, Points]) -> Points:
    """Returns the points of wires, given corner by corner as all x and all y. Shapes: (n, corners, 2)."""
    return np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)


def return_height(ends: Ends) -> Points:
    """Returns the height at which wires run back: between the two rows if there is room, else below both blocks."""
    below = ends.top2 - ends.bottom1
    above = ends.top1 - ends.bottom2
    under = np.maximum(ends.bottom1, ends.bottom2) + ROOM
    found = np.where(above > ROOM, (ends.top1 + ends.bottom2) / 2, under)
    return np.where(below > ROOM, (ends.top2 + ends.bottom1) / 2, found)


def boxes(points: Points, pad: float = 8.0) -> Points:
    """Returns the bounding boxes of wires as left, top, right, bottom. Shapes: (n, points, 2); (n, 4)."""
    # Along the first axis NumPy looks at many wires at once.
    along = np.ascontiguousarray(points.swapaxes(0, 1))
    return np.concatenate([along.min(axis=0) - pad, along.max(axis=0) + pad], axis=1)


def segments(points: Points) -> Points:
    """Returns the straight pieces of wires as x1, y1, x2, y2, of length 0 where a wire has fewer.

    Shapes: (n, k, 2); (n, k - 1, 4).
    """
    return np.concatenate([points[:, :-1], points[:, 1:]], axis=2)


def rect_boxes(rects: Points) -> Points:
    """Returns rectangles of left, top, width and height as left, top, right, bottom. Shapes: (n, 4)."""
    return np.concatenate([rects[:, :2], rects[:, :2] + rects[:, 2:]], axis=1)


def piece_boxes(pieces: Points) -> Points:
    """Returns straight pieces, whatever their direction, as left, top, right, bottom. Shapes: (n, 4)."""
    return np.concatenate([np.minimum(pieces[:, :2], pieces[:, 2:]), np.maximum(pieces[:, :2], pieces[:, 2:])], axis=1)


def margin(reach: float) -> Points:
    """Returns what makes boxes larger by a reach on each side, if it is added to them."""
    return np.array([-reach, -reach, reach, reach])


def meeting(boxes: Points, low: Points, high: Points) -> Flags:
    """Returns which boxes overlap the one from `low` to `high`. Shapes: (n, 4); (2,); (n,)."""
    # Column by column: NumPy takes several times as long for rows of two.
    (left, top), (right, bottom) = low.tolist(), high.tolist()
    found: Flags = (boxes[:, 0] < right) & (boxes[:, 2] > left)
    found &= (boxes[:, 1] < bottom) & (boxes[:, 3] > top)
    return found


def lines_meet(boxes: Points, starts: Points, ends: Points) -> Flags:
    """Returns which straight lines meet which boxes, by the method of slabs. Shapes: (n, 4), (m, 2), (m, 2); (m, n)."""
    ways = ends - starts
    # A tiny way in place of none: nothing is divided by zero.
    ways = np.where(np.abs(ways) < 1e-9, 1e-9, ways)[:, None]
    first, second = (boxes[:, :2] - starts[:, None]) / ways, (boxes[:, 2:] - starts[:, None]) / ways
    low, high = np.minimum(first, second), np.maximum(first, second)
    enter, leave = np.maximum(low[..., 0], low[..., 1]), np.minimum(high[..., 0], high[..., 1])
    return (enter <= leave) & (leave >= 0) & (enter <= 1)


def rounded_pieces(points: Points, chords: int) -> Points:
    """Wires with rounded corners as straight pieces, each corner as some chords. Shapes: (n, 5 + 4 chords, 4).

    Pieces of length 0 fill up wires of fewer corners.
    """
    steps = points[:, 1:] - points[:, :-1]
    lengths = np.abs(steps).sum(axis=2)
    units = steps / np.maximum(lengths, 1e-9)[..., None]
    before, after = lengths[:, :-1], lengths[:, 1:]
    radii = np.minimum(RADIUS, np.minimum(before, after) / 2)
    corners = points[:, 1:-1]
    starts, ends = corners - units[:, :-1] * radii[..., None], corners + units[:, 1:] * radii[..., None]
    straight = np.concatenate(
        [np.concatenate([points[:, :1], ends], axis=1), np.concatenate([starts, points[:, -1:]], axis=1)], axis=2
    )
    share = np.linspace(0, 1, chords + 1)[:, None]
    weights = (1 - share) ** 2, 2 * share * (1 - share), share**2
    curve = sum(part[:, :, None] * weight for part, weight in zip((starts, corners, ends), weights, strict=True))
    along = curve[:, :, 1:] - curve[:, :, :-1]
    # Flat ends would leave a gap on the outer side of a bend.
    along *= OVERLAP / np.maximum(np.hypot(along[..., 0], along[..., 1]), OVERLAP)[..., None]
    bends = np.concatenate([curve[:, :, :-1] - along, curve[:, :, 1:] + along], axis=3)
    # In the order of the wire, so that dashes run on: a straight piece, its bend, the next straight piece.
    woven = np.concatenate([straight[:, :-1, None], bends], axis=2).reshape(len(points), -1, 4)
    return np.concatenate([woven, straight[:, -1:]], axis=1)


def distances(points: Points, x: float, y: float) -> Points:
    """Returns how far each wire is from a point. Shapes: (n,)."""
    start, end = points[:, :-1], points[:, 1:]
    along = end - start
    length = np.maximum((along**2).sum(axis=2), 1e-9)
    share = np.clip((((x, y) - start) * along).sum(axis=2) / length, 0, 1)
    nearest = start + share[..., None] * along
    return np.hypot(nearest[..., 0] - x, nearest[..., 1] - y).min(axis=1)


def crossed(points: Points, start: tuple[float, float], end: tuple[float, float]) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Returns the rows of the wires that a straight line crosses or touches. Shapes: `points` (n, k, 2)."""
    a, b = points[:, :-1], points[:, 1:]
    from_start, from_end = _cross(b - a, start - a), _cross(b - a, end - a)
    way = np.subtract(end, start)
    sides = _cross(way, a - start), _cross(way, b - start)
    hits = (from_start * from_end <= 0) & (sides[0] * sides[1] <= 0)
    # On one straight line with the wire all four are 0; whether they meet then is a matter of their boxes.
    hits &= (np.maximum(a, b) >= np.minimum(start, end)).all(axis=2)
    hits &= (np.minimum(a, b) <= np.maximum(start, end)).all(axis=2)
    return np.flatnonzero(hits.any(axis=1))


def _cross(u: Points, v: Points) -> Points:
    return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]


def horizontal_runs(points: Points) -> list[tuple[float, float, float]]:
    """Returns the level pieces of one wire as (left, right, y), the longest first. Shapes: `points` (k, 2)."""
    runs: list[tuple[float, float, float]] = []
    for (xa, ya), (xb, yb) in zip(points[:-1].tolist(), points[1:].tolist(), strict=True):
        if abs(ya - yb) < 0.5 and abs(xa - xb) > 1:
            left, right = min(xa, xb), max(xa, xb)
            if runs and abs(runs[-1][2] - ya) < 0.5:
                left, right = min(left, runs[-1][0]), max(right, runs[-1][1])
                runs.pop()
            runs.append((left, right, ya))
    return sorted(runs, key=lambda run: run[0] - run[1])
