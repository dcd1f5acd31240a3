"""Reading pictures at places between their elements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.products import product
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, cast, made, refuse_large
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import Numbers, operator

_INT: Final = np.dtype(np.int64)
_CUBIC: Final = -0.75
# How many elements of an axis each way of reading needs, from which on, counted from the one below the place.
_TAPS: Final[Mapping[str, tuple[int, int]]] = {"linear": (0, 2), "nearest": (0, 1), "cubic": (-1, 4)}
_OLD_NAMES: Final = {"bilinear": "linear", "bicubic": "cubic"}


@operator("GridSample")
def _sampled(
    x: Tensor, grid: Tensor, *, mode: str = "linear", padding_mode: str = "zeros", align_corners: int = 0
) -> Tensor:
    mode, sizes, is_aligned = _OLD_NAMES.get(mode, mode), list(x.shape[2:]), bool(align_corners)
    if mode not in _TAPS or padding_mode not in ("zeros", "border", "reflection"):
        raise ModelRefusal(f"reading by {mode[:20]} with {padding_mode[:20]} around has no block")
    # The grid has the last axis first.
    columns = made("Unstack", grid, axis=-1)[::-1]
    axes = [_taps(place, size, mode, padding_mode, is_aligned) for place, size in zip(columns, sizes, strict=True)]
    flat, count = reshaped(x, [*x.shape[:2], math.prod(sizes)]), math.prod(grid.shape[1:-1])
    terms = []
    for corner in itertools.product(*axes):
        place: Any = corner[0][0]
        for size, (index, _) in zip(sizes[1:], corner[1:], strict=True):
            place = made("Add", made("Multiply", place, number(size, place)), index)
        places = reshaped(cast(place, _INT), [x.shape[0], count])
        read = made("Gather", flat, places, axis=2, batch_dims=1)
        factors = [factor for _, factor in corner if factor is not None]
        if factors:
            weight = reduce(lambda a, b: made("Multiply", a, b), factors)
            read = made("Multiply", read, reshaped(weight, [x.shape[0], 1, count]))
        terms.append(read)
    return reshaped(reduce(lambda a, b: made("Add", a, b), terms), [*x.shape[:2], *grid.shape[1:-1]])


def _taps(grid: Tensor, size: int, mode: str, padding: str, is_aligned: bool) -> list[tuple[Tensor, Tensor | None]]:
    """Returns the elements of an axis to read, as floats inside it, and how much each of them counts."""
    one = number(1, grid)
    if is_aligned:
        place = made("Multiply", made("Add", grid, one), number((size - 1) / 2, grid))
    else:
        scaled = made("Multiply", made("Add", grid, one), number(size / 2, grid))
        place = made("Subtract", scaled, number(0.5, grid))
    below = made("Rint" if mode == "nearest" else "Floor", place)
    share = made("Subtract", place, below)
    first, count = _TAPS[mode]
    found: list[tuple[Tensor, Tensor | None]] = []
    for step in range(first, first + count):
        index = made("Add", below, number(step, below)) if step else below
        weight = _weight(share, step, mode)
        if padding == "zeros":
            inside = made("Equal", index, made("ClipByValue", index, number(0, index), number(size - 1, index)))
            mask = cast(inside, np.dtype(grid.dtype))
            weight = mask if weight is None else made("Multiply", weight, mask)
        elif padding == "reflection":
            index = _reflected(index, size, is_aligned)
        found.append((made("ClipByValue", index, number(0, index), number(size - 1, index)), weight))
    return found


def _reflected(index: Tensor, size: int, is_aligned: bool) -> Tensor:
    """Returns places mirrored at the borders, which lie on the outer elements or half an element outside."""
    period, last = (2 * (size - 1), 2 * (size - 1)) if is_aligned else (2 * size, 2 * size - 1)
    if not period:
        return index
    turned = made("FloorMod", index, number(period, index))
    found: Tensor = made("Minimum", turned, made("Subtract", number(last, turned), turned))
    return found


def _weight(share: Tensor, step: int, mode: str) -> Tensor | None:
    """Returns how much an element counts that lies `step` above the one below the place."""
    if mode == "nearest":
        return None
    if mode == "linear":
        found: Tensor = share if step else made("Subtract", number(1, share), share)
        return found
    away = made("Add", share, number(-step, share)) if step <= 0 else made("Subtract", number(step, share), share)
    a = _CUBIC
    near = (a + 2, -(a + 3), 0.0, 1.0)
    far = (a, -5 * a, 8 * a, -4 * a)
    total: Any = number((near if step in (0, 1) else far)[0], away)
    for factor in (near if step in (0, 1) else far)[1:]:
        total = made("Multiply", total, away)
        total = made("Add", total, number(factor, away)) if factor else total
    result: Tensor = total
    return result


@operator("AffineGrid")
def _affine(theta: Tensor, size: Numbers, *, align_corners: int = 0) -> Tensor:
    sizes = [int(item) for item in size[2:]]
    refuse_large("AffineGrid", [*sizes, len(sizes) + 1], np.dtype(float))
    lines = [
        np.linspace(-1, 1, item) if align_corners and item > 1 else (2 * np.arange(item) + 1) / max(1, item) - 1
        for item in sizes
    ]
    # The last axis comes first, and ones behind all.
    grids = [*reversed(np.meshgrid(*lines, indexing="ij")), np.ones(sizes)]
    flat = np.stack([grid.reshape(-1) for grid in grids]).astype(theta.dtype)
    places = product(theta, broadcast(flat, [theta.shape[0], *flat.shape]))
    return reshaped(made("Transpose", places, perm=[0, 2, 1]), [theta.shape[0], *sizes, len(sizes)])


@operator("RoiAlign")
def _aligned(
    x: Tensor, rois: Numbers, batches: Numbers, *, coordinate_transformation_mode: str | None = None,
    mode: str = "avg", output_height: int = 1, output_width: int = 1, sampling_ratio: int = 0,
    spatial_scale: float = 1.0, opset: int,
) -> Tensor:  # fmt: skip
    default = "half_pixel" if opset >= 16 else "output_half_pixel"
    is_half = (coordinate_transformation_mode or default) == "half_pixel"
    sizes, pooled = x.shape[2:], (output_height, output_width)
    refuse_large("RoiAlign", [len(rois), *pooled, max(1, sampling_ratio) ** 2], _INT)
    # Several arrays of that size are made on the way.
    shift, count = 0.5 if is_half else 0.0, len(rois)
    rows = [_points(roi * spatial_scale - shift, 4 * count, sizes, pooled, sampling_ratio, is_half) for roi in rois]
    most = max((row[0].shape[-1] for row in rows), default=1)
    places, weights = (
        np.stack([_filled(row[item], most, is_mean=mode == "avg", is_weight=bool(item)) for row in rows])
        for item in (0, 1)
    )
    if mode == "avg":
        # Four elements around each point.
        weights = weights / np.array([max(1, row[0].shape[-1] // 4) for row in rows])[:, None, None]
    chosen = made("Gather", reshaped(x, [*x.shape[:2], math.prod(sizes)]), batches.astype(_INT), axis=0)
    read = made("Gather", chosen, places.reshape(count, -1), axis=2, batch_dims=1)
    weighed = made("Multiply", read, weights.reshape(count, 1, -1).astype(x.dtype))
    parts = reshaped(weighed, [count, x.shape[1], *pooled, most])
    found: Tensor = made("ReduceSum" if mode == "avg" else "ReduceMax", parts, axis=-1)
    return found


def _points(
    roi: Array, regions: int, sizes: Sequence[int], pooled: Sequence[int], ratio: int, is_half: bool
) -> tuple[Array, Array]:
    """Returns the places that a region reads and their weights. Shapes: (pooled height x width, points)."""
    ends = [(roi[1], roi[3]), (roi[0], roi[2])]
    rows_and_columns = zip(ends, sizes, pooled, strict=True)
    axes = [_points_of_axis(*pair, size, count, ratio, is_half) for pair, size, count in rows_and_columns]
    (rows, row_weights), (columns, column_weights) = axes
    shape = (pooled[0] * pooled[1], 4 * rows.shape[1] * columns.shape[1])
    refuse_large("RoiAlign", [regions, *shape], _INT)
    places = rows[:, None, :, None, :, None] * sizes[1] + columns[None, :, None, :, None, :]
    weights = row_weights[:, None, :, None, :, None] * column_weights[None, :, None, :, None, :]
    return places.reshape(shape), weights.reshape(shape)


def _points_of_axis(begin: float, end: float, size: int, pooled: int, ratio: int, is_half: bool) -> tuple[Array, Array]:
    """Returns the two elements around each point of an axis, and their weights. Shapes: (pooled, points, 2)."""
    length = end - begin if is_half else max(end - begin, 1.0)
    width = length / pooled
    points = ratio if ratio > 0 else max(1, math.ceil(width))
    refuse_large("RoiAlign", [16, pooled, points], _INT)
    places = begin + np.arange(pooled)[:, None] * width + (np.arange(points) + 0.5) * width / points
    is_inside = (places >= -1) & (places <= size)
    inner = places.clip(0, size - 1)
    low = np.minimum(inner.astype(np.int64), size - 1)
    share = inner - low
    indices = np.stack([low, np.minimum(low + 1, size - 1)], axis=-1)
    weights = np.stack([1 - share, share], axis=-1) * is_inside[..., None]
    return indices, weights


def _filled(rows: Array, most: int, is_mean: bool, is_weight: bool) -> Array:
    """Returns rows of equal length: nothing is added to a mean, and an extreme sees an element twice."""
    missing = most - rows.shape[-1]
    if not missing:
        return rows
    rest = (
        np.zeros((*rows.shape[:-1], missing), rows.dtype)
        if is_mean and is_weight
        else np.repeat(rows[..., :1], missing, -1)
    )
    return np.concatenate([rows, rest], axis=-1)
