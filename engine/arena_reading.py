"""What the numbers in an arena are like: read in one go for all that changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.places import NONE, Places, first_offsets
from engine.survey import COLUMNS, Survey, as_survey, survey_of
from engine.tensor_spec import Array

# survey(memory, spans, rows): writes a row of numbers for each span.
SpanSurvey = Callable[[Array, Array, Array], None]


class ArenaSurvey:
    """A survey of all slots of an arena, of which only those are looked at again that were written since.

    Most hold their elements in one piece, as do all in a row: their numbers need no regard to their order.
    """

    def __init__(self, memory: Array, places: Places, look: SpanSurvey) -> None:
        self._memory, self._places, self._look = memory, places, look
        self._found, self._repeats = np.empty((0, len(COLUMNS))), np.empty((0, len(COLUMNS)))
        self._written: dict[int, Array] = {}

    def written(self, slots: Array) -> None:
        """Some slots, each True in `slots`, may hold other numbers than before."""
        self._written[id(slots)] = slots

    def read(self, values: Sequence[Array | None]) -> Survey:
        """A row for each slot; it changes with the next run."""
        stale = self._stale(len(values))
        spans = np.array(self._places.spans)[stale]
        whole, others = stale[spans != NONE], stale[spans == NONE].tolist()
        if len(whole):
            self._found[whole] = self._rows(spans[spans != NONE]) * self._times()[np.array(self._places.layouts)[whole]]
        if others:
            self._found[others] = survey_of([values[slot] for slot in others]).view(float).reshape(-1, len(COLUMNS))
        return as_survey(self._found)

    def _stale(self, count: int) -> Array:
        """The slots among `count` that were written since the last time."""
        missing = np.full((count - len(self._found), len(COLUMNS)), np.nan)
        self._found = np.concatenate([self._found, missing]) if len(missing) else self._found
        is_stale = np.zeros(count, bool)
        for slots in self._written.values():
            is_stale[: len(slots)] |= slots
        self._written.clear()
        return np.flatnonzero(is_stale)

    def _rows(self, spans: Array) -> Array:
        """The numbers of some pieces of memory, each looked at once."""
        pieces = np.array(self._places.pieces).reshape(-1, 3)
        is_asked = np.zeros(len(pieces), bool)
        is_asked[spans] = True
        rows = np.empty((np.count_nonzero(is_asked), len(COLUMNS)))
        self._look(self._memory, pieces[is_asked], rows)
        found: Array = rows[(np.cumsum(is_asked) - 1)[spans]]
        return found

    def _times(self) -> Array:
        """For each layout by what its numbers are multiplied, since its elements may stand for several."""
        known = self._places.known[len(self._repeats) :]
        times = np.ones((len(known), len(COLUMNS)))
        for row, layout in enumerate(known):
            span = layout.span()
            repeats = math.prod(layout.shape) / span[0] if span is not None else 1.0
            for name, factor in {"nan": repeats, "infinite": repeats, "total": repeats, "norm": repeats**0.5}.items():
                times[row, COLUMNS.index(name)] = factor
        self._repeats = np.concatenate([self._repeats, times])
        return self._repeats


class Heads:
    """The first elements of some arrays in an arena, to be read all at once."""

    def __init__(self, memory: Array, places: Places, slots: Sequence[int], count: int) -> None:
        self._shape = (len(slots), count)
        self._groups = []
        wanted = np.array(slots, np.intp)
        starts, layouts = np.array(places.offsets)[wanted], np.array(places.layouts)[wanted]
        for number in np.unique(layouts).tolist():
            layout, rows = places.known[number], np.flatnonzero(layouts == number)
            size = layout.dtype.itemsize
            whole = memory[: len(memory) // size * size].view(layout.dtype)
            columns = first_offsets(layout, count)
            offsets = starts[rows][:, None] // size + columns
            self._groups.append((whole, rows[:, None], np.arange(len(columns)), offsets))

    def read(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """A row for each array, filled up with zeros."""
        found = np.zeros(self._shape)
        for whole, rows, columns, offsets in self._groups:
            found[rows, columns] = whole[offsets]
        return found
