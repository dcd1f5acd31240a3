"""Instructions of a plan, number by number, and what of it only Python computes."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.pooling import PlacesOfMaxima
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.executors.ufunc_loops import Loop, loop_of
from gradwire.engine.export.live.laid_plan import LaidPlan
from gradwire.engine.export.live.loops import PlayableRecordings, is_playable, loop_key

A = constant(np.arange(6.0).reshape(2, 3))
B = constant(np.arange(12.0).reshape(3, 4))


def laid(*outputs: Expression) -> LaidPlan:
    plan = make_plan(outputs)
    return LaidPlan(plan, run(plan).values, PlayableRecordings())


def instructions(item: LaidPlan) -> list[tuple[object, ...]]:
    """Returns loop, sizes and strides, count of operands, outer axes and dimensions of each instruction."""
    names = list(dict.fromkeys(item.loops))
    rows = item.rows({key: number for number, key in enumerate(names)})
    found: list[tuple[object, ...]] = []
    for loop, sizes, count, rank, dimensions, *offsets in rows:
        assert isinstance(loop, int) and isinstance(count, int) and len(offsets) == count
        found.append((names[loop][0], sizes, count, rank, dimensions))
    return found


def strided(made: Expression) -> list[tuple[object, ...]]:
    """Returns the instructions of one output, behind which others follow, so that none ends where all do."""
    others = gw.Cumsum(B, axis=0), gw.MatMul(gw.Transpose(B), B)
    found, behind = instructions(laid(made, *others)), instructions(laid(*others))
    return found[: len(found) - len(behind)]


def test_a_loop_over_equal_arrays_has_their_size_and_the_step_of_each_operand() -> None:
    assert strided(A + A) == [("add", (6, 8, 8, 8), 3, 0, 1)]


def test_an_outer_axis_has_its_size_and_steps_before_those_of_the_loop() -> None:
    column = constant(np.array([[1.0], [2.0]]))
    assert strided(A * column) == [("multiply", (2, 24, 8, 24, 3, 8, 0, 8), 3, 1, 1)]


def test_a_product_has_four_sizes_its_outer_steps_and_two_steps_of_each_operand() -> None:
    sizes = (1, 2, 3, 4, 0, 0, 0, 24, 8, 32, 8, 32, 8)
    assert strided(gw.MatMul(A, B)) == [("matmul", sizes, 3, 0, 4)]


def test_a_running_total_has_the_size_and_steps_of_the_axis_it_runs_along() -> None:
    # The first of three columns is copied; two more are added, in one row after the other.
    first, rest = strided(gw.Cumsum(A, axis=1))
    assert first == ("copy_8", (2, 24, 24), 2, 0, 1)
    assert rest == ("add.total", (2, 24, 24, 24, 2, 1, 8, 8, 8), 3, 1, 2)


def test_a_search_along_an_axis_has_its_size_and_step() -> None:
    assert strided(gw.ArgMax(A, axis=1))[-1] == ("argmax_float64", (2, 3, 24, 8, 8), 2, 0, 2)


def test_a_loop_over_windows_has_the_steps_of_windows_and_of_channels() -> None:
    image = constant(np.arange(16.0).reshape(1, 4, 2, 2))
    made = PlacesOfMaxima(image, ksize=(1, 2), strides=(1, 1), padding="VALID", dilations=(1, 1))
    name, sizes, count, rank, dimensions = strided(made)[-1]
    assert str(name).startswith("greatest") and (count, rank, dimensions) == (3, 1, 3)
    assert isinstance(sizes, tuple)
    # Four rows, each one window of two parts with two channels; the results are of int32.
    assert sizes[0] == 4 and sizes[4:7] == (1, 2, 2) and len(sizes) == 4 + 3 + 4
    assert sizes[-2:] == (8, 4)


def test_every_slot_has_its_place_in_the_memory() -> None:
    item = laid(gw.Transpose(A) + constant(np.arange(2.0)))
    a, turned, row, total = (item.view(slot) for slot in range(4))
    assert a[1:] == ((2, 3), (24, 8), "float64")
    # A transposed array is the same one with other steps.
    assert turned == (a[0], (3, 2), (8, 24), "float64")
    assert row[1:3] == ((2,), (8,)) and total[1] == (3, 2)
    assert item.size == len(item.memory)
    held = np.ndarray(a[1], a[3], item.memory, a[0], a[2])
    np.testing.assert_array_equal(held, np.arange(6.0).reshape(2, 3))
    assert sum(item.counts) == len(instructions(item)) and len(item.counts) == 4


@pytest.fixture(name="behind")
def _behind() -> LaidPlan:
    """Slots: 0 is the constant, 1 its exponential, 2 Python's, 3 its sine, 4 what does not depend on Python."""
    e = gw.Exp(A)
    return laid(gw.Sin(gw.Digamma(e)), gw.Cos(e))


