"""The places of the wires' labels: no two overlap, none lies on a block, and they stay where they are."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.curves import apart, flat_spots, is_curve
from gradwire.app.canvas.geometry.page_arrays import Rows
from gradwire.app.canvas.geometry.routing import CORNERS, Points, horizontal_runs, segments
from gradwire.app.canvas.painting.labels.labels import Form, Label, Placed

OVERHANG, LINE, BAND = 16.0, 1.5, 4.0
NOWHERE = (np.inf, np.inf, -np.inf, -np.inf)


class LabelLayout:
    """The places of wires' labels, by the wires' rows, kept while values change and blocks move."""

    def __init__(self) -> None:
        self._key: object = None
        self._scale = 1.0
        self._kept: dict[int, Placed] = {}
        self._anchors: Points = np.zeros((0, CORNERS, 2))
        self._taken: Points = np.zeros((0, 4))
        self._changes: list[tuple[float, float, float, float]] = []

    def place(
        self,
        key: object,
        rows: Rows,
        points: Points,
        label: Callable[[int], Label],
        obstacles: Points,
        lines: Points,
        scale: float,
    ) -> dict[int, Placed]:
        """Places the labels of some wires, the most important wire first.

        While `key` is the same, places are kept; a label moves with its wire. `obstacles` are blocks and what else
        must not be covered, as left, top, right, bottom; `lines` are straight pieces of wires, which are avoided
        where possible. `scale` is how large labels are in the scene.
        Shapes: `points` (wires, k, 2), `obstacles` (n, 4), `lines` (m, 4).
        """
        if key != self._key:
            self._key, self._scale, self._kept = key, scale, {}
            self._anchors, self._taken = np.zeros((0, *points.shape[1:])), np.zeros((0, 4))
        self._make_room(int(rows.max(initial=-1)) + 1)
        self._follow(rows, points)
        self._give_way(rows, obstacles)
        found, waiting = self._sorted_out(rows.tolist(), label)
        if waiting:
            placer = _Placer(obstacles, lines, scale)
            corners = dict(zip(rows.tolist(), points, strict=True))
            for row, text, form in waiting:
                place = placer.find(self._taken, corners[row], text, form)
                if place is not None:
                    self._keep(row, place, corners[row])
                    found[row] = place
        return found

    def rename(self, rows: dict[int, int]) -> None:
        """Takes over the new rows of wires; those that are not mentioned are gone."""
        kept, anchors, taken = self._kept, self._anchors, self._taken
        self._kept, self._anchors, self._taken = {}, anchors[:0], taken[:0]
        self._make_room(max(rows.values(), default=-1) + 1)
        for old, new in rows.items():
            if old in kept:
                self._kept[new], self._anchors[new], self._taken[new] = kept[old], anchors[old], taken[old]

    @property
    def rows(self) -> list[int]:
        """The rows of the wires whose labels have a place."""
        return list(self._kept)

    def touching(self, area: QRectF) -> Rows:
        """Returns the rows of the wires whose labels touch an area."""
        left, top, right, bottom = area.left(), area.top(), area.right(), area.bottom()
        return np.flatnonzero(_touching(self._taken, np.array([left, top, right, bottom])))

    def take_changes(self) -> list[tuple[float, float, float, float]]:
        """Returns the areas in which labels have come or gone since the last call, as left, top, right, bottom."""
        changes, self._changes = self._changes, []
        return changes

    def _make_room(self, count: int) -> None:
        missing = count - len(self._taken)
        if missing > 0:
            self._taken = np.concatenate([self._taken, np.tile(NOWHERE, (missing, 1))])
        if count > len(self._anchors):
            self._anchors = np.concatenate(
                [self._anchors, np.zeros((count - len(self._anchors), *self._anchors.shape[1:]))]
            )

    def _keep(self, row: int, place: Placed, points: Points) -> None:
        self._kept[row], self._anchors[row] = place, points
        self._taken[row] = place.rect(self._scale)
        self._changes.append(place.rect(self._scale))

    def _forget(self, row: int) -> None:
        place = self._kept.pop(row, None)
        if place is not None:
            self._taken[row] = NOWHERE
            self._changes.append(place.rect(self._scale))

    def _follow(self, rows: Rows, points: Points) -> None:
        """Labels of wires that only moved as a whole move along; those of wires that run otherwise are given up."""
        moved = points - self._anchors[rows]
        changed = np.flatnonzero(np.abs(moved).max(axis=(1, 2), initial=0) > 1e-9)
        bent = np.ptp(moved[changed], axis=1).max(axis=1, initial=0) > 1e-6
        for index, is_bent in zip(changed.tolist(), bent.tolist(), strict=True):
            row = int(rows[index])
            place = self._kept.get(row)
            self._forget(row)
            if place is not None and not is_bent:
                dx, dy = moved[index, 0].tolist()
                place = place._replace(x=place.x + dx, y=place.y + dy)
                if not _hits(self._taken, np.array([place.rect(self._scale)])).any():
                    self._keep(row, place, points[index])

    def _give_way(self, rows: Rows, obstacles: Points) -> None:
        """Labels on which a block has come to stand are given up."""
        for row in rows[_hits(obstacles, self._taken[rows])].tolist():
            self._forget(row)

    def _sorted_out(
        self, rows: list[int], label: Callable[[int], Label]
    ) -> tuple[dict[int, Placed], list[tuple[int, Label, Form]]]:
        """Returns the labels with a place, and those that wait for one with the longest form that they may take."""
        found: dict[int, Placed] = {}
        waiting = []
        for row in rows:
            text, known = label(row), self._kept.get(row)
            if known is not None and known.label is text:
                found[row] = known
            elif known is not None and text.allows(known.form) and text.size(known.form)[0] <= known.width:
                found[row] = self._kept[row] = known._replace(label=text)
                self._changes.append(known.rect(self._scale))
            elif text.value or text.gradient is not None:
                # A label once shortened stays short until something moves: it must not flicker.
                self._forget(row)
                waiting.append((row, text, known.form if known is not None else Form.BOTH))
        return found, waiting


class _Placer:
    """A search for free places along the level runs of wires, or where a curve is flattest."""

    def __init__(self, obstacles: Points, lines: Points, scale: float) -> None:
        self._obstacles, self._scale = obstacles, scale
        self._lines = _outlines(lines)

    def find(self, taken: Points, points: Points, label: Label, longest: Form) -> Placed | None:
        """Returns the first free place along a wire, in ever shorter forms from `longest` on."""
        spots_for = self._spots_along(points)
        near: tuple[Points, Points] | None = None
        for form in label.forms(longest):
            width, above, below = label.size(form)
            spots = spots_for(width * self._scale)
            if not len(spots):
                return None
            half = width / 2 * self._scale
            reach = np.array([-half, -above * self._scale, half, below * self._scale])
            rects = np.tile(spots, 2) + reach
            if near is None:
                near = self._near(taken, rects, points)
            free = ~_hits(near[0], rects)
            calm = free & ~self._crosses(near[1], rects, spots[:, 1])
            for allowed in (calm, free):
                if allowed.any():
                    x, y = spots[int(allowed.argmax())].tolist()
                    return Placed(label, form, x, y, width)
        return None

    def _near(self, taken: Points, rects: Points, points: Points) -> tuple[Points, Points]:
        """Returns the obstacles and the lines around some places: shorter forms lie within the longest one."""
        whole = np.concatenate([rects[:, :2].min(axis=0) - OVERHANG, rects[:, 2:].max(axis=0) + OVERHANG])
        blocks, others, lines = (item[_touching(item, whole)] for item in (self._obstacles, taken, self._lines))
        if is_curve(points):
            # A curve may run through its own label: it is hardly ever level for so long.
            lines = lines[apart(lines, _outlines(segments(points[None])[0]))]
        return np.concatenate([blocks, others]), lines

    def _spots_along(self, points: Points) -> Callable[[float], Points]:
        """Gives the places along a wire for a label of a width, the best first."""
        if is_curve(points):
            return flat_spots(points)
        return functools.partial(self._spots, np.array(horizontal_runs(points)).reshape(-1, 3))

    def _spots(self, runs: Points, width: float) -> Points:
        """Returns the middle of each run, then places to both sides of it. Shapes: (7 runs, 2)."""
        left, right = runs[:, 0], runs[:, 1]
        middle, slack = (left + right) / 2, (right - left - width) / 2
        # A label may stand out over the corner of its own wire a little.
        outermost = np.where(slack > OVERHANG, slack, 1.5 * OVERHANG)
        shares = np.array([0, -1, 1, -2, 2, -3, 3]) / 3
        reach = np.minimum(np.abs(np.outer(outermost, shares)), np.where(slack > OVERHANG, np.inf, OVERHANG)[:, None])
        x = middle[:, None] + np.sign(shares) * reach
        return np.column_stack([x.reshape(-1), np.repeat(runs[:, 2], len(shares))])

    def _crosses(self, lines: Points, rects: Points, middles: Points) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Returns which places lie over other wires; the band along its own wire does not count."""
        above, below = rects.copy(), rects.copy()
        above[:, 3] = np.minimum(middles - BAND, rects[:, 3])
        below[:, 1] = np.maximum(middles + BAND, rects[:, 1])
        found: np.ndarray[tuple[int], np.dtype[np.bool_]] = _hits(lines, above) | _hits(lines, below)
        return found


def _outlines(lines: Points) -> Points:
    """Returns straight pieces of wires as rectangles, as wide as a thin line."""
    low, high = np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])
    return np.concatenate([low - LINE, high + LINE], axis=1)


def _touching(rects: Points, whole: Points) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    left, top, right, bottom = whole.tolist()
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = (rects[:, 0] < right) & (rects[:, 2] > left)
    found &= (rects[:, 1] < bottom) & (rects[:, 3] > top)
    return found


def _hits(obstacles: Points, rects: Points) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Returns which rectangles overlap an obstacle; empty ones overlap nothing. Shapes: (rects,)."""
    across = (obstacles[:, 0] < rects[:, 2:3]) & (obstacles[:, 2] > rects[:, 0:1])
    down = (obstacles[:, 1] < rects[:, 3:4]) & (obstacles[:, 3] > rects[:, 1:2])
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = (across & down).any(axis=1) & (rects[:, 3] > rects[:, 1])
    return found
