"""The places of the wires' labels: no two overlap, none lies on a block or a wire, and they stay where they are."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.curves import is_curve
from gradwire.app.canvas.geometry.routing import CORNERS, Points, Rows, distances
from gradwire.app.canvas.painting.labels.label_places import Surroundings, find_place, hits
from gradwire.app.canvas.painting.labels.labels import Box, Form, Label, Placed, Pose

NOWHERE = (np.inf, np.inf, -np.inf, -np.inf)
# So often all labels are placed anew, those first that found no place, and so many at most.
ROUNDS, MANY = 3, 80


def never() -> bool:
    """Returns that it is not late: all labels are placed at once."""
    return False


class Wanted(NamedTuple):
    """Labels to be placed: the rows of their wires, the most important first, with the points and the texts of these.

    `around` is what must not be covered. A label that found no place is looked at again when `room` changes. While
    something `is_moving`, labels may stand on wires, and only the nearest places are looked at. When it `is_late`,
    labels that stood nowhere wait for the next call; the layout is unfinished until then.
    Shapes: `points` (wires, k, 2).
    """

    rows: Rows
    points: Points
    label: Callable[[int], Label]
    around: Surroundings
    room: Hashable = None
    is_moving: bool = False
    is_late: Callable[[], bool] = never


class LabelLayout:
    """The places of wires' labels, by the wires' rows, kept while values change and blocks move."""

    def __init__(self) -> None:
        self._key: object = None
        self._scale = 1.0
        self._kept: dict[int, Placed] = {}
        self._anchors: Points = np.zeros((0, CORNERS, 2))
        self._taken: Points = np.zeros((0, 2, 4))
        self._changes: list[Box] = []
        # The labels without a place, and the room that there was when none was found.
        self._failed: dict[int, Hashable] = {}
        self._room = object()
        self._checked: Hashable = None
        # Whether labels still wait for a search.
        self.is_unfinished = False

    def place(self, key: object, wanted: Wanted, scale: float) -> dict[int, Placed]:
        """Places the labels of some wires, the most important wire first.

        While `key` is the same, places are kept; a label moves with its wire. `scale` is how large labels are in the
        scene.
        """
        rows, points, label, around, room, is_moving, is_late = wanted
        if key != self._key:
            self._key, self._scale = key, scale
            self._forget_all(points)
        self._make_room(int(rows.max(initial=-1)) + 1)
        self._follow(rows, points)
        self._give_way(rows, around.rects)
        # A label may meet a wire that has come into view.
        checked = room, len(rows), len(around.lines)
        if checked != self._checked and not is_moving and not is_curve(points):
            self._give_way(rows, around.outlines)
            self._checked = checked
        found, waiting = self._sorted_out(rows.tolist(), label)
        corners = dict(zip(rows.tolist(), points, strict=True))
        self.is_unfinished = False
        for row, text, form in waiting:
            if form is None and is_late():
                self.is_unfinished = True
            else:
                found |= self._find(wanted, row, text, form or Form.WHOLE, corners[row])
        return found

    def place_anew(self, wanted: Wanted) -> dict[int, Placed]:
        """Places all labels once more, those first that found little room or none, and keeps the best round.

        That is the one with most labels, and among those the one with most values.
        """
        rows, points, label = wanted[:3]
        corners = dict(zip(rows.tolist(), points, strict=True))
        first: list[int] = []
        best = {row: place for row, place in self._kept.items() if row in corners}
        lacking = self.lacking(rows)
        found: dict[int, Placed] = {}
        # For a value alone one round is enough: a drop must not wait for more.
        for _ in range(ROUNDS if self.failed(rows) else 1):
            first = [*lacking, *(row for row in first if row not in lacking)]
            ahead = set(first)
            self._forget_all(points)
            self._make_room(int(rows.max(initial=-1)) + 1)
            found = {}
            for row in [*first, *(row for row in rows.tolist() if row not in ahead)]:
                found |= self._find(wanted, row, label(row), Form.WHOLE, corners[row])
            if _worth(found) > _worth(best):
                best = found
            lacking = self.lacking(rows)
            if not lacking:
                break
        if best is not found:
            self._restore(best, corners, wanted)
        return best

    def failed(self, rows: Rows) -> int:
        """Returns how many labels of some wires found no place."""
        return len(self._failed.keys() & set(rows.tolist()))

    def lacking(self, rows: Rows) -> list[int]:
        """Returns the rows of wires whose labels found no place, or none for their value."""
        return [row for row in rows.tolist() if row in self._failed or _is_squeezed(self._kept.get(row))]

    def rename(self, rows: dict[int, int]) -> None:
        """Takes over the new rows of wires; those that are not mentioned are gone."""
        kept, anchors, taken = self._kept, self._anchors, self._taken
        self._kept, self._anchors, self._taken, self._failed = {}, anchors[:0], taken[:0], {}
        self._make_room(max(rows.values(), default=-1) + 1)
        for old, new in rows.items():
            if old in kept:
                self._kept[new], self._anchors[new], self._taken[new] = kept[old], anchors[old], taken[old]

    @property
    def rows(self) -> list[int]:
        """The rows of the wires whose labels have a place."""
        return list(self._kept)

    def touching(self, area: QRectF) -> list[int]:
        """Returns the rows of the wires whose labels, or leaders, touch an area of the scene."""
        box = np.array([area.getCoords()])
        found = np.flatnonzero(hits(box, self._taken[:, 0]) | hits(box, self._taken[:, 1])).tolist()
        leaders = [row for row, place in self._kept.items() if place.pose is Pose.LEADER]
        rects = np.array([self._kept[row].rect(self._scale) for row in leaders]).reshape(-1, 4)
        return sorted({*found, *np.array(leaders, np.int64)[hits(box, rects)].tolist()})

    def at(self, x: float, y: float) -> int | None:
        """Returns the row of the wire whose label covers a point of the scene."""
        point = np.array([[x, y, x + 1e-6, y + 1e-6]])
        for row, place in self._kept.items():
            if hits(np.array(place.rects(self._scale)), point).any():
                return row
        return None

    def take_changes(self) -> list[Box]:
        """Returns the areas in which labels have come or gone since the last call, as left, top, right, bottom."""
        changes, self._changes = self._changes, []
        return changes

    # Places

    def _find(self, wanted: Wanted, row: int, text: Label, form: Form, points: Points) -> dict[int, Placed]:
        """Finds a place for one label; returns it by its row, or nothing if there is none."""
        state = wanted.room, self._room, text.widths(Form.NUMBER)
        if (not text.value and text.gradient is None) or self._failed.get(row) == state:
            return {}
        others = wanted.around.with_rects(self._taken.reshape(-1, 4))
        place = find_place(others, points, text, form, self._scale, wanted.is_moving)
        if place is None:
            self._failed[row] = state
            return {}
        self._failed.pop(row, None)
        self._keep(row, place, points)
        return {row: place}

    def _restore(self, places: dict[int, Placed], corners: dict[int, Points], wanted: Wanted) -> None:
        self._forget_all(wanted.points)
        self._make_room(int(wanted.rows.max(initial=-1)) + 1)
        for row, place in places.items():
            self._keep(row, place, corners[row])
        for row in wanted.rows.tolist():
            if row not in places:
                self._failed[row] = wanted.room, self._room, wanted.label(row).widths(Form.NUMBER)

    def _forget_all(self, points: Points) -> None:
        for place in self._kept.values():
            self._changes.append(place.rect(self._scale))
        self._kept, self._failed = {}, {}
        self._anchors, self._taken = np.zeros((0, *points.shape[1:])), np.zeros((0, 2, 4))

    def _make_room(self, count: int) -> None:
        missing = count - len(self._taken)
        if missing > 0:
            self._taken = np.concatenate([self._taken, np.tile(NOWHERE, (missing, 2, 1))])
            self._anchors = np.concatenate([self._anchors, np.zeros((missing, *self._anchors.shape[1:]))])

    def _keep(self, row: int, place: Placed, points: Points) -> None:
        self._kept[row], self._anchors[row] = place, points
        self._taken[row] = NOWHERE
        rects = place.rects(self._scale)
        self._taken[row, : len(rects)] = rects
        self._changes.append(place.rect(self._scale))

    def _forget(self, row: int) -> None:
        place = self._kept.pop(row, None)
        if place is not None:
            self._taken[row] = NOWHERE
            self._room = object()
            self._changes.append(place.rect(self._scale))

    def _follow(self, rows: Rows, points: Points) -> None:
        """Labels of wires that only moved as a whole move along; others stay if their wires still run there."""
        moved = points - self._anchors[rows]
        changed = np.flatnonzero(np.abs(moved).max(axis=(1, 2), initial=0) > 1e-9)
        bent = np.ptp(moved[changed], axis=1).max(axis=1, initial=0) > 1e-6
        for index, is_bent in zip(changed.tolist(), bent.tolist(), strict=True):
            row = int(rows[index])
            place = self._kept.get(row)
            self._forget(row)
            if is_bent and place is not None and distances(points[[index]], place.x, place.y)[0] > 0.5:
                place = None
            if place is not None:
                dx, dy = (0.0, 0.0) if is_bent else moved[index, 0].tolist()
                place = place._replace(x=place.x + dx, y=place.y + dy)
                if not hits(self._taken.reshape(-1, 4), np.array(place.rects(self._scale))).any():
                    self._keep(row, place, points[index])

    def _give_way(self, rows: Rows, obstacles: Points) -> None:
        """Labels on which a block or a wire has come to stand are given up."""
        covered = hits(obstacles, self._taken[rows, 0]) | hits(obstacles, self._taken[rows, 1])
        for row in rows[covered].tolist():
            self._forget(row)

    def _sorted_out(
        self, rows: list[int], label: Callable[[int], Label]
    ) -> tuple[dict[int, Placed], list[tuple[int, Label, Form | None]]]:
        """Returns the labels with a place, and those that wait for one with the longest form that they may take.

        The form is None where a label stood nowhere.
        """
        found: dict[int, Placed] = {}
        waiting = list[tuple[int, Label, Form | None]]()
        for row in rows:
            text, known = label(row), self._kept.get(row)
            if known is not None and known.label is text:
                found[row] = known
            elif known is not None and _fits(text, known):
                found[row] = self._kept[row] = known._replace(label=text)
                self._changes.append(known.rect(self._scale))
            else:
                # A label once shortened stays short until something moves: it must not flicker.
                self._forget(row)
                waiting.append((row, text, known.form if known is not None else None))
        return found, waiting


def _is_squeezed(place: Placed | None) -> bool:
    """Returns whether a value gave way to its gradient."""
    return place is not None and place.form is Form.NUMBER and bool(place.label.value and place.label.gradient)


def _worth(places: dict[int, Placed]) -> tuple[int, int]:
    return len(places), sum(not _is_squeezed(place) for place in places.values())


def _fits(text: Label, known: Placed) -> bool:
    """Returns whether a text needs no more room than the one whose place it would take."""
    (value, gradient), (above, below) = text.widths(known.form), known.widths
    return bool(value) == bool(above) and bool(gradient) == bool(below) and value <= above and gradient <= below
