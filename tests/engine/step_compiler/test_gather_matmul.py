"""Products by native loops: which ones, from which elements they read, and the pieces that threads compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.executors.ufunc_loops import Call
from gradwire.engine.step_compiler.call_list import CallList
from gradwire.engine.step_compiler.gather_matmul import PRODUCTS, Split, gather_products, split

ALL = {*PRODUCTS}


def loops_of(a: Any, b: Any, available: set[str] = ALL) -> list[str]:
    """Returns the native loops among the work of a product of two expressions."""
    calls = CallList(make_plan([library["MatMul"](a, b)]))
    gather_products(calls, available, set())
    return [str(work.loop) for work in calls.works if isinstance(work, Call) and work.loop in PRODUCTS]


def filled(*shape: int, dtype: str = "float64") -> Any:
    return constant(np.ones(shape, dtype))


@pytest.mark.parametrize(
    ("rows", "columns", "dtype", "loop"),
    [
        (8, 8, "float64", "product_avx512f_float64"),
        (7, 8, "float64", None),
        (9, 8, "float64", "product_avx512f_float64"),
        (8, 7, "float64", None),
        (8, 12, "float64", None),
        (8, 16, "float64", "product_avx512f_float64"),
        (8, 64, "float64", "product_avx512f_float64"),
        (8, 72, "float64", None),
        (8, 8, "float32", None),
        (8, 16, "float32", "product_avx512f_float32"),
        (8, 128, "float32", "product_avx512f_float32"),
        (8, 144, "float32", None),
    ],
)
def test_native_loops_take_rows_of_whole_registers_that_are_not_long(
    rows: int, columns: int, dtype: str, loop: str | None
) -> None:
    found = loops_of(filled(rows, 5, dtype=dtype), filled(5, columns, dtype=dtype))
    assert found == ([] if loop is None else [loop])


def test_native_loops_take_single_products_of_rows_that_lie_together() -> None:
    assert loops_of(filled(2, 8, 5), filled(5, 8)) == []
    turned = library["Transpose"](filled(8, 5))
    assert loops_of(filled(8, 5), turned) == []
    assert loops_of(library["Transpose"](filled(5, 8)), filled(5, 8)) == ["product_avx512f_float64"]


def test_the_fastest_form_that_the_processor_has_is_taken() -> None:
    for available, loop in (
        ({"product_avx2_float64", "product_avx512f_float32"}, ["product_avx2_float64"]),
        ({"product_avx2_float32"}, []),
        ({"product_avx2_float64", "product_avx512f_float64"}, ["product_avx512f_float64"]),
    ):
        assert loops_of(filled(8, 5), filled(5, 8), available) == loop


def test_a_table_has_the_bytes_from_the_first_element_to_each_row_and_each_column() -> None:
    calls = CallList(make_plan([library["MatMul"](library["Transpose"](filled(5, 8)), filled(5, 8))]))
    gather_products(calls, ALL, set())
    (work,) = (item for item in calls.works if isinstance(item, Call) and item.loop in PRODUCTS)
    table = calls.contents[work.operands[0].buffer]
    np.testing.assert_array_equal(table, [*range(0, 64, 8), *range(0, 320, 64)])
    assert work.sizes == (8, 5, 8, 64, 64)


@pytest.mark.parametrize(
    ("source", "perm", "shape", "is_read_in_place"),
    [
        ((3, 4, 5), (1, 0, 2), (12, 5), True),
        ((3, 10, 5), (1, 0, 2), (10, 15), True),
        ((4, 6, 4), (1, 0, 2), (8, 12), False),
        ((4, 6, 4), (1, 0, 2), (24, 4), True),
    ],
)
def test_a_factor_that_a_copy_gathers_is_read_where_it_was(
    source: tuple[int, ...], perm: tuple[int, ...], shape: tuple[int, int], is_read_in_place: bool
) -> None:
    """Offsets of rows and columns add up to those of the elements; a copy whose offsets do not is read itself."""
    gathered = library["Reshape"](library["Transpose"](filled(*source), perm=list(perm)), shape=list(shape))
    product = library["MatMul"](gathered, filled(shape[1], 8))
    calls = CallList(make_plan([product]))
    gather_products(calls, ALL, set())
    work = calls.works[-1]
    assert isinstance(work, Call) and work.loop in PRODUCTS
    places = np.arange(np.prod(source)).reshape(source)
    expected = places.transpose(perm) if is_read_in_place else places
    rows, columns = np.split(calls.contents[work.operands[0].buffer], [shape[0]])
    np.testing.assert_array_equal(rows[:, None] + columns, 8 * expected.reshape(shape))
    assert len(calls.works) == (1 if is_read_in_place else 2)
    kept = CallList(make_plan([gathered, product]))
    gather_products(kept, ALL, {kept.works[0].operands[-1].buffer} if isinstance(kept.works[0], Call) else set())
    assert len(kept.works) == 2


def native(height: int, inner: int, columns: int, loop: str = "product_avx2_float64") -> tuple[CallList, Call]:
    calls = CallList(make_plan([]))
    table = calls.keep(np.arange(height + inner))
    x, y, out = (calls.new(TensorSpec(shape, np.dtype(float))) for shape in
                 ((height, inner), (inner, columns), (height, columns)))  # fmt: skip
    out = out._replace(offset=16)
    return calls, Call(loop, (table, x, y, out), 0, 3, (height, inner, columns, columns * 8, columns * 8))


@pytest.mark.parametrize(
    ("height", "threads", "rows"),
    [
        (1000, 2, [264, 264, 264, 208]),
        (1000, 1, [504, 496]),
        (960, 2, [240, 240, 240, 240]),
        (961, 2, [264, 264, 264, 169]),
        (959, 2, [240, 240, 240, 239]),
        (1000, 30, [24] * 41 + [16]),
    ],
)
def test_threads_compute_pieces_of_whole_tiles_two_each(height: int, threads: int, rows: list[int]) -> None:
    calls, whole = native(height, 600, 8)
    found = split(whole, calls, threads)
    assert isinstance(found, Split)
    assert [call.sizes for call in found.calls] == [(count, 600, 8, 64, 64) for count in rows]
    first = 0
    for call, count in zip(found.calls, rows, strict=True):
        table, x, y, out = call.operands
        expected = [*range(first, first + count), *range(height, height + 600)]
        np.testing.assert_array_equal(calls.contents[table.buffer], expected)
        assert (x, y) == whole.operands[1:3]
        assert (out.offset, out.shape) == (16 + first * 64, (count, 8))
        first += count


def test_small_products_and_other_work_stay_whole() -> None:
    for height, is_split in ((1024, True), (1023, False), (1025, True)):
        calls, whole = native(height, 512, 8)
        assert isinstance(split(whole, calls, 2), Split) is is_split
    calls, other = native(2048, 512, 8, "copy_8")
    assert split(other, calls, 2) is other
