"""Bits of integers: the results of Python's own integers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.opset.operators import find

DTYPES = st.sampled_from(("int8", "int16", "int32", "int64", "uint8")).map(np.dtype)
OF_TWO = {"BitwiseAnd": operator.and_, "BitwiseOr": operator.or_, "BitwiseXor": operator.xor}


def called(name: str, *inputs: Array | None, **settings: Any) -> Array:
    found = find(name)
    assert found is not None
    return np.asarray(found(list(inputs), settings, 20, 1))


def integers(dtype: np.dtype[Any]) -> st.SearchStrategy[int]:
    limits = np.iinfo(dtype)
    return st.integers(int(limits.min), int(limits.max))


@pytest.mark.parametrize(("name", "of_python"), OF_TWO.items())
@given(data=st.data(), dtype=DTYPES)
def test_bits_of_two_integers(name: str, of_python: Callable[[int, int], int], data: Any, dtype: np.dtype[Any]) -> None:
    a, b = data.draw(integers(dtype)), data.draw(integers(dtype))
    got = called(name, np.array([[a], [b]], dtype), np.array([a, b], dtype))
    assert got.dtype == dtype
    assert got.tolist() == [[of_python(row, column) for column in (a, b)] for row in (a, b)]


@given(data=st.data(), dtype=DTYPES)
def test_every_bit_is_turned(data: Any, dtype: np.dtype[Any]) -> None:
    a = data.draw(integers(dtype))
    wanted = ~a if dtype.kind == "i" else int(np.iinfo(dtype).max) - a
    assert called("BitwiseNot", np.array([a], dtype)).tolist() == [wanted]


@given(data=st.data(), dtype=DTYPES)
def test_shifted_bits_that_do_not_fit_are_lost(data: Any, dtype: np.dtype[Any]) -> None:
    a, by, width = data.draw(integers(dtype)), data.draw(st.integers(0, 100)), 8 * dtype.itemsize
    right = called("BitShift", np.array([a], dtype), np.array([by], dtype), direction="RIGHT")
    assert right.tolist() == [a >> by]
    left = called("BitShift", np.array([a], dtype), np.array([by], dtype), direction="LEFT")
    assert int(left[0]) % 2**width == (a << by) % 2**width


def test_floats_have_no_bits_here() -> None:
    with pytest.raises(ModelRefusal, match="it reads bits of integers, and these are float32"):
        called("BitwiseNot", np.ones(2, np.float32))
