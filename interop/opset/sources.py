"""Operators that make tensors of numbers: they are computed at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, refuse_large
from gradwire.interop.opset.operators import Numbers, operator

_INT = np.dtype(np.int64)
_SINGLE = np.dtype(np.float32)


@operator("Constant")
def _constant(
    *, value: Array | None = None, value_float: float | None = None, value_floats: list[float] | None = None,
    value_int: int | None = None, value_ints: list[int] | None = None,
) -> Array:  # fmt: skip
    if value is not None:
        return value
    for item, dtype in ((value_float, _SINGLE), (value_floats, _SINGLE), (value_int, _INT), (value_ints, _INT)):
        if item is not None:
            return np.asarray(item, dtype)
    raise ModelRefusal("its value is no tensor of numbers")


@operator("ConstantOfShape")
def _filled(shape: Numbers, *, value: Array | None = None) -> Array:
    number = np.zeros(1, _SINGLE) if value is None else value.reshape(-1)[:1]
    sizes = [int(size) for size in shape]
    if any(size < 0 for size in sizes):
        raise ModelRefusal(f"the shape {sizes} has a negative size")
    refuse_large("ConstantOfShape", sizes, number.dtype)
    return np.full(sizes, number[0], number.dtype)


@operator("Shape")
def _shape(x: Tensor, *, start: int = 0, end: int | None = None) -> Array:
    return np.asarray(x.shape[slice(start, end)], _INT)


@operator("Size")
def _size(x: Tensor) -> Array:
    return np.asarray(math.prod(x.shape), _INT)


@operator("Range")
def _range(start: Numbers, limit: Numbers, delta: Numbers) -> Array:
    first, last, step = (item.flat[0] for item in (start, limit, delta))
    if not step:
        raise ModelRefusal("a range with step 0 has no end")
    count = (float(last) - float(first)) / float(step)
    if not math.isfinite(count):
        raise ModelRefusal("a range without end is no tensor")
    sizes = [max(0, math.ceil(count))]
    refuse_large("Range", sizes, start.dtype)
    found: Array = (first + np.arange(sizes[0], dtype=start.dtype) * step).astype(start.dtype)
    return found


@operator("EyeLike")
def _identity(x: Tensor, *, dtype: np.dtype[Any] | None = None, k: int = 0) -> Array:
    refuse_large("EyeLike", x.shape, _INT)
    rows, columns = x.shape
    return np.eye(rows, columns, k, dtype=dtype or x.dtype)


def _window(size: Numbers, shares: tuple[float, ...], periodic: int, output_datatype: np.dtype[Any] | None) -> Array:
    count = int(size.flat[0])
    refuse_large("A window", [max(0, count)], np.dtype(np.float64))
    angles = 2 * np.pi * np.arange(count) / max(1, count if periodic else count - 1)
    terms = [(-1) ** place * share * np.cos(place * angles) for place, share in enumerate(shares)]
    found: Array = np.sum(terms, axis=0).astype(output_datatype or _SINGLE)
    return found


@operator("HannWindow")
def _hann(size: Numbers, *, periodic: int = 1, output_datatype: np.dtype[Any] | None = None) -> Array:
    return _window(size, (0.5, 0.5), periodic, output_datatype)


@operator("HammingWindow")
def _hamming(size: Numbers, *, periodic: int = 1, output_datatype: np.dtype[Any] | None = None) -> Array:
    return _window(size, (25 / 46, 21 / 46), periodic, output_datatype)


@operator("BlackmanWindow")
def _blackman(size: Numbers, *, periodic: int = 1, output_datatype: np.dtype[Any] | None = None) -> Array:
    return _window(size, (0.42, 0.5, 0.08), periodic, output_datatype)
