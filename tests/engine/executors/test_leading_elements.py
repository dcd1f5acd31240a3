"""First elements of arrays in one piece of memory, in any layout."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.executors.leading_elements import LeadingElements, Runs
from gradwire.engine.executors.memory_layout import ArrayLayout, MemoryLayout
from gradwire.engine.executors.ufunc_loops import Strided

COUNT = 4
MEMORY = np.arange(64.0).view(np.uint8)
DOUBLE, SINGLE = np.dtype(np.float64), np.dtype(np.float32)
PLACES = {
    "long": Strided(0, 24, (6,), (8,), DOUBLE),
    "short": Strided(0, 80, (2,), (8,), DOUBLE),
    "backwards": Strided(0, 120, (2, 3), (8, 16), DOUBLE),
    "repeated": Strided(0, 16, (9,), (0,), DOUBLE),
    "single": Strided(0, 8, (5,), (4,), SINGLE),
    "last": Strided(0, 60 * 8, (4,), (8,), DOUBLE),
    "empty": Strided(0, 0, (0,), (8,), DOUBLE),
}


def array_at(place: Strided) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.ndarray(place.shape, place.dtype, MEMORY.data, place.offset, place.strides)


@pytest.mark.parametrize("name", PLACES)
def test_a_row_has_the_first_elements_and_keeps_the_rest(name: str) -> None:
    places = MemoryLayout()
    places.reserve(len(PLACES))
    for slot, place in enumerate(PLACES.values()):
        places.put(slot, place.offset, places.number(ArrayLayout(place.shape, place.strides, place.dtype)), 0)
    target, rows = np.full((9, COUNT), -1.0), np.arange(len(PLACES)) + 2
    LeadingElements(MEMORY, places, range(len(PLACES)), COUNT).write(target, rows)
    first = array_at(PLACES[name]).reshape(-1)[:COUNT]
    row = target[list(PLACES).index(name) + 2]
    np.testing.assert_array_equal(row, [*first, *[-1.0] * (COUNT - len(first))])
    assert (target[:2] == -1).all()


def test_runs_are_read_as_they_are_now() -> None:
    memory = np.arange(32.0, dtype=np.float32)
    runs = Runs(memory.view(np.uint8), SINGLE, [8, 64], 3)
    memory *= 2
    assert runs.read().tolist() == [[4, 6, 8], [32, 34, 36]]
