"""What the numbers in an arena are like: read in one go for all that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.places import NONE, PIECE_COLUMNS, Places, first_offsets
from engine.survey import COLUMNS, Survey, as_survey, survey_of
from engine.tensor_spec import Array

# survey(memory, pieces, slots, spans, found): see engine/bound_calls.py.
Look = Callable[[Array, Array, Array, Array, Array], None]


class ArenaSurvey:
    """A survey of all slots of an arena, of which only those are looked at again that were written since."""

    def __init__(self, memory: Array, places: Places, look: Look) -> None:
        self._memory, self._places, self._look = memory, places, look
        self._found = np.empty((0, len(COLUMNS)))
        self._written: dict[int, Array] = {}

    def written(self, slots: Array) -> None:
        """Some slots, each True in `slots`, may hold other numbers than before."""
        self._written[id(slots)] = slots

    def read(self, values: Sequence[Array | None]) -> Survey:
        """A row for each slot; it changes with the next reading."""
        stale = self._stale(len(values))
        spans = np.array(self._places.spans)
        has_gaps = spans[stale] == NONE
        if not np.all(has_gaps):
            self._read_pieces(stale[~has_gaps], spans)
        if np.any(has_gaps):
            others = stale[has_gaps]
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

    def _read_pieces(self, slots: Array, spans: Array) -> None:
        """Looks at the pieces of some slots: each once, though several slots may share it."""
        pieces = np.array(self._places.pieces).reshape(-1, PIECE_COLUMNS)
        mine, reader = spans[slots], np.empty(len(pieces), np.intp)
        reader[mine] = slots
        readers = reader[mine]
        is_reader = readers == slots
        self._look(self._memory, pieces, slots[is_reader], spans, self._found)
        self._found[slots[~is_reader]] = self._found[readers[~is_reader]]


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
