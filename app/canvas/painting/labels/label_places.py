"""The search for a free place beside a wire: along its level runs, beside its upright ones, or on a leader.

Each form of a label is tried at all places before a shorter one. All places of a form are looked at in one go.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np

from gradwire.app.canvas.geometry.curves import apart, flat_spots, is_curve
from gradwire.app.canvas.geometry.routing import (
    Flags,
    Points,
    Rows,
    horizontal_runs,
    lines_meet,
    margin,
    meeting,
    piece_boxes,
    segments,
)
from gradwire.app.canvas.painting.labels.labels import ROW_HEIGHT, Box, Form, Label, Placed, Pose, row_boxes

NO_BOX: Box = (0.0, 0.0, 0.0, 0.0)
# How far a label stands out over the corner of its wire, and how thick a wire is taken to be. Units: px of the scene.
OVERHANG, LINE = 16.0, 3.0
# A shorter run is no place for a label. Units: px at 100 %.
SHORTEST_RUN = 10.0
_ALONG = np.array([0, -1, 1, -2, 2, -3, 3]) / 3
_BOTH_ROWS = (Pose.ACROSS, Pose.ABOVE, Pose.BELOW, Pose.OVER, Pose.UNDER, Pose.RIGHT, Pose.LEFT)
_ONE_ROW = (Pose.ABOVE, Pose.BELOW, Pose.RIGHT, Pose.LEFT)
# The lengths and directions of leaders, the shortest first. Units: px at 100 %.
_REACHES, LONGEST_LEADER = (16.0, 26.0, 38.0, 50.0), 60.0
# So many leaders to free places are looked at.
LEADERS = 40
_DIRECTIONS = [(math.sin(angle), math.cos(angle)) for angle in np.linspace(0, 2 * math.pi, 12, endpoint=False).tolist()]
# The ways of all leaders, and to which side of its end the middle of a label lies, in halves of its size.
_WAYS = np.array([np.multiply(reach, direction) for reach in _REACHES for direction in _DIRECTIONS])
_SIDES = np.tile(np.clip(2 * np.array(_DIRECTIONS), -1, 1), (len(_REACHES), 1))


class Surroundings(NamedTuple):
    """What labels must not cover: rectangles of blocks, titles and other labels, and the lines of wires.

    `outlines` are the lines as rectangles. Shapes: `rects` (n, 4) as left, top, right, bottom; `lines` (m, 4) as
    x, y, x, y; `outlines` (m, 4). Units: px of the scene.
    """

    rects: Points
    lines: Points
    outlines: Points

    @staticmethod
    def of(rects: Points, lines: Points) -> Surroundings:
        """Returns the surroundings that some rectangles and lines make."""
        return Surroundings(rects, lines, outlines(lines))

    def near(self, whole: Points) -> Surroundings:
        """Returns the part of it that touches a rectangle."""
        low, high = whole[:2], whole[2:]
        seen = meeting(self.outlines, low, high)
        return Surroundings(self.rects[meeting(self.rects, low, high)], self.lines[seen], self.outlines[seen])

    def with_rects(self, rects: Points) -> Surroundings:
        """Returns it with more rectangles."""
        return self._replace(rects=np.concatenate([self.rects, rects]))

    def without_lines(self, lines: Points) -> Surroundings:
        """Returns it without some lines."""
        kept = apart(self.outlines, outlines(lines))
        return self._replace(lines=self.lines[kept], outlines=self.outlines[kept])

    def leave_free(self, rects: Points) -> Flags:
        """Returns which rectangles cover nothing."""
        return ~(hits(self.rects, rects) | hits(self.outlines, rects))

    def crossings(self, starts: Points, ends: Points) -> Points:
        """Returns how many lines some straight lines meet; infinity for those that meet a rectangle. Shapes: (n, 2)."""
        is_shut = lines_meet(self.rects, starts, ends).any(axis=1)
        return np.where(is_shut, math.inf, _met_lines(self.lines, starts, ends))


class _Spots:
    """The places of one wire, in the order in which they are tried."""

    def __init__(self, points: Points, scale: float) -> None:
        self._points, self.scale = points, scale
        self._is_curve = is_curve(points)
        self._known: dict[float, Points] = {}
        if not self._is_curve:
            least = SHORTEST_RUN * scale
            # Level runs as (left, right, y), upright ones as (top, bottom, x).
            self._level, self._upright = (
                np.array([run for run in horizontal_runs(way) if run[1] - run[0] >= least]).reshape(-1, 3)
                for way in (points, points[:, ::-1])
            )

    def for_pose(self, pose: Pose, widths: tuple[float, float]) -> Points:
        """Returns the spots on the wire for a pose of rows of some widths, the best first. Shapes: (n, 2)."""
        value, gradient = widths
        if pose in (Pose.RIGHT, Pose.LEFT):
            return self._beside((2 if value and gradient else 1) * ROW_HEIGHT * self.scale)
        is_row = pose in (Pose.ABOVE, Pose.BELOW) and value and gradient
        return self._along((value + gradient if is_row else max(value, gradient)) * self.scale)

    def _along(self, width: float) -> Points:
        """Returns the middle of each level run, then places to both sides of it."""
        if width not in self._known:
            self._known[width] = flat_spots(self._points)(width) if self._is_curve else self._level_spots(width)
        return self._known[width]

    def _level_spots(self, width: float) -> Points:
        left, right = self._level[:, 0], self._level[:, 1]
        middle, slack = (left + right) / 2, (right - left - width) / 2
        # A label may stand out over the corner of its own wire a little.
        outermost = np.where(slack > OVERHANG, slack, 1.5 * OVERHANG)
        reach = np.minimum(np.abs(np.outer(outermost, _ALONG)), np.where(slack > OVERHANG, np.inf, OVERHANG)[:, None])
        x = middle[:, None] + np.sign(_ALONG) * reach
        return np.column_stack([x.reshape(-1), np.repeat(self._level[:, 2], len(_ALONG))])

    def _beside(self, height: float) -> Points:
        """Returns the middle of each upright run, then places above and below it; curves have none."""
        if self._is_curve:
            return np.zeros((0, 2))
        top, bottom = self._upright[:, 0], self._upright[:, 1]
        slack = np.maximum((bottom - top - height) / 2, 0)
        y = ((top + bottom) / 2)[:, None] + slack[:, None] * _ALONG
        return np.column_stack([np.repeat(self._upright[:, 2], len(_ALONG)), y.reshape(-1)])

    def anchors(self) -> Points:
        """Returns the points of the wire at which leaders may end. Shapes: (n, 2)."""
        start, end = self._points[:-1], self._points[1:]
        lengths = np.hypot(*(end - start).T)
        if self._is_curve:
            return self._points[[len(self._points) // 2, len(self._points) // 4, 3 * len(self._points) // 4]]
        order = np.argsort(-lengths, kind="stable")
        longest = [row for row in order.tolist() if lengths[row] >= 6 * self.scale][:3]
        shares = (0.5, 0.25, 0.75)
        found = [start[row] + share * (end[row] - start[row]) for row, share in itertools.product(longest, shares)]
        return np.array(found).reshape(-1, 2)


def find_place(
    around: Surroundings, points: Points, label: Label, longest: Form, scale: float, is_moving: bool = False
) -> Placed | None:
    """Returns the first free place of a wire's label, in ever shorter forms from `longest` on.

    `points` are the corners of the wire, `scale` says how large labels are in the scene. While something `is_moving`,
    only the nearest places are looked at. Shapes: `points` (k, 2).
    """
    spots = _Spots(points, scale)
    own = segments(points[None])[0]
    near = around.near(_reach(points, label, longest, scale))
    if is_curve(points):
        # A curve may run through its own label: it is hardly ever level for so long.
        near = near.without_lines(own)
    forms = label.forms(longest)
    if is_moving:
        quick = (_on_wire(near, spots, label, form, poses=1) for form in dict.fromkeys((forms[0], forms[-1])))
        return next(filter(None, quick), None)
    for form in forms:
        if form is Form.NUMBER and label.value and (found := _on_leader(near, spots, label, Form.BARE)):
            return found
        if found := _on_wire(near, spots, label, form):
            return found
    # A number whose leader crosses a wire is better than none.
    return _on_leader(near, spots, label, forms[-1], may_cross=True)


def _reach(points: Points, label: Label, longest: Form, scale: float) -> Points:
    """Returns the rectangle in which all places of a label lie."""
    far = (sum(label.widths(longest)) + LONGEST_LEADER + OVERHANG) * scale
    return np.concatenate([points.min(axis=0) - far, points.max(axis=0) + far])


def _on_wire(near: Surroundings, spots: _Spots, label: Label, form: Form, poses: int | None = None) -> Placed | None:
    """Returns the first free place beside the wire, in the first `poses` poses or in all of them."""
    widths = label.widths(form)
    if not any(widths):
        return None
    # All poses are looked at in one go: asking for each takes longer than comparing numbers.
    tried = (_BOTH_ROWS if all(widths) else _ONE_ROW)[:poses]
    spots_of = [spots.for_pose(pose, widths) for pose in tried]
    boxes = np.repeat([_two_boxes(pose, widths) for pose in tried], [len(found) for found in spots_of], axis=0)
    places = np.concatenate(spots_of)
    rects = np.tile(places, 2)[:, None] + spots.scale * boxes
    free = near.leave_free(rects.reshape(-1, 4)).reshape(-1, 2).all(axis=1)
    if not free.any():
        return None
    index = int(free.argmax())
    pose = next(pose for pose, end in zip(tried, itertools.accumulate(map(len, spots_of)), strict=True) if index < end)
    x, y = places[index].tolist()
    return Placed(label, form, x, y, widths, pose)


def _two_boxes(pose: Pose, widths: tuple[float, float]) -> list[Box]:
    """Returns the boxes of both rows of a label; a row that is not there has the other's."""
    value, gradient = row_boxes(pose, widths)
    return [value or gradient or NO_BOX, gradient or value or NO_BOX]


