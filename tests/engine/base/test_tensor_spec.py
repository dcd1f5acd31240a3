"""Specs of tensors: which values are arrays, how shapes broadcast, and which axes there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.errors import DtypeError, OutOfMemoryError, ShapeError
from gradwire.engine.base.tensor_spec import (
    TENSOR_LIMIT,
    TensorSpec,
    as_array,
    broadcast_axes,
    broadcast_shapes,
    check_fits,
    normalize_axis,
)

F8 = np.dtype(float)


def test_a_spec_knows_its_elements_and_its_name() -> None:
    spec = TensorSpec((2, 3, 4), np.dtype("float32"))
    assert (spec.ndim, spec.size, spec.is_differentiable, str(spec)) == (3, 24, True, "float32[2, 3, 4]")
    whole = TensorSpec((), np.dtype("int64"))
    assert (whole.ndim, whole.size, whole.is_differentiable, str(whole)) == (0, 1, False, "int64[]")


@pytest.mark.parametrize(("size", "fits"), [(TENSOR_LIMIT // 8, True), (TENSOR_LIMIT // 8 + 1, False)])
def test_a_tensor_has_two_gibibytes_at_most(size: int, fits: bool) -> None:
    if fits:
        check_fits((size,), F8)
        check_fits((2 * size,), np.dtype("float32"))
        return
    with pytest.raises(OutOfMemoryError, match=r"float64\[268435457\] would take more than 2,048 MiB"):
        check_fits((size,), F8)


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (1, None, "float64"),
        (True, None, "bool"),
        ([1, 2], None, "float64"),
        ([True, 1], None, "float64"),
        ([], None, "float64"),
        (np.int32(1), None, "int32"),
        (np.zeros(2, ">f4"), None, "float32"),
        (np.zeros(2, np.uint8), "float32", "uint8"),
        (1, "float32", "float32"),
        (1.5, "float16", "float16"),
        (2.0, "int64", "int64"),
        ([1, 2], "int8", "int8"),
        (True, "float32", "float32"),
        (2.5, "int64", None),
        (300, "int8", None),
        (2, "bool", None),
        (1, "bool", "bool"),
        (1j, None, None),
        ("1", None, None),
        (["1"], None, None),
        ([1, ["x"]], None, None),
        ([[b"1"]], None, None),
        ([[1], [2, 3]], None, None),
        (np.zeros(2, complex), None, None),
        (np.zeros(2, np.uint16), None, None),
        (None, None, None),
        ([10**400], None, None),
    ],
)
def test_numbers_become_floats_unless_another_dtype_holds_them(value: Any, dtype: Any, expected: str | None) -> None:
    wanted = None if dtype is None else np.dtype(dtype)
    if expected is None:
        with pytest.raises(DtypeError):
            as_array(value, wanted)
        return
    found = as_array(value, wanted)
    assert found.dtype.name == expected
    np.testing.assert_array_equal(found, value)


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        ([], ()),
        ([()], ()),
        ([(2, 3)], (2, 3)),
        ([(2, 3), (2, 3), (2, 3)], (2, 3)),
        ([(2, 3), (3,)], (2, 3)),
        ([(2, 1), (1, 3)], (2, 3)),
        ([(3,), (2, 1), ()], (2, 3)),
        ([(1,), (0,)], (0,)),
        ([(2, 3), (2, 3), (2, 1, 1)], (2, 2, 3)),
        ([(2, 3), (2,)], None),
        ([(2,), (2,), (3,)], None),
        ([(0,), (2,)], None),
    ],
)
def test_shapes_broadcast_from_the_last_axis(shapes: list[Any], expected: Any) -> None:
    if expected is None:
        with pytest.raises(ShapeError, match="do not broadcast"):
            broadcast_shapes(shapes)
    else:
        assert broadcast_shapes(iter(shapes)) == expected


@pytest.mark.parametrize(
    ("small", "large", "axes"),
    [
        ((), (2, 3), (0, 1)),
        ((3,), (2, 3), (0,)),
        ((1,), (2, 3), (0, 1)),
        ((2, 1), (2, 3), (1,)),
        ((2, 3), (2, 3), ()),
        ((1, 1), (1, 3), (1,)),
        ((1, 3, 1), (4, 2, 3, 5), (0, 1, 3)),
        ((1,), (0,), (0,)),
    ],
)
def test_broadcasting_repeats_along_axes(small: Any, large: Any, axes: Any) -> None:
    assert broadcast_axes(small, large) == axes


@pytest.mark.parametrize(("axis", "found"), [(0, 0), (2, 2), (3, None), (-1, 2), (-3, 0), (-4, None)])
def test_axes_are_counted_from_either_end(axis: int, found: int | None) -> None:
    if found is None:
        with pytest.raises(ShapeError, match=f"axis {axis} is out of range for a tensor of rank 3"):
            normalize_axis(axis, 3)
    else:
        assert normalize_axis(axis, 3) == found


def test_lists_in_themselves_are_refused() -> None:
    endless: list[Any] = [1.0]
    endless.append(endless)
    with pytest.raises(DtypeError):
        as_array(endless)
    deep: Any = "a"
    for _ in range(60):
        deep = [deep]
    with pytest.raises(DtypeError, match="text values are not supported"):
        as_array(deep)


def test_a_fraction_becomes_the_nearest_one_that_a_float_holds() -> None:
    assert as_array(0.1, np.dtype("float32")) == np.float32(0.1)
    assert as_array([0.1, 0.2], np.dtype("float16")).tolist() == np.array([0.1, 0.2], np.float16).tolist()
