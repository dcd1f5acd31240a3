"""The labels of a page's wires: their texts, and the places at which they stand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.page_arrays import Rows
from gradwire.app.canvas.geometry.routing import Points, segments
from gradwire.app.canvas.painting.annotations import title_rects
from gradwire.app.canvas.painting.labels.label_layout import LabelLayout
from gradwire.app.canvas.painting.labels.labels import PX, SMALLEST, Label, Placed, label_of
from gradwire.app.canvas.painting.layers import drawing_order
from gradwire.app.canvas.painting.look import Level, Look, Overlay


class PageLabels:
    """The labels of one page. Texts and places are kept from one picture to the next."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._layout = LabelLayout()
        self._wires = mirror.wires
        self._texts: dict[int, tuple[int, Label]] = {}
        self._texts_key: object = None

    def update_rows(self) -> bool:
        """Keeps the places of labels when the rows of wires are counted anew; returns whether they were."""
        mirror = self._mirror
        if mirror.wires is self._wires:
            return False
        known = {row: mirror.wire_rows.get(self._wires[row], -1) for row in self._layout.rows}
        self._layout.rename({old: new for old, new in known.items() if new >= 0})
        self._wires, self._texts = mirror.wires, {}
        return True

    def touching(self, area: QRectF) -> Rows:
        """Returns the rows of the wires whose labels touch an area of the scene."""
        return np.array(self._layout.touching(area), np.int64)

    def settle(self, look: Look, wires: Rows, area: QRectF, hidden: frozenset[str]) -> dict[int, Placed]:
        """Finds places for the labels of some wires; returns them by the rows of the wires."""
        if look.level < Level.COMPACT:
            return {}
        found: dict[int, Placed] = {}
        for _ in self.place(look, wires, area, hidden, found, max(len(wires), 1)):
            pass
        return found

    def take_moved(self) -> Points:
        """Returns the areas of the scene in which labels have come or gone since the last call. Shapes: (n, 4)."""
        return np.array(self._layout.take_changes()).reshape(-1, 4)

    def place(
        self, look: Look, wires: Rows, area: QRectF, hidden: frozenset[str], found: dict[int, Placed], at_once: int
    ) -> Iterator[None]:
        """Finds places for the labels of some wires, so many of them a step."""
        mirror = self._mirror
        order = np.array([row for row in reversed(drawing_order(mirror, look, wires)) if row not in mirror.broken], int)
        lines = segments(mirror.points[wires]).reshape(-1, 4)
        scale = label_scale(look.scale)
        key = (look.level, round(scale, 4), look.overlay, look.comparison, mirror.is_curved)
        texts_key = (look.level, look.overlay is Overlay.OFF, look.is_stale, look.comparison)
        if texts_key != self._texts_key:
            self._texts_key, self._texts = texts_key, {}
        obstacles = self._obstacles(look, area, hidden)
        for start in range(0, len(order), at_once):
            rows = order[start : start + at_once]
            found |= self._layout.place(
                key, rows, mirror.points[rows], lambda row: self._label(look, row), obstacles, lines, scale
            )
            yield

    def _obstacles(self, look: Look, area: QRectF, hidden: frozenset[str]) -> Points:
        """Returns the obstacles for labels: blocks, titles of frames, and notes."""
        mirror = self._mirror
        near = mirror.visible_blocks(area, 200)
        if hidden:
            near = near[[mirror.ids[row] not in hidden for row in near.tolist()]]
        rects = mirror.rects[near]
        obstacles = np.concatenate([rects[:, :2] - (8, 5), rects[:, :2] + rects[:, 2:] + (8, 5)], axis=1)
        titles = title_rects(mirror, area, look.scale)
        notes = [(box.left(), box.top(), box.right(), box.bottom()) for box in mirror.notes.values()]
        return np.concatenate([obstacles, np.array([*titles, *notes])]) if titles or notes else obstacles

    def _label(self, look: Look, row: int) -> Label:
        stamp, known = int(self._mirror.wire_stamps[row]), self._texts.get(row)
        if known is not None and known[0] == stamp:
            return known[1]
        session, wire = self._mirror.session, self._mirror.wires[row]
        results = session.results
        other = None
        if look.comparison is not None and results is not None and results.compared is not None:
            other = results.compared.wire(session.link(wire))
        progress = self._mirror.progress
        if progress is not None and wire in progress.without_label:
            return Label("", None)
        has_gradient = look.overlay is not Overlay.OFF and (progress is None or wire in progress.reached)
        found = label_of(session.wire(wire), look.level, has_gradient, look.is_stale, other)
        if known is not None and known[1] == found:
            found = known[1]
        self._texts[row] = (stamp, found)
        return found


def label_scale(scale: float) -> float:
    """Returns how large labels are in the scene: on the screen never below 9.5 px."""
    return max(1.0, SMALLEST / (PX * scale))
