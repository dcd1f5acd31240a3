"""How wires run as curves: level at their ports, with one smooth bend up or down, or round their blocks and back.

A curve is known by points that are close together. Each three of its pieces lie on one cubic, which follows from them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradwire.app.canvas.geometry.routing import CORNERS, OVERLAP, Ends, Flags, Points, return_height, route, segments

# Into how many pieces each part of a curve is cut, all of them multiples of `CUBIC`.
LEAD, BEND, TURN, RUN, CUBIC = 3, 21, 9, 9, 3
CURVE_POINTS = LEAD + BEND + LEAD + 1
# The points where the parts of a curve join, and places between.
AFAR = (0, 2, 3, 6, 9, 11, 14, 16, 18, 21, 24, 25, 27)
# How far from its corner a bend of a way begins and ends at most.
SOFT = 40.0
NARROWEST, STEEPNESS, LEAST_HANDLE = 64.0, 1.0, 24.0
TURN_MIN, TURN_MAX = 24.0, 44.0
# How high the levels are into which a curve is put to tell flat places from steep ones.
FLATNESS = 4.0


def routed(ends: Ends, is_curved: bool) -> Points:
    """Returns the points of every wire, as curves or with corners. Shapes: (n, 28, 2) or (n, 6, 2)."""
    return curve(ends) if is_curved else route(ends)


def point_count(is_curved: bool) -> int:
    """Returns how many points a wire has."""
    return CURVE_POINTS if is_curved else CORNERS


def is_curve(points: Points) -> bool:
    """Returns whether points are those of curves, not of wires with corners. Shapes: (..., points, 2)."""
    return int(points.shape[-2]) != CORNERS


def curve(ends: Ends) -> Points:
    """Returns the points of every wire as a curve. Shapes: (n, 28, 2).

    A wire to the right bends just after the output where that forks, so that the trunk is shared, else just before
    the input; the rest of it is level, with room for its label. A wire to the left turns round, runs back between
    the rows, and turns again.
    """
    is_back = ends.x2 < ends.x1
    found = np.empty((len(is_back), CURVE_POINTS, 2))
    found[~is_back] = _forward(ends.of(~is_back))
    found[is_back] = _back(ends.of(is_back))
    return found


def softened(ways: Points) -> Points:
    """Returns ways with corners as curves that bend round each corner. Shapes: (n, 6, 2); (n, 28, 2)."""
    steps = np.diff(ways, axis=1)
    # A bend has half of the piece to the next bend; at the ports there is none.
    reach = np.abs(steps).sum(axis=2) / np.array([1, 2, 2, 2, 1])
    share = np.minimum(SOFT, reach) / np.maximum(np.abs(steps).sum(axis=2), 1e-9)
    is_bend = (reach[:, :-1] > 0) & (reach[:, 1:] > 0)
    before = ways[:, 1:-1] - steps[:, :-1] * (share[:, :-1] * is_bend)[..., None]
    after = ways[:, 1:-1] + steps[:, 1:] * (share[:, 1:] * is_bend)[..., None]
    parts, last = [], ways[:, 0]
    for number in range(is_bend.shape[1]):
        start, corner, end = before[:, number], ways[:, number + 1], after[:, number]
        handles = start + (corner - start) * 2 / 3, end + (corner - end) * 2 / 3
        parts += [_line(CUBIC, tuple(last.T), tuple(start.T))]
        parts += [_cubic(CUBIC, *(tuple(point.T) for point in (start, *handles, end)))]
        last = end
    return _joined(*parts, _line(CUBIC, tuple(last.T), tuple(ways[:, -1].T)))


def _forward(ends: Ends) -> Points:
    x1, y1, x2, y2 = ends.x1, ends.y1, ends.x2, ends.y2
    rise = np.abs(y2 - y1)
    gap = np.maximum(x2 - x1, 0)
    width = np.minimum(gap, np.maximum(rise * STEEPNESS, NARROWEST))
    start = np.where(ends.forks, x1, x1 + gap - width)
    end = start + width
    handle = np.maximum(width / 2, np.minimum(LEAST_HANDLE, rise / 2))
    bend = _cubic(BEND, (start, y1), (start + handle, y1), (end - handle, y2), (end, y2))
    return _joined(_line(LEAD, (x1, y1), (start, y1)), bend, _line(LEAD, (end, y2), (x2, y2)))


def _back(ends: Ends) -> Points:
    x1, y1, x2, y2 = ends.x1, ends.y1, ends.x2, ends.y2
    middle = return_height(ends)
    out = x1 + np.clip(np.abs(middle - y1) / 2, TURN_MIN, TURN_MAX)
    home = x2 - np.clip(np.abs(middle - y2) / 2, TURN_MIN, TURN_MAX)
    leaving = _cubic(TURN, (x1, y1), (out, y1), (out, middle), (x1, middle))
    entering = _cubic(TURN, (x2, middle), (home, middle), (home, y2), (x2, y2))
    return _joined(leaving, _line(RUN, (x1, middle), (x2, middle)), entering)


def _cubic(count: int, *controls: tuple[Points, Points]) -> Points:
    """Points of cubics that are given by four each. Shapes: (n, count + 1, 2)."""
    share = np.linspace(0, 1, count + 1)
    rest = 1 - share
    weights = 3 * rest**2 * share, 3 * rest * share**2, share**3
    found: Points = np.empty((len(controls[0][0]), count + 1, 2))
    for axis, (start, *others) in enumerate(zip(*controls, strict=True)):
        # Seen from the start, what is level is so to the last digit: much that is drawn depends on it.
        ways = [np.multiply.outer(other - start, weight) for other, weight in zip(others, weights, strict=True)]
        found[..., axis] = start[:, None] + sum(ways)
    return found


def _line(count: int, start: tuple[Points, Points], end: tuple[Points, Points]) -> Points:
    share = np.linspace(0, 1, count + 1)
    x, y = (a[:, None] + np.multiply.outer(b - a, share) for a, b in zip(start, end, strict=True))
    return np.stack([x, y], axis=-1)


def _joined(*parts: Points) -> Points:
    return np.concatenate([*(part[:, :-1] for part in parts[:-1]), parts[-1]], axis=1)


def from_afar(points: Points) -> Points:
    """Returns fewer points of wires, enough from afar. Shapes: (n, 28, 2) to (n, 13, 2), others as they are."""
    return points[:, AFAR] if is_curve(points) else points


def cubics(points: Points) -> Points:
    """Returns the cubics of one curve, each by four points, without those of length 0. Shapes: (28, 2); (n, 4, 2)."""
    at = np.stack([points[place : len(points) - CUBIC + place : CUBIC] for place in range(CUBIC)], axis=1)
    a, b, c, d = at[:, 0], at[:, 1], at[:, 2], points[CUBIC::CUBIC]
    # A cubic goes through four points at 0, 1/3, 2/3 and 1 of its way.
    first, second = (-5 * a + 18 * b - 9 * c + 2 * d) / 6, (2 * a - 9 * b + 18 * c - 5 * d) / 6
    is_there = np.ptp(at, axis=1).max(axis=1) > 1e-9
    return np.stack([a, first, second, d], axis=1)[is_there]


def curved_pieces(points: Points) -> Points:
    """Curves as straight pieces that overlap a little, so that no gap is seen at a bend. Shapes: (n, 27, 4)."""
    found = segments(points)
    along = found[..., 2:] - found[..., :2]
    is_sloped = (along != 0).all(axis=2, keepdims=True)
    along *= is_sloped * OVERLAP / np.maximum(np.hypot(along[..., :1], along[..., 1:]), OVERLAP)
    found[..., :2] -= along
    found[..., 2:] += along
    return found


def flat_spots(points: Points) -> Callable[[float], Points]:
    """Gives the places on one curve where something of a width can stand, the flattest and most central first.

    Shapes: `points` (28, 2), the result (55, 2).
    """
    spots = np.concatenate([points, (points[:-1] + points[1:]) / 2])
    away_x, away_y = (np.abs(spots[:, None, axis] - points[:, axis]) for axis in (0, 1))

    def found(width: float) -> Points:
        rise = np.where(away_x <= width / 2, away_y, 0).max(axis=1) // FLATNESS
        flattest = spots[rise == rise.min()]
        middle = (flattest.min(axis=0) + flattest.max(axis=0)) / 2
        far = np.abs(spots - middle).sum(axis=1)
        return spots[np.lexsort((far, rise))]

    return found


def apart(lines: Points, own: Points) -> Flags:
    """Returns which lines are none of those of one wire. Shapes: (n, 4), (m, 4); (n,)."""
    return ~(lines[:, None] == own).all(axis=2).any(axis=1)
