"""Places of arrays in one piece of memory, by hand: rooms in steps of 64 bytes, views, and elements that repeat."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.memory_layout import NONE, ArrayLayout, MemoryLayout, first_steps, memory_for, rounded
from gradwire.engine.executors.ufunc_loops import Strided

FLOAT = np.dtype(np.float64)


@pytest.mark.parametrize(("size", "expected"), [(0, 0), (1, 64), (63, 64), (64, 64), (65, 128), (128, 128)])
def test_sizes_are_rounded_up(size: int, expected: int) -> None:
    assert rounded(size) == expected


def test_memory_is_aligned_zero_and_has_spare_room() -> None:
    for size, spare in ((0, 1 << 20), (100, 1 << 20), (3 << 20, 3 << 20)):
        memory = memory_for(size)
        assert memory.nbytes == size + spare and memory.ctypes.data % 64 == 0 and not memory[:1000].any()


def test_a_slot_keeps_its_room_while_that_is_large_enough() -> None:
    places = MemoryLayout()
    places.reserve(2)
    places.reserve(1)
    assert list(places.offsets) == list(places.layouts) == list(places.rooms) == [NONE, NONE]
    assert places.take(64) == 0 and places.top == 64
    layout = places.number(ArrayLayout((8,), (8,), FLOAT))
    other = places.number(ArrayLayout((4, 2), (16, 8), FLOAT))
    assert (layout, other, places.number(ArrayLayout((8,), (8,), FLOAT))) == (0, 1, 0)
    assert places.room(0, 64) == 64 and places.top == 128
    assert not places.put(0, 64, layout, 64)
    assert not places.put(0, 64, layout, 64)
    assert places.room(0, 64) == 64 and places.top == 128
    assert places.put(0, 64, other, 64) and places.put(0, 0, other, 64)
    assert places.strided(0) == Strided(0, 0, (4, 2), (16, 8), FLOAT)
    assert places.room(0, 128) == 128 and places.top == 256
    # A view owns nothing, so that nothing can be written there.
    places.put(1, 32, layout, 0)
    assert places.room(1, 0) == 256


def test_kept_arrays_are_written_once_where_elements_repeat() -> None:
    places = MemoryLayout()
    places.reserve(1)
    row = np.arange(3.0)
    offset, layout, size = places.keep(np.broadcast_to(row, (4, 3)))
    assert (offset, size, places.top) == (0, 64, 64)
    assert places.known[layout] == ArrayLayout((4, 3), (0, 8), FLOAT)
    second, whole, size = places.keep(np.arange(10.0).reshape(2, 5).T, 0)
    assert (second, size, places.top) == (64, 128, 192)
    assert places.known[whole] == ArrayLayout((5, 2), (16, 8), FLOAT)
    assert [place.buffer for place, _ in places.filled] == [0, 0]
    memory = memory_for(places.top)
    places.fill(memory)
    assert not places.filled
    assert memory[:24].view(float).tolist() == [0, 1, 2]
    assert memory[64:144].view(float).tolist() == [0, 5, 1, 6, 2, 7, 3, 8, 4, 9]


def test_an_array_with_gaps_is_not_looked_at_in_place() -> None:
    assert ArrayLayout((4,), (8,), FLOAT).look()[::2] == (4, 1)
    assert ArrayLayout((4,), (16,), FLOAT).look() == (NONE, 0, 1)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(()),
        np.zeros(5),
        np.zeros((3, 4)).T,
        np.zeros((2, 3, 4))[:, ::-1],
        np.zeros((4, 0)),
        np.zeros((4, 4))[::2],
    ],
)
@pytest.mark.parametrize("count", [0, 1, 3, 5, 100])
def test_first_elements_lie_where_strides_say(array: Array, count: int) -> None:
    found = first_steps(ArrayLayout(array.shape, array.strides, array.dtype), count)
    cells = list(np.ndindex(array.shape))[:count]
    assert found.tolist() == [sum(np.multiply(cell, array.strides)) // 8 for cell in cells]
