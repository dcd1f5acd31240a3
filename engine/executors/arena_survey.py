"""What the numbers in an arena are like: read in one go for all that changed."""

from __future__ import annotations

from array import array as numbers
from collections.abc import Callable, Sequence

import numpy as np

from engine.places import NONE, Places
from engine.survey import COLUMNS, Survey, as_numbers, as_survey, survey_of
from engine.tensor_spec import Array

# survey(memory, slots, offsets, layouts, looks, found): see engine/bound_calls.py.
Look = Callable[[Array, Array, "numbers[int]", "numbers[int]", "numbers[int]", Array], None]
# From this number of elements on nothing is looked at twice.
_MANY = 4096


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
        stale, places = self._stale(len(values)), self._places
        counts = np.array(places.looks).reshape(-1, 3)[np.array(places.layouts)[stale], 0]
        whole, others = stale[counts != NONE], stale[counts == NONE]
        twins = self._twins(stale[counts >= _MANY].tolist())
        if twins:
            whole = np.setdiff1d(whole, list(twins), assume_unique=True)
        if len(whole):
            self._look(self._memory, whole, places.offsets, places.layouts, places.looks, self._found)
        if len(others):
            self._found[others] = as_numbers(survey_of([values[slot] for slot in others]))
        self._found[list(twins)] = self._found[list(twins.values())]
        return as_survey(self._found)

    def _twins(self, slots: Sequence[int]) -> dict[int, int]:
        """Slots of which another one holds the same elements, and that one."""
        first: dict[tuple[int, ...], int] = {}
        found = {}
        for slot in slots:
            row = 3 * self._places.layouts[slot]
            other = first.setdefault((self._places.offsets[slot], *self._places.looks[row : row + 3]), slot)
            if other != slot:
                found[slot] = other
        return found

    def _stale(self, count: int) -> Array:
        """The slots among `count` that were written since the last time."""
        missing = np.full((count - len(self._found), len(COLUMNS)), np.nan)
        self._found = np.concatenate([self._found, missing]) if len(missing) else self._found
        is_stale = np.zeros(count, bool)
        for slots in self._written.values():
            is_stale[: len(slots)] |= slots
        self._written.clear()
        return np.flatnonzero(is_stale)
