"""The geometry of a page before an edit, to find what the edit has moved."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF

from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.routing import Points, Rows
from gradwire.engine.base.runs_of_equals import starts_of_runs


class GeometryBefore:
    """The geometry of a page as it was before an edit, which changes no array in place."""

    def __init__(self, arrays: PageArrays) -> None:
        self._arrays, self._ids, self._wires = arrays, arrays.ids, arrays.wires
        self._rects, self._points, self._boxes = arrays.rects, arrays.points, arrays.wire_boxes
        self._annotations = arrays.frames, arrays.notes

    @property
    def is_comparable(self) -> bool:
        """Whether the rows still mean the same blocks and wires, and frames and notes are where they were."""
        arrays = self._arrays
        has_same_rows = arrays.ids is self._ids and arrays.wires is self._wires
        return has_same_rows and (arrays.frames, arrays.notes) == self._annotations

    def moved(self) -> tuple[Rows, Rows]:
        """Returns the rows of the blocks and of the wires that are elsewhere now."""
        return _differing(self._rects, self._arrays.rects), _differing(self._points, self._arrays.points)

    def areas(self, blocks: Rows, wires: Rows, seen: QRectF) -> Points:
        """Returns the areas in view where some blocks and wires were drawn."""
        then = PageArrays()
        then.rects, then.points, then.wire_boxes = self._rects, self._points, self._boxes
        return then.areas(blocks, wires, seen)


def _differing(one: Points, other: Points) -> Rows:
    if one is other:
        return np.zeros(0, np.int64)
    # Little differs: looking for it number by number takes a fifth of looking row by row.
    rows: Rows = np.flatnonzero(one != other) // max(one[:1].size, 1)
    return rows[starts_of_runs(rows)]
