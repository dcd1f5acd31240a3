"""Regions of calls with the same rows: which calls they take, their tiles, and the bytes that each call walks over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.executors.ufunc_loops import Call, Strided, by_element, loop_of
from gradwire.engine.step_compiler.call_list import CallList
from gradwire.engine.step_compiler.fusion import PATIENCE, SMALLEST, WIDEST, Region, Walk, walk_of, with_regions

F8, I8 = np.dtype(np.float64), np.dtype(np.int64)
MANY = SMALLEST


class Calls:
    """Calls between buffers, in order; the names of buffers tell which calls a region has."""

    def __init__(self) -> None:
        self.list, self.names = CallList(make_plan([])), dict[int, str]()

    def new(self, name: str, *shape: int, dtype: np.dtype[Any] = F8) -> Strided:
        made = self.list.new(TensorSpec(shape, dtype))
        self.names[made.buffer] = name
        return made

    def call(self, ufunc: np.ufunc, *operands: Strided, shape: tuple[int, ...] | None = None) -> Strided:
        """Appends a call; its last operand is written. Returns that."""
        loop = loop_of(ufunc, tuple(item.dtype for item in operands))
        assert loop is not None
        made = by_element(loop, operands, operands[-1].shape if shape is None else shape)
        assert made is not None
        self.list.works.append(made)
        return operands[-1]

    def sum(self, ufunc: np.ufunc, x: Strided, total: Strided) -> Strided:
        return self.call(ufunc, total, x, total, shape=x.shape)

    def groups(self) -> list[str]:
        """Returns the names of what each region and each single call writes; a region is in brackets."""
        found = []
        for work in with_regions(self.list):
            if isinstance(work, Region):
                found.append(f"[{' '.join(self.names[call.operands[-1].buffer] for call in work.calls)}]")
            elif isinstance(work, Call) and work.operands[-1].buffer in self.names:
                found.append(self.names[work.operands[-1].buffer])
        return found


def reversed_(item: Strided) -> Strided:
    """Returns the rows of a tensor from the last to the first."""
    end = (item.shape[0] - 1) * item.strides[0]
    return item._replace(offset=item.offset + end, strides=(-item.strides[0], *item.strides[1:]))


def spread(item: Strided, *strides: int, shape: Sequence[int], offset: int = 0) -> Strided:
    return item._replace(shape=tuple(shape), strides=strides, offset=item.offset + offset)


def test_a_walk_has_the_bytes_that_the_first_step_of_each_operand_touches() -> None:
    calls = Calls()
    x, row, y = calls.new("x", 6, 5, dtype=F8), calls.new("row", 5), calls.new("y", 6, 5)
    calls.call(np.add, x, row, y)
    backward = spread(x, 40, -8, shape=(6, 5), offset=32)
    calls.call(np.add, backward, row, y)
    calls.call(np.add, spread(x, 80, 16, shape=(3, 2), offset=8), spread(row, 8, shape=(2,)),
               spread(y, 40, 8, shape=(3, 2)))  # fmt: skip
    calls.call(np.negative, spread(x, 8, shape=(7,), offset=16), spread(y, 16, shape=(7,)))
    cube = calls.new("cube", 2, 3, 4)
    calls.call(np.negative, spread(x, 120, 16, 8, shape=(2, 3, 4)), spread(cube, 96, 32, -8, shape=(2, 3, 4),
               offset=24))  # fmt: skip
    marks, column, bits = (calls.new(name, *shape, dtype=np.dtype(bool)) for name, shape in
                           (("marks", (3, 2)), ("column", (3, 1)), ("bits", (3, 2))))  # fmt: skip
    calls.call(np.logical_and, marks, column, bits)
    assert [walk_of(work) for work in calls.list.works if isinstance(work, Call)] == [
        Walk(6, 30, (40, 0, 40), ((0, 40), (0, 40), (0, 40))),
        Walk(6, 30, (40, 0, 40), ((0, 40), (0, 40), (0, 40))),
        Walk(3, 6, (80, 0, 40), ((8, 32), (0, 16), (0, 16))),
        Walk(7, 7, (8, 16), ((16, 24), (0, 8))),
        Walk(2, 24, (120, 96), ((0, 64), (0, 96))),
        Walk(3, 6, (2, 1, 2), ((0, 2), (0, 1), (0, 2))),
    ]


@pytest.mark.parametrize(
    ("rows", "sizes", "tile", "tiles", "chunk", "chunks"),
    [
        (2048, [2048], 2048, 1, 8, 1),
        (2049, [2049], 2048, 2, 8, 1),
        (4096, [4096], 2048, 2, 8, 1),
        (2048 * 8, [2048 * 8], 2048, 8, 8, 1),
        (2048 * 8 + 1, [2048 * 8 + 1], 2048, 9, 8, 2),
        (2048 * 512, [2048 * 512], 2048, 512, 8, 64),
        (2048 * 513, [2048 * 513], 2048, 513, 9, 57),
        (2048 * 640, [2048 * 640, 5], 2048, 640, 10, 64),
        (100, [100, 100_000, 50], 2, 50, 8, 7),
        (100, [100 * 2048], 1, 100, 8, 13),
        (100, [100 * 5000], 1, 100, 8, 13),
        (100, [100 * 1024], 2, 50, 8, 7),
        (100, [100 * 1025], 1, 100, 8, 13),
    ],
)
def test_a_tile_has_2048_elements_and_there_are_at_most_64_chunks_of_at_least_8_tiles(
    rows: int, sizes: list[int], tile: int, tiles: int, chunk: int, chunks: int
) -> None:
    region = Region((), tuple(Walk(rows, size, (), ()) for size in sizes), rows, {})
    assert (region.tile, region.tiles, region.chunk, region.chunks) == (tile, tiles, chunk, chunks)
    assert region.visits == sum(sizes)


def groups_of_chain(rows: int, columns: int) -> list[str]:
    """Returns the groups of two calls, one behind the other, whose rows are no single axis."""
    calls = Calls()
    x, row = calls.new("x", rows, columns), calls.new("row", columns)
    y = calls.call(np.add, x, row, calls.new("y", rows, columns))
    calls.call(np.multiply, y, row, calls.new("z", rows, columns))
    return calls.groups()


@pytest.mark.parametrize(
    ("rows", "columns", "groups"),
    [
        (MANY // 4 - 1, 4, ["y", "z"]),
        (MANY // 4, 4, ["[y z]"]),
        (MANY // 4 + 1, 4, ["[y z]"]),
        (2, WIDEST, ["[y z]"]),
        (3, WIDEST, ["[y z]"]),
        (3, WIDEST + 1, ["y", "z"]),
    ],
)
def test_regions_begin_with_many_elements_in_rows_that_are_not_too_wide(
    rows: int, columns: int, groups: list[str]
) -> None:
    assert groups_of_chain(rows, columns) == groups


def after_first(rows: int, columns: int) -> tuple[Calls, Strided]:
    """Returns calls that begin with one on rows, and its result."""
    calls = Calls()
    x, row = calls.new("x", rows, columns), calls.new("row", columns)
    return calls, calls.call(np.add, x, row, calls.new("y", rows, columns))


def flat(item: Strided) -> Strided:
    return spread(item, item.dtype.itemsize, shape=(int(np.prod(item.shape)),))


R, C = MANY // 4, 4


def test_calls_on_single_elements_join_rows_of_the_same_elements() -> None:
    for rows, columns in ((R, C), (1000, 20)):
        calls, y = after_first(rows, columns)
        calls.call(np.negative, flat(y), calls.new("z", rows * columns))
        assert calls.groups() == ["[y z]"]
    calls = Calls()
    x, row = calls.new("x", R, C), calls.new("row", C)
    y = calls.call(np.negative, x, calls.new("y", R, C))
    calls.call(np.add, y, row, calls.new("z", R, C))
    assert calls.groups() == ["[y z]"]


def test_calls_with_other_rows_do_not_join() -> None:
    calls, y = after_first(6000, 4)
    calls.call(np.add, spread(y, 48, 8, shape=(4000, 6)), calls.new("other", 6), calls.new("z", 4000, 6))
    assert calls.groups() == ["[y]", "[z]"]
    calls, y = after_first(6000, 4)
    part = spread(y, 32, 8, shape=(6000, 3))
    calls.call(np.add, part, calls.new("other", 3), calls.new("z", 6000, 3))
    assert calls.groups() == ["[y z]"]
    calls, y = after_first(6000, 4)
    calls.call(np.negative, spread(flat(y), 8, shape=(12_000,)), calls.new("z", 12_000))
    assert calls.groups() == ["[y]", "z"]


def test_the_widest_call_of_a_region_decides() -> None:
    for width, groups in ((WIDEST, ["[y z]"]), (WIDEST + 1, ["[y]", "z"])):
        calls, y = after_first(3, 6000)
        row = calls.new("row", width)
        calls.call(np.add, spread(y, 48_000, 0, shape=(3, width)), row, calls.new("z", 3, width))
        assert calls.groups() == groups


@pytest.mark.parametrize(("offset", "groups"), [(0, ["[y z]"]), (8, ["[y]", "[z]"])])
def test_single_elements_have_to_stay_in_their_row(offset: int, groups: list[str]) -> None:
    calls, y = after_first(R, C)
    read = flat(y)._replace(offset=offset)
    calls.call(np.negative, read, calls.new("z", R * C))
    assert calls.groups() == groups


def test_rows_fill_the_buffer_that_is_written() -> None:
    for more, groups in ((0, ["[y z]"]), (1, ["[y]", "z"]), (R, ["[y]", "z"])):
        calls, y = after_first(R, C)
        target = spread(calls.new("z", R * C + more), 32, 8, shape=(R, C))
        calls.call(np.add, y, calls.new("other", C), target)
        assert calls.groups() == groups


@pytest.mark.parametrize(
    ("name", "read", "groups"),
    [
        ("the same rows", lambda y: y, ["[y z]"]),
        ("columns of a row from the last to the first", lambda y: spread(y, 32, -8, shape=(R, C), offset=24),
         ["[y z]"]),
        ("a row that begins late and ends with the next", lambda y: spread(y, 32, 8, shape=(R - 1, C), offset=8),
         ["[y]", "z"]),
        ("rows from the last to the first", reversed_, ["[y]", "[z]"]),
        ("the row behind", lambda y: spread(y, 32, 8, shape=(R - 1, C), offset=32), ["[y]", "z"]),
        ("the first row again and again", lambda y: spread(y, 0, 8, shape=(R, C)), ["[y]", "[z]"]),
        ("every second row", lambda y: spread(y, 64, 8, shape=(R // 2, C)), ["[y]", "z"]),
        ("rows that reach into the next", lambda y: spread(y, 32, 8, shape=(R, C), offset=8), ["[y]", "[z]"]),
        ("rows that reach into the one before", lambda y: spread(y, 32, 8, shape=(R, C), offset=-8), ["[y]", "[z]"]),
        ("rows that lie in each other", lambda y: spread(y, 16, 8, shape=(R, C)), ["[y]", "[z]"]),
    ],
)  # fmt: skip
def test_a_region_takes_calls_that_read_its_results_in_the_same_row_alone(
    name: str, read: Any, groups: list[str]
) -> None:
    calls, y = after_first(R, C)
    part = read(y)
    calls.call(np.add, part, calls.new("other", C), calls.new("z", *part.shape))
    assert calls.groups() == groups


def test_no_row_writes_what_another_row_of_the_region_reads() -> None:
    calls = Calls()
    x, row, other = calls.new("x", R, C), calls.new("row", C), calls.new("other", R, C)
    calls.call(np.add, reversed_(x), row, calls.new("y", R, C))
    calls.call(np.add, other, row, x)
    assert calls.groups() == ["[y]", "[x]"]


@pytest.mark.parametrize(
    ("ufunc", "dtype", "groups"),
    [
        (np.add, F8, ["[y total]", "total"]),
        (np.maximum, F8, ["[y total]", "total"]),
        (np.minimum, F8, ["[y total]", "total"]),
        (np.multiply, F8, ["[y]", "total"]),
        (np.add, I8, ["[y]", "total"]),
    ],
)
def test_floating_point_sums_over_rows_end_a_region(ufunc: np.ufunc, dtype: np.dtype[Any], groups: list[str]) -> None:
    calls = Calls()
    x, row = calls.new("x", R, C, dtype=dtype), calls.new("row", C, dtype=dtype)
    y = calls.call(np.add, x, row, calls.new("y", R, C, dtype=dtype))
    calls.sum(ufunc, y, calls.new("total", C, dtype=dtype))
    assert calls.groups() == groups


def test_a_sum_has_a_part_for_each_chunk_that_begins_with_the_neutral_element() -> None:
    for ufunc, neutral in ((np.add, 0.0), (np.maximum, -np.inf), (np.minimum, np.inf)):
        calls, y = after_first(100_000, 4)
        total = calls.sum(ufunc, y, calls.new("total", C))
        before, region, after = with_regions(calls.list)
        assert isinstance(before, Call) and isinstance(region, Region) and isinstance(after, Call)
        (part,) = region.sums.values()
        assert list(region.sums) == [total.buffer]
        assert before.operands[-1].buffer == part and before.operands[-1].shape == (region.chunks, C)
        np.testing.assert_array_equal(calls.list.contents[before.operands[0].buffer], neutral)
        assert [item.buffer for item in after.operands] == [total.buffer, part, total.buffer]
        assert region.chunks == 25


def test_what_reads_a_sum_comes_after_the_region_and_what_it_does_not_touch_stays_in() -> None:
    calls, y = after_first(R, C)
    total = calls.sum(np.add, y, calls.new("total", C))
    z = calls.call(np.multiply, y, total, calls.new("z", R, C))
    calls.call(np.multiply, y, calls.new("factor", C), calls.new("w", R, C))
    calls.call(np.negative, z, calls.new("n", R, C))
    assert calls.groups() == ["[y total w]", "total", "[z n]"]


def test_a_sum_of_itself_or_of_what_the_region_has_read_or_written_is_not_taken() -> None:
    calls = Calls()
    x, row = calls.new("x", R, C), calls.new("row", C)
    y = calls.call(np.add, x, row, calls.new("y", R, C))
    calls.sum(np.add, y, row)
    assert calls.groups() == ["[y]", "[row]", "row"]


def test_work_that_shares_no_tensor_with_the_first_call_waits_for_its_readers() -> None:
    calls, y = after_first(R, C)
    a, b = calls.new("a", R, C), calls.new("b", C)
    u = calls.call(np.add, a, b, calls.new("u", R, C))
    calls.call(np.negative, y, calls.new("z", R, C))
    calls.call(np.negative, u, calls.new("v", R, C))
    assert calls.groups() == ["[y z]", "[u v]"]
    calls.call(np.add, calls.new("c", R, C), b, calls.new("d", R, C))
    calls.call(np.add, u, y, calls.new("both", R, C))
    assert calls.groups() == ["[y u z v both]", "[d]"]


def test_small_work_that_nothing_waits_for_comes_before_the_region_and_what_waits_after_it() -> None:
    calls, y = after_first(R, C)
    small = calls.call(np.negative, calls.new("a", 3), calls.new("small", 3))
    calls.call(np.negative, spread(y, 8, shape=(3,)), calls.new("late", 3))
    calls.call(np.negative, small, calls.new("more", 3))
    calls.call(np.negative, y, calls.new("z", R, C))
    assert calls.groups() == ["small", "more", "[y z]", "late"]


@pytest.mark.parametrize(("waiting", "is_fused"), [(PATIENCE - 1, True), (PATIENCE, False)])
def test_the_search_skips_so_many_calls_that_wait(waiting: int, is_fused: bool) -> None:
    calls, y = after_first(R, C)
    for _ in range(waiting):
        calls.call(np.negative, spread(y, 8, shape=(3,)), calls.new("late", 3))
    calls.call(np.negative, y, calls.new("z", R, C))
    first, *rest = calls.groups()
    assert (first == "[y z]") is is_fused
    assert rest == ["late"] * waiting + ["[z]"] * (not is_fused)
