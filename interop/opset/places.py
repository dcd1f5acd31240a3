"""Operators that take elements from places, or put them there."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.limits import MOST_STEPS
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, axis_of, cast, kind, made, refuse_large
from gradwire.interop.opset.arithmetic import number, written
from gradwire.interop.opset.operators import Numbers, operator

_INT: Final = np.dtype(np.int64)
_PUT: Final = {
    "none": "TensorScatterNdUpdate", "add": "TensorScatterNdAdd", "max": "TensorScatterNdMax",
    "min": "TensorScatterNdMin",
}  # fmt: skip


def counted(places: Tensor, length: int | Array) -> Tensor:
    """Returns places counted from 0; negative ones count from the end."""
    known = written(places)
    if known is not None and not (known < 0).any():
        return places
    found: Tensor = made("FloorMod", places, number(length, places))
    return found


@operator("Gather")
def _gathered(x: Tensor, places: Tensor, *, axis: int = 0) -> Tensor:
    place = axis_of(axis, x)
    found: Tensor = made("Gather", x, counted(places, x.shape[place]), axis=place)
    return found


@operator("GatherND")
def _gathered_at(x: Tensor, places: Tensor, *, batch_dims: int = 0) -> Tensor:
    sizes = np.asarray(x.shape[batch_dims : batch_dims + places.shape[-1]], _INT)
    found: Tensor = made("GatherNd", x, counted(places, sizes), batch_dims=batch_dims)
    return found


@operator("GatherElements")
def _along(x: Tensor, places: Tensor, *, axis: int = 0) -> Tensor:
    place = axis_of(axis, x)
    shape = [size if other == place else places.shape[other] for other, size in enumerate(x.shape)]
    source = x if shape == list(x.shape) else made("Slice", x, begin=[0] * x.ndim, size=shape)
    found: Tensor = made("TakeAlongAxis", source, counted(places, x.shape[place]), axis=place)
    return found


def _put(x: Tensor, places: Tensor, parts: Tensor, reduction: str) -> Tensor:
    if reduction == "mul":
        return _multiplied(x, places, parts)
    if reduction not in _PUT:
        raise ModelRefusal(f"its reduction {reduction[:20]} has no block")
    found: Tensor = made(_PUT[reduction], x, places, parts)
    return found


def _multiplied(x: Tensor, places: Tensor, parts: Tensor) -> Tensor:
    """Returns a tensor with products at places, each part in its turn: places may come twice."""
    flat = reshaped(places, [-1, places.shape[-1]])
    rows = reshaped(parts, [flat.shape[0], *x.shape[places.shape[-1] :]])
    if flat.shape[0] > MOST_STEPS:
        raise ModelRefusal(f"products at {flat.shape[0]} places are unrolled, and {MOST_STEPS} are the limit")
    for row in range(flat.shape[0]):
        at, factor = (made("Slice", item, begin=[row] + [0] * (item.ndim - 1), size=[1] + [-1] * (item.ndim - 1))
                      for item in (flat, rows))  # fmt: skip
        x = made("TensorScatterNdUpdate", x, at, made("Multiply", made("GatherNd", x, at), factor))
    return x


@operator("ScatterND")
def _put_at(x: Tensor, places: Tensor, parts: Tensor, *, reduction: str = "none") -> Tensor:
    return _put(x, counted(places, np.asarray(x.shape[: places.shape[-1]], _INT)), parts, reduction)


@operator("ScatterElements", "Scatter")
def _put_along(x: Tensor, places: Tensor, parts: Tensor, *, axis: int = 0, reduction: str = "none") -> Tensor:
    chosen, shape = axis_of(axis, x), list(places.shape)
    refuse_large("ScatterElements", [*shape, x.ndim], _INT)
    own = cast(counted(places, x.shape[chosen]), _INT)
    grids = np.indices(shape, sparse=True)
    at = [own if place == chosen else np.broadcast_to(grids[place], shape).copy() for place in range(x.ndim)]
    return _put(x, made("Stack", *at, axis=-1), parts, reduction)


@operator("TensorScatter")
def _put_into_cache(
    x: Tensor, parts: Tensor, starts: Numbers | None = None, *, axis: int = -2, mode: str = "linear"
) -> Tensor:
    place, length = axis_of(axis, x), parts.shape[axis]
    first = np.zeros(x.shape[0], _INT) if starts is None else starts.astype(_INT)
    along = first[:, None] + np.arange(length)
    along = along % x.shape[place] if mode == "circular" else along
    grids = list(np.indices(parts.shape, sparse=True))
    grids[place] = along.reshape([x.shape[0], *(length if other == place else 1 for other in range(1, x.ndim))])
    at = np.stack(np.broadcast_arrays(*grids), axis=-1)
    found: Tensor = made("TensorScatterNdUpdate", x, at, parts)
    return found


@operator("OneHot")
def _one_hot(places: Tensor, depth: Numbers, values: Numbers, *, axis: int = -1) -> Tensor:
    count = int(depth.flat[0])
    whole = places if kind(places) in "iu" else cast(places, _INT)
    known = written(whole)
    if known is None or (known < 0).any():
        # Beyond the depth, on either side, there is none.
        inside = made("Where", made("Less", whole, number(0, whole)), made("Add", whole, number(count, whole)), whole)
        whole = made("Where", made("Less", inside, number(0, inside)), number(count, inside), inside)
    off, on = (item.item() for item in values.reshape(-1))
    found: Tensor = made("OneHot", whole, depth=count, on_value=on, off_value=off, axis=axis, dtype=values.dtype.name)
    return found


@operator("Compress")
def _compressed(x: Tensor, mask: Numbers, *, axis: int | None = None) -> Tensor:
    source, place = (reshaped(x, [-1]), 0) if axis is None else (x, axis_of(axis, x))
    found: Tensor = made("Gather", source, np.flatnonzero(mask), axis=place)
    return found


@operator("NonZero")
def _nonzero(x: Numbers) -> Tensor:
    return np.stack(np.nonzero(x)).astype(_INT) if x.ndim else np.zeros((0, int(bool(x))), _INT)


@operator("Unique")
def _unique(x: Numbers, *, axis: int | None = None, sorted: int = 1) -> Any:
    values, first, back, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    back = back.reshape(-1)
    if not sorted:
        order = np.argsort(first)
        ranks = np.argsort(order)
        values = np.take(values, order, axis=axis or 0)
        first, counts, back = first[order], counts[order], ranks[back]
    return values, *(item.astype(_INT) for item in (first, back, counts))