def test_only_python_s_numbers_are_frozen_and_what_is_behind_them_depends_on_them(behind: LaidPlan) -> None:
    assert [step.application.type.name for step in behind.called] == ["Digamma"]
    assert behind.frozen == {2}
    assert behind.behind_python == {2, 3}
    assert behind.reached([1]) == {1, 2, 3, 4}
    assert behind.reached([4]) == {4} and behind.reached([]) == frozenset()
    assert behind.freezes({0}) and behind.freezes({2}) and not behind.freezes({3, 4})
    assert behind.counts == [0, 1, 0, 1, 1]


def test_the_memory_has_what_the_run_found_for_python_s_numbers_and_none_for_what_failed() -> None:
    plan = make_plan([gw.Digamma(A + 1.0)])
    values: list[Array | None] = list(run(plan).values)
    for given in (values[-1], None):
        item = LaidPlan(plan, [*values[:-1], given], PlayableRecordings())
        offset, shape, strides, dtype = item.view(len(values) - 1)
        held = np.ndarray(shape, dtype, item.memory, offset, strides)
        np.testing.assert_array_equal(held, np.zeros((2, 3)) if given is None else given)


def test_a_guard_knows_what_depends_on_it() -> None:
    item = laid(gw.Sin(gw.Gather(A, constant(np.array([1, 0])))), gw.Cos(A))
    # Below 0 and beyond the end; slots: A, the index, what is picked, its sine, and the cosine of A.
    assert [reached for _, reached in item.guards] == [{2, 3}] * 2
    assert len({offset for offset, _ in item.guards}) == 2
    assert laid(gw.Sin(A)).guards == [] and laid(gw.Sin(A)).frozen == frozenset()


def loop(name: str, *dtypes: str) -> Loop:
    found = loop_of(getattr(np, name), tuple(map(np.dtype, dtypes)))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("key", "made"),
    [
        (("add", "float64", "float64", "float64"), loop("add", "float64", "float64", "float64")),
        (("cast_int32_float64", "int32", "float64"), "cast_int32_float64"),
        (("copy_8", "uint64", "uint64"), "copy_8"),
        (("choose_1", "bool", "uint8", "uint8", "uint8"), "choose_1"),
        # The table of offsets comes first.
        (("greatest_float32", "int64", "float32", "int32"), "greatest_float32"),
        (("put_8", "int64", "uint64", "int32", "uint64"), "put_8"),
        (("take_4", "uint32", "int64", "uint32"), "take_4"),
    ],
)
def test_a_loop_is_named_with_the_dtypes_of_its_operands(key: tuple[str, ...], made: Loop) -> None:
    assert loop_key(made) == key


def test_running_totals_have_a_name_of_their_own() -> None:
    ufunc, place = loop("add", "float64", "float64", "float64")  # type: ignore[misc]  # a pair
    assert loop_key((ufunc, place, True))[0] == "add.total"
    assert is_playable((ufunc, place, True))


@pytest.mark.parametrize(
    ("made", "is_known"),
    [
        (loop("exp", "float64", "float64"), True),
        (loop("exp", "float32", "float32"), True),
        (loop("exp", "float16", "float16"), False),
        (loop("add", "int64", "int64", "int64"), True),
        (loop("add", "complex128", "complex128", "complex128"), False),
        (loop("power", "float64", "float64", "float64"), True),
        # Integers to a power may need more digits than a page's numbers have.
        (loop("power", "int64", "int64", "int64"), False),
        (loop("logaddexp", "float64", "float64", "float64"), True),
        (loop("less", "bool", "bool", "bool"), True),
        (loop("isnan", "int64", "bool"), True),
        (loop("heaviside", "float64", "float64", "float64"), False),
        (loop("matmul", "float32", "float32", "float32"), True),
        (loop("matmul", "int64", "int64", "int64"), False),
        ("cast_int64_float32", True),
        ("cast_float16_float64", False),
        ("argmax_float64", True),
    ],
)
def test_a_page_runs_what_its_numbers_can_hold(made: Loop, is_known: bool) -> None:
    assert is_playable(made) is is_known


def test_a_function_is_recorded_only_if_a_page_can_run_all_of_it() -> None:
    assert laid(gw.Exp(A)).called == []
    half = constant(np.ones(2, np.float16))
    assert [step.application.type.name for step in laid(gw.Exp(half)).called] == ["Exp"]
