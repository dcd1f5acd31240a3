"""Statistics of all arrays in an arena, updated in one pass for the arrays that changed."""

from __future__ import annotations

from array import array as numbers
from collections.abc import Callable, Sequence

import numpy as np

from gradwire.engine.base.array_statistics import COLUMNS, Survey, as_numbers, as_survey, survey_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.memory_layout import NONE, MemoryLayout

# Signature: survey(memory, slots, offsets, layouts, looks, found); see engine/executors/numpy_program.py.
Look = Callable[[Array, Array, "numbers[int]", "numbers[int]", "numbers[int]", Array], None]
# Arrays with at least this many elements are read once even if several slots share them.
_MANY = 4096


class ArenaSurvey:
    """Statistics of all slots of an arena; a new reading looks only at the slots written since the last one."""

    def __init__(self, memory: Array, places: MemoryLayout, look: Look) -> None:
        self._memory, self._places, self._look = memory, places, look
        self._found = np.empty((0, len(COLUMNS)))
        self._written: dict[int, Array] = {}

    def written(self, slots: Array) -> None:
        """Marks slots as stale: the numbers may have changed wherever `slots` is True."""
        self._written[id(slots)] = slots

    def read(self, values: Sequence[Array | None]) -> Survey:
        """Returns one row per slot; the next reading overwrites the rows."""
        stale, places = self._stale(len(values)), self._places
        counts = np.array(places.looks).reshape(-1, 3)[np.array(places.layouts)[stale], 0]
        whole, others = stale[counts != NONE], stale[counts == NONE]
        duplicates = self._duplicates(stale[counts >= _MANY].tolist())
        if duplicates:
            whole = np.setdiff1d(whole, list(duplicates), assume_unique=True)
        if len(whole):
            self._look(self._memory, whole, places.offsets, places.layouts, places.looks, self._found)
        if len(others):
            self._found[others] = as_numbers(survey_of([values[slot] for slot in others]))
        self._found[list(duplicates)] = self._found[list(duplicates.values())]
        return as_survey(self._found)

    def _duplicates(self, slots: Sequence[int]) -> dict[int, int]:
        """Maps slots to other slots that hold the same elements."""
        first: dict[tuple[int, ...], int] = {}
        found = {}
        for slot in slots:
            row = 3 * self._places.layouts[slot]
            other = first.setdefault((self._places.offsets[slot], *self._places.looks[row : row + 3]), slot)
            if other != slot:
                found[slot] = other
        return found

    def _stale(self, count: int) -> Array:
        """Returns those of the first `count` slots that were written since the last reading."""
        missing = np.full((count - len(self._found), len(COLUMNS)), np.nan)
        self._found = np.concatenate([self._found, missing]) if len(missing) else self._found
        is_stale = np.zeros(count, bool)
        for slots in self._written.values():
            is_stale[: len(slots)] |= slots
        self._written.clear()
        return np.flatnonzero(is_stale)
