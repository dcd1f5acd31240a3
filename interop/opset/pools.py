"""Pooling: the largest, the mean or the length of windows, channels first."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, cast, made, refuse_large
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.convolutions import Windows, framed, windows
from gradwire.interop.opset.operators import Numbers, operator

_LAYOUTS = {1: "NCW", 2: "NCHW", 3: "NCDHW"}
_INT = np.dtype(np.int64)


def _pooled(block: str, x: Tensor, how: Windows) -> Tensor:
    rank = x.ndim - 2
    if rank not in _LAYOUTS:
        raise ModelRefusal(f"pooling over {rank} axes has no block")
    sizes = {"ksize": how.sizes, "strides": how.strides, "padding": "VALID", "data_format": _LAYOUTS[rank]}
    found: Tensor = made(f"{block}{rank}D", x, **sizes)
    return found


def _elements(x: Tensor, how: Windows) -> Tensor:
    """Returns the elements of each window on a last axis; the tensor is padded already."""
    shape, sizes = list(x.shape[:2]), how.sizes
    counts = [(x.shape[2 + place] - reach) // how.strides[place] + 1 for place, reach in enumerate(how.reach)]
    refuse_large("A window", [*shape, *counts, *sizes], np.dtype(x.dtype))
    for axis, count in enumerate(counts):
        starts, inside = np.arange(count) * how.strides[axis], np.arange(sizes[axis]) * how.dilations[axis]
        x = made("Gather", x, starts[:, None] + inside, axis=2 + 2 * axis)
    rank = len(sizes)
    order = [0, 1, *range(2, 2 * rank + 2, 2), *range(3, 2 * rank + 2, 2)]
    return reshaped(made("Transpose", x, perm=order), [*shape, *counts, math.prod(sizes)])


def _least(x: Tensor) -> Any:
    dtype = np.dtype(x.dtype)
    return float(np.finfo(dtype).min) if dtype.kind == "f" else int(np.iinfo(dtype).min)


@operator("MaxPool")
def _largest(
    x: Tensor, *, kernel_shape: list[int], strides: list[int] | None = None, dilations: list[int] | None = None,
    pads: list[int] | None = None, auto_pad: str = "NOTSET", ceil_mode: int = 0, storage_order: int = 0, count: int,
) -> Any:  # fmt: skip
    how = windows(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    # Pad takes no infinity.
    framed_x = framed(x, how.around, _least(x))
    if count > 1:
        return _with_places(x, framed_x, how, storage_order)
    if how.is_dilated:
        return made("ReduceMax", _elements(framed_x, how), axis=-1)
    return _pooled("MaxPool", framed_x, how)


def _with_places(x: Tensor, framed_x: Tensor, how: Windows, storage_order: int) -> tuple[Tensor, Tensor]:
    """Returns the largest, and their places in the tensor without padding as if it had one axis."""
    elements = _elements(framed_x, how)
    chosen = made("ExpandDims", cast(made("ArgMax", elements, axis=-1), _INT), axis=-1)
    sizes = list(x.shape[2:])
    flat = np.arange(math.prod(sizes)).reshape(sizes[::-1] if storage_order else sizes)
    flat = flat.T if storage_order else flat
    starts = np.arange(math.prod(x.shape[:2])).reshape(*x.shape[:2], *[1] * len(sizes)) * math.prod(sizes)
    table: Array = np.asarray(_elements(framed(starts + flat, how.around), how))
    found = [made("TakeAlongAxis", item, chosen, axis=elements.ndim - 1) for item in (elements, table)]
    largest, places = (made("Squeeze", item, axis=[elements.ndim - 1]) for item in found)
    return largest, places


@operator("AveragePool")
def _mean(
    x: Tensor, *, kernel_shape: list[int], strides: list[int] | None = None, dilations: list[int] | None = None,
    pads: list[int] | None = None, auto_pad: str = "NOTSET", ceil_mode: int = 0, count_include_pad: int = 0,
) -> Tensor:  # fmt: skip
    how = windows(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)

    def mean(item: Tensor) -> Tensor:
        if how.is_dilated:
            found: Tensor = made("ReduceMean", _elements(item, how), axis=-1)
            return found
        return _pooled("AvgPool", item, how)

    found = mean(framed(x, how.around))
    if not any(map(any, how.around)):
        return found
    # What stands around is not counted; of the padding that is, the part beyond it is not.
    plain = windows(x, kernel_shape, strides, dilations, pads, auto_pad) if count_include_pad else None
    ones = np.ones((1, 1, *x.shape[2:]), x.dtype)
    inner = plain.around if plain else [(0, 0)] * len(how.around)
    outer = [(a - c, b - d) for (a, b), (c, d) in zip(how.around, inner, strict=True)]
    share = np.asarray(mean(framed(framed(ones, inner, 1.0), outer)))
    result: Tensor = found if (share == 1).all() else made("Divide", found, share)
    return result


@operator("LpPool")
def _length(
    x: Tensor, *, kernel_shape: list[int], p: int = 2, strides: list[int] | None = None,
    dilations: list[int] | None = None, pads: list[int] | None = None, auto_pad: str = "NOTSET", ceil_mode: int = 0,
) -> Tensor:  # fmt: skip
    how = windows(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    return _norm(_elements(framed(x, how.around), how), p, [-1], keepdims=False)


def _norm(x: Tensor, p: int, axes: list[int], keepdims: bool) -> Tensor:
    powers = made("Pow", made("Abs", x), number(p, x))
    total = made("ReduceSum", powers, axis=axes, keepdims=keepdims)
    found: Tensor = made("Pow", total, number(1 / p, x))
    return found


@operator("GlobalLpPool")
def _whole_length(x: Tensor, *, p: int = 2) -> Tensor:
    return _norm(x, p, list(range(2, x.ndim)), keepdims=True)


@operator("GlobalAveragePool")
def _whole_mean(x: Tensor) -> Tensor:
    found: Tensor = made("ReduceMean", x, axis=list(range(2, x.ndim)), keepdims=True)
    return found


@operator("GlobalMaxPool")
def _whole_largest(x: Tensor) -> Tensor:
    found: Tensor = made("ReduceMax", x, axis=list(range(2, x.ndim)), keepdims=True)
    return found


@operator("MaxUnpool")
def _spread(
    x: Tensor, places: Tensor, output_shape: Numbers | None = None, *, kernel_shape: list[int],
    strides: list[int] | None = None, pads: list[int] | None = None,
) -> Tensor:  # fmt: skip
    how = windows(x, kernel_shape, strides, None, pads, "NOTSET")
    rows = zip(x.shape[2:], how.strides, how.sizes, how.around, strict=True)
    plain = [*x.shape[:2], *((size - 1) * step + width - sum(pair) for size, step, width, pair in rows)]
    wanted = plain if output_shape is None else [int(size) for size in output_shape]
    refuse_large("MaxUnpool", plain, np.dtype(x.dtype))
    at = reshaped(cast(places, _INT), [-1, 1])
    if wanted != plain:
        # The places count in the smaller tensor.
        table = np.arange(math.prod(wanted)).reshape(wanted)[tuple(slice(0, size) for size in plain)]
        at = made("ExpandDims", made("Gather", table.reshape(-1).copy(), reshaped(at, [-1]), axis=0), axis=-1)
    flat = made("ScatterNd", at, reshaped(x, [-1]), shape=[math.prod(wanted)])
    return reshaped(flat, wanted)
