"""Discrete Fourier transforms: products with matrices of cosines and sines; complex numbers are a last axis of two."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.shapes import reshaped, swapped
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, axis_of, cast, made, refuse_large
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import Numbers, operator

_DOUBLE: Final = np.dtype(np.float64)


def _item(x: Numbers) -> int:
    return int(x.flat[0])


def _matrix(size: int, parts: int, length: int, is_inverse: bool, is_onesided: bool) -> Array:
    """Returns the transform of numbers of one or two parts; an inverse one is not divided by the length yet.

    Numbers beyond the length count nothing, and missing ones are zeros. Shape: (size x parts, frequencies x parts).
    """
    is_real = is_inverse and is_onesided
    count = length // 2 + 1 if is_onesided and not is_inverse else length
    # Several arrays of that size are made on the way.
    refuse_large("DFT", [4, size, parts, count, 2], _DOUBLE)
    rows, columns = np.arange(size)[:, None], np.arange(count)
    angles = 2 * np.pi / length * (rows * columns % length)
    # A half of the frequencies stands for both, but for the first and the middle one.
    known = length // 2 + 1 if is_real else length
    shares = np.where(rows < known, np.where(is_real & (2 * rows % length != 0), 2.0, 1.0), 0.0)
    cosines, sines = shares * np.cos(angles), shares * np.sin(angles) * (1 if is_inverse else -1)
    whole = np.stack([np.stack([cosines, sines], -1), np.stack([-sines, cosines], -1)], axis=1)
    found: Array = whole[:, :parts, :, : 1 if is_real else 2]
    return found.reshape(size * parts, -1)


def _transformed(x: Tensor, axis: int, length: int | None, is_inverse: bool, is_onesided: bool) -> Tensor:
    size, parts = x.shape[axis], x.shape[-1]
    is_real = is_inverse and is_onesided
    if axis == x.ndim - 1 or parts not in (1, 2):
        raise ModelRefusal("the last axis of its input holds real and imaginary parts, so it has a length of 1 or 2")
    if is_onesided and not is_inverse and parts == 2:
        raise ModelRefusal("one side of the frequencies is all of them for real numbers only, and these are complex")
    count = length if length is not None else 2 * (size - 1) if is_real else size
    if count < 1:
        raise ModelRefusal(f"a transform of length {count} has no frequencies")
    turned = swapped(x, axis, -2)
    lead = list(turned.shape[:-2])
    matrix = _matrix(size, parts, count, is_inverse, is_onesided)
    # In float64, since rounding grows with the length here, and hardly does in a fast transform.
    rows = made("MatMul", cast(reshaped(turned, [math.prod(lead), size * parts]), _DOUBLE), matrix)
    if is_inverse:
        rows = made("Divide", rows, number(count, rows))
    found = reshaped(cast(rows, np.dtype(x.dtype)), [*lead, -1, 1 if is_real else 2])
    return swapped(found, axis, -2)


@operator("DFT")
def _dft(
    x: Tensor, length: Numbers | None = None, place: Numbers | None = None, *, axis: int = 1, inverse: int = 0,
    onesided: int = 0, opset: int,
) -> Tensor:  # fmt: skip
    if opset >= 20:
        axis = -2 if place is None else _item(place)
    count = None if length is None else _item(length)
    return _transformed(x, axis_of(axis, x), count, bool(inverse), bool(onesided))


@operator("STFT")
def _short_time(
    x: Tensor, step: Numbers, window: Tensor | None = None, length: Numbers | None = None, *, onesided: int = 1
) -> Tensor:
    if x.ndim == 2:
        # Real numbers may come without the axis for their parts.
        x = reshaped(x, [*x.shape, 1])
    if x.ndim != 3:
        raise ModelRefusal(f"it takes a signal with 2 or 3 axes, and this one has {x.ndim}")
    size, hop = x.shape[1], _item(step)
    width = _item(length) if length is not None else size if window is None else window.shape[0]
    if hop < 1 or not 1 <= width <= size:
        raise ModelRefusal(f"frames of length {width} at steps of {hop} do not fit {size} numbers")
    count = (size - width) // hop + 1
    refuse_large("STFT", [x.shape[0], count, width, x.shape[2]], _DOUBLE)
    places = np.arange(count)[:, None] * hop + np.arange(width)
    frames: Any = made("Gather", x, places, axis=1)
    if window is not None:
        frames = made("Multiply", frames, reshaped(window, [width, 1]))
    return _transformed(frames, 2, None, False, bool(onesided))