def _on_leader(near: Surroundings, spots: _Spots, label: Label, form: Form, may_cross: bool = False) -> Placed | None:
    """Returns a place in free space, with a straight leader to the wire; where it `may_cross` wires, as few as can be.

    It never crosses a block or a label.
    """
    widths, scale = label.widths(form), spots.scale
    anchors = spots.anchors()
    if not any(widths) or not len(anchors):
        return None
    half = np.array([max(widths) / 2, (1.0 if all(widths) else 0.5) * ROW_HEIGHT])
    ways = _WAYS + half * _SIDES
    middles = (anchors[None] + scale * ways[:, None]).reshape(-1, 2)
    free = near.leave_free(np.concatenate([middles - scale * half, middles + scale * half], axis=1))
    tried = np.flatnonzero(free)[:LEADERS]
    apart, starts = ways[tried // len(anchors)], anchors[tried % len(anchors)]
    ends = apart - np.copysign(np.minimum(np.abs(apart), half), apart)
    lengths = np.hypot(ends[:, 0], ends[:, 1])
    fits = (lengths >= 1) & (lengths <= LONGEST_LEADER)
    apart, starts, ends, lengths = apart[fits], starts[fits], ends[fits], lengths[fits]
    # It starts on its own wire, which it must not cross again.
    first = np.minimum((LINE + 1) / (lengths * scale), 0.9)
    crossings = near.crossings(starts + (scale * first)[:, None] * ends, starts + scale * ends)
    best = int(crossings.argmin()) if len(crossings) else 0
    if not len(crossings) or crossings[best] == math.inf or (crossings[best] and not may_cross):
        return None
    (x, y), (across, down) = starts[best].tolist(), apart[best].tolist()
    return Placed(label, form, x, y, widths, Pose.LEADER, (across, down))


def leader_end(way: tuple[float, float], half_width: float, half_height: float) -> tuple[float, float]:
    """Returns the point of a label's edge that is nearest to its spot, seen from there."""
    across = way[0] - math.copysign(min(abs(way[0]), half_width), way[0])
    down = way[1] - math.copysign(min(abs(way[1]), half_height), way[1])
    return across, down


def outlines(lines: Points) -> Points:
    """Returns straight pieces of wires as rectangles, as wide as a wire."""
    return piece_boxes(lines) + margin(LINE)


def hits(obstacles: Points, rects: Points) -> Flags:
    """Returns which rectangles overlap an obstacle; empty ones overlap nothing. Shapes: (rects,)."""
    # Numbers side by side in memory are compared several at a time.
    left, top, right, bottom = np.ascontiguousarray(obstacles.T)
    meets = left < rects[:, 2:3]
    meets &= right > rects[:, 0:1]
    meets &= top < rects[:, 3:4]
    meets &= bottom > rects[:, 1:2]
    return meets.any(axis=1) & (rects[:, 3] > rects[:, 1])


def _met_lines(lines: Points, starts: Points, ends: Points) -> Rows:
    """Returns how many of some lines each of other lines meets. Shapes: (others,)."""
    a, b = lines[:, :2], lines[:, 2:]
    along, ways = b - a, (ends - starts)[:, None]
    is_long = np.abs(along).sum(axis=1) > 0
    starts, ends = starts[:, None], ends[:, None]
    first = along[:, 0] * (starts[..., 1] - a[:, 1]) - along[:, 1] * (starts[..., 0] - a[:, 0])
    second = along[:, 0] * (ends[..., 1] - a[:, 1]) - along[:, 1] * (ends[..., 0] - a[:, 0])
    third = ways[..., 0] * (a[:, 1] - starts[..., 1]) - ways[..., 1] * (a[:, 0] - starts[..., 0])
    fourth = ways[..., 0] * (b[:, 1] - starts[..., 1]) - ways[..., 1] * (b[:, 0] - starts[..., 0])
    return (is_long & (first * second <= 0) & (third * fourth <= 0)).sum(axis=1)
