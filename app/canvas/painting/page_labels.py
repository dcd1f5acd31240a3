"""The labels of a page's wires: their texts, and the places at which they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.routing import Points, Rows, margin, rect_boxes, segments
from gradwire.app.canvas.geometry.view.readable_zoom import least_whole_zoom
from gradwire.app.canvas.painting.annotations import title_rects
from gradwire.app.canvas.painting.labels.block_names import BlockNames
from gradwire.app.canvas.painting.labels.label_layout import MANY as FEW_ENOUGH
from gradwire.app.canvas.painting.labels.label_layout import LabelLayout, Wanted, never
from gradwire.app.canvas.painting.labels.label_places import Surroundings
from gradwire.app.canvas.painting.labels.label_texts import FEW, MANY, label_of
from gradwire.app.canvas.painting.labels.labels import Box, GradientText, Label, Placed
from gradwire.app.canvas.painting.layers import drawing_order
from gradwire.app.canvas.painting.look import Level, Look, Overlay
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Wire

# Where blocks have no texts, a page with more wires has no room for labels.
FEW_WIRES = 250
# A page with more wires that is seen from farther away than it is ever fitted has labels of these gradients only.
ALL_LABELLED, MARKED = 12, (STATUS_ROW[Status.BLOCKED], STATUS_ROW[Status.NONFINITE])
# Where more labels than these find no place there is no room for them, wherever others stand.
FEW_FAILED = 12
# Labels stand so far from blocks, and reach so far over the edge of a page, which is less than it is fitted with.
# Units: px at 100 %.
BLOCK_MARGIN, EDGE = 3.0, 22.0
FAR = 1e9


class InView(NamedTuple):
    """The wires in view in a look, and the area of the scene that this is; `hidden` blocks do not count.

    While something `is_moving`, labels stay near. When it `is_late`, those that stood nowhere wait for the next call.
    """

    look: Look
    wires: Rows
    area: QRectF
    hidden: frozenset[str] = frozenset()
    is_moving: bool = False
    is_late: Callable[[], bool] = never


class PageLabels:
    """The labels of one page, `layout`, and the names of its small blocks, `names`, kept from picture to picture."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self.layout = LabelLayout()
        self.names = BlockNames(mirror)
        self._wires = mirror.wires
        self._texts: dict[int, tuple[int, Label]] = {}
        self._texts_key: object = None
        self._tried: tuple[object, bytes] | None = None
        # The zoom from which on all labels have room, and the geometry for which it was found.
        self._nearest = -1, 0.0

    def update_rows(self) -> None:
        """Keeps the places of labels when the rows of wires are counted anew."""
        mirror = self._mirror
        if mirror.wires is not self._wires:
            known = {row: mirror.wire_rows.get(self._wires[row], -1) for row in self.layout.rows}
            self.layout.rename({old: new for old, new in known.items() if new >= 0})
            self._wires, self._texts = mirror.wires, {}

    def wire_at(self, point: QPointF) -> Wire | None:
        """Returns the wire whose label covers a point of the scene."""
        row = self.layout.at(point.x(), point.y())
        return self._mirror.wires[row] if row is not None and row < len(self._mirror.wires) else None

    def settle(self, seen: InView, is_whole: bool = True) -> dict[int, Placed]:
        """Finds places for the labels of some wires; returns them by the rows of the wires.

        `is_whole` says that these are all wires in view: only then may others give way to a label without a place.
        """
        found: dict[int, Placed] = {}
        for _ in self.place(seen, found, max(len(seen.wires), 1)):
            pass
        may_anew = is_whole and not seen.is_moving and not self.layout.is_unfinished
        anew = self._placed_anew(seen) if may_anew else None
        return found if anew is None else anew

    def _placed_anew(self, seen: InView) -> dict[int, Placed] | None:
        """Returns all labels where they stand now, if those of some wires lacked room before; otherwise None."""
        rows, room = self._ordered(seen.look, seen.wires), self._room(seen.look)
        state = room, rows.tobytes()
        if state == self._tried or len(rows) > FEW_ENOUGH:
            return None
        # For a value alone, labels are not placed anew at every step of a pan.
        is_panned = self._tried is not None and self._tried[0] == room
        lacking = self.layout.failed(rows) if is_panned else len(self.layout.lacking(rows))
        if not 0 < lacking <= FEW_FAILED:
            return None
        self._tried = state
        return self.layout.place_anew(self._wanted(seen, rows, self._around(seen)))

    def take_moved(self) -> Points:
        """Returns the areas of the scene in which texts have come or gone since the last call. Shapes: (n, 4)."""
        return np.array([*self.layout.take_changes(), *self.names.take_changes()]).reshape(-1, 4)

    def place(self, seen: InView, found: dict[int, Placed], at_once: int) -> Iterator[None]:
        """Finds places for the labels of some wires, so many of them a step."""
        look = seen.look
        order = self._ordered(look, seen.wires)
        if not len(order):
            return
        scale = label_scale(look.reading_scale)
        # Labels are placed anew where the numbers of another state come beside them or go; not in each of its rounds.
        results = self._mirror.session.results
        is_compared = results is not None and results.compared is not None
        key = (look.level, round(scale, 4), look.overlay, is_compared, self._mirror.is_curved)
        texts_key = (look.level, look.overlay is Overlay.OFF, look.is_stale, look.comparison)
        if texts_key != self._texts_key:
            self._texts_key, self._texts = texts_key, {}
        around = self._around(seen)
        for start in range(0, len(order), at_once):
            wanted = self._wanted(seen, order[start : start + at_once], around)
            found |= self.layout.place(key, wanted, scale)
            yield

    def _wanted(self, seen: InView, rows: Rows, around: Surroundings) -> Wanted:
        label, room = partial(self._label, seen.look), self._room(seen.look)
        return Wanted(rows, self._mirror.points[rows], label, around, room, seen.is_moving, seen.is_late)

    def _room(self, look: Look) -> object:
        """Returns the state on which it depends which places are free."""
        return self._mirror.geometry, look.reading_scale, look.overlay, look.comparison

    def _ordered(self, look: Look, wires: Rows) -> Rows:
        """Returns the rows of the wires that have labels, the most important first."""
        if look.level < Level.COMPACT and len(self._mirror.wires) > FEW_WIRES:
            return np.zeros(0, np.int64)
        broken, is_blocked = self._mirror.broken, self._mirror.wire_blocked
        if self._is_far(look):
            wires = wires[np.isin(self._mirror.wire_status[wires], MARKED)]
        order = np.array([row for row in reversed(drawing_order(self._mirror, look, wires)) if row not in broken], int)
        if look.comparison is None:
            return order
        # With and without the stops: what they block is what the user looks for.
        return order[np.argsort(~is_blocked[order], kind="stable")]

    def _is_far(self, look: Look) -> bool:
        """Returns whether a page is seen from so far away that most labels would find no room."""
        mirror = self._mirror
        if len(mirror.wires) <= ALL_LABELLED:
            return False
        if self._nearest[0] != mirror.geometry:
            self._nearest = mirror.geometry, least_whole_zoom(mirror)
        return look.reading_scale < self._nearest[1]

    def _around(self, seen: InView) -> Surroundings:
        """Returns what labels must not cover: blocks and their names, titles of frames, notes, and wires."""
        mirror, (look, wires, area, hidden, is_moving, _) = self._mirror, seen
        near = mirror.visible_blocks(area, 200)
        if hidden:
            near = near[[mirror.ids[row] not in hidden for row in near.tolist()]]
        blocks = rect_boxes(mirror.rects[near]) + margin(BLOCK_MARGIN * label_scale(look.reading_scale))
        titles = title_rects(mirror, area, look.reading_scale)
        notes = [box.getCoords() for box in mirror.notes.values()]
        names = [name.rect for name in self.names.place(look, near, is_moving)]
        # Something that is dragged may be anywhere.
        edges = [] if is_moving else _outside(mirror.bounds(), EDGE * label_scale(look.reading_scale))
        others = np.array([*titles, *notes, *names, *edges]).reshape(-1, 4)
        lines = segments(mirror.points[wires]).reshape(-1, 4)
        return Surroundings.of(np.concatenate([blocks, others]), lines)

    def _label(self, look: Look, row: int) -> Label:
        stamp, known = int(self._mirror.wire_stamps[row]), self._texts.get(row)
        if known is not None and known[0] == stamp:
            return known[1]
        session, wire, progress = self._mirror.session, self._mirror.wires[row], self._mirror.progress
        results, other = session.results, None
        if look.comparison is not None and results is not None and results.compared is not None:
            other = results.compared.wire(session.link(wire))
        if progress is not None and wire in progress.without_label:
            return Label("", None)
        has_gradient = look.overlay is not Overlay.OFF and (progress is None or wire in progress.reached)
        count = MANY if look.level is Level.DETAIL else FEW
        found = label_of(session.wire(wire), has_gradient, look.is_stale, other, count)
        if progress is not None and wire == progress.asked:
            found = replace(found, gradient=GradientText("?", Status.FLOW, is_boxed=True))
        if known is not None and known[1] == found:
            found = known[1]
        self._texts[row] = (stamp, found)
        return found


def _outside(page: QRectF, reach: float) -> list[Box]:
    """Returns four rectangles around a page and its margin, which are out of view where the page is fitted."""
    left, top, right, bottom = page.left() - reach, page.top() - reach, page.right() + reach, page.bottom() + reach
    return [(-FAR, -FAR, left, FAR), (right, -FAR, FAR, FAR), (-FAR, -FAR, FAR, top), (-FAR, bottom, FAR, FAR)]


def label_scale(scale: float) -> float:
    """Returns how large labels are in the scene: on the screen never smaller than at 100 %."""
    return max(1.0, 1.0 / scale)
