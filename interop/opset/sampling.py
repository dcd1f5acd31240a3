"""Reading pictures at places between their elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.grids import MODES, PADDINGS, sampled
from gradwire.interop.aten.products import product
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, made, refuse_large
from gradwire.interop.opset.operators import Numbers, operator

_INT: Final = np.dtype(np.int64)
_OLD_NAMES: Final = {"bilinear": "linear", "bicubic": "cubic"}


@operator("GridSample")
def _sampled(
    x: Tensor, grid: Tensor, *, mode: str = "linear", padding_mode: str = "zeros", align_corners: int = 0
) -> Tensor:
    mode = _OLD_NAMES.get(mode, mode)
    if mode not in MODES or padding_mode not in PADDINGS:
        raise ModelRefusal(f"reading by {mode[:20]} with {padding_mode[:20]} around has no block")
    return sampled(x, grid, mode, padding_mode, bool(align_corners))


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
