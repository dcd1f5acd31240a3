"""The blocks and wires that an edit has moved on a page, found from its geometry before."""

from __future__ import annotations

import numpy as np

from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.routing import Points, Rows
from gradwire.engine.base.runs_of_equals import starts_of_runs


def moved_rows(before: PageArrays, now: PageArrays) -> tuple[Rows, Rows] | None:
    """Returns the rows of the blocks and of the wires that are elsewhere after an edit; it changes no array in place.

    None where rows mean other blocks or wires than `before`, or frames and notes are elsewhere.
    """
    has_same_rows = now.ids is before.ids and now.wires is before.wires
    if not has_same_rows or (now.frames, now.notes) != (before.frames, before.notes):
        return None
    return _differing(before.rects, now.rects), _differing(before.points, now.points)


def _differing(one: Points, other: Points) -> Rows:
    if one is other:
        return np.zeros(0, np.int64)
    # Little differs: looking for it number by number takes a fifth of looking row by row.
    rows: Rows = np.flatnonzero(one != other) // max(one[:1].size, 1)
    return rows[starts_of_runs(rows)]
