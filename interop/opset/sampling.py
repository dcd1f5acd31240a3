"""Reading pictures at places between their elements, and boxes of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.boxes import means_of_bins, shares
from gradwire.interop.aten.grids import MODES, PADDINGS, affine_grid, sampled
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, cast, made, refuse_large
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
    return affine_grid(theta, [int(item) for item in size[2:]], bool(align_corners))


@operator("RoiAlign")
def _aligned(
    x: Tensor, rois: Numbers, batches: Numbers, *, coordinate_transformation_mode: str | None = None,
    mode: str = "avg", output_height: int = 1, output_width: int = 1, sampling_ratio: int = 0,
    spatial_scale: float = 1.0, opset: int,
) -> Tensor:  # fmt: skip
    default = "half_pixel" if opset >= 16 else "output_half_pixel"
    is_half = (coordinate_transformation_mode or default) == "half_pixel"
    boxes = rois.astype(float) * spatial_scale - (0.5 if is_half else 0.0)
    axes = (((1, 3), x.shape[2], output_height), ((0, 2), x.shape[3], output_width))
    bins = [_Bins(boxes[:, ends], int(size), count, sampling_ratio, is_half) for ends, size, count in axes]
    if mode == "avg":
        return means_of_bins(x, batches.astype(_INT), *(cast(item.shares(), np.dtype(x.dtype)) for item in bins))
    return _largest(x, batches.astype(_INT), *bins)


@dataclass(frozen=True)
class _Bins:
    """Bins along one axis of boxes of known size, with as many samples as a ratio of 0 leaves to the size of each.

    Shape: `ends` (boxes, 2).
    """

    ends: Array
    length: int
    count: int
    ratio: int
    is_half: bool

    def shares(self) -> Array:
        """Returns how much of each pixel belongs to each bin. Shape: (boxes, count, length)."""
        refuse_large("RoiAlign", [len(self.ends), self.count, self.length], np.dtype(float))
        found = [
            np.asarray(shares(pair[:1], pair[1:], self.count, samples, self.length, self.is_half))
            for pair, samples in zip(self.ends, self._samples(), strict=True)
        ]
        return np.concatenate([np.zeros((0, self.count, self.length)), *found])

    def taps(self, box: int) -> tuple[Array, Array]:
        """Returns the two pixels around each sample of a box, and their weights. Shapes: (count, samples, 2)."""
        samples = self._samples()[box]
        refuse_large("RoiAlign", [16, self.count, samples], _INT)
        begin, width = self.ends[box, 0], self._sizes()[box] / self.count
        places = begin + (np.arange(self.count)[:, None] + (np.arange(samples) + 0.5) / samples) * width
        is_inside = (places >= -1) & (places <= self.length)
        inner = places.clip(0, self.length - 1)
        low = np.minimum(inner.astype(_INT), self.length - 1)
        share = inner - low
        indices = np.stack([low, np.minimum(low + 1, self.length - 1)], axis=-1)
        return indices, np.stack([1 - share, share], axis=-1) * is_inside[..., None]

    def _sizes(self) -> Array:
        sizes = self.ends[:, 1] - self.ends[:, 0]
        return sizes if self.is_half else np.maximum(sizes, 1.0)

    def _samples(self) -> list[int]:
        return [self.ratio if self.ratio > 0 else max(1, math.ceil(size / self.count)) for size in self._sizes()]


def _largest(x: Tensor, batches: Array, down: _Bins, across: _Bins) -> Tensor:
    """Returns the largest of all weighted pixels around the samples of each bin, as ONNX has it."""
    rows = [_weighted(down.taps(box), across.taps(box), across.length) for box in range(len(batches))]
    most = max((places.shape[-1] for places, _ in rows), default=1)
    refuse_large("RoiAlign", [len(rows), down.count, across.count, most], _INT)
    # An extreme may see an element twice.
    filled = [[np.pad(item, ((0, 0), (0, most - item.shape[-1])), mode="edge") for item in row] for row in rows]
    size = down.count * across.count * most
    places, weights = (
        np.array([row[item] for row in filled], dtype).reshape(len(rows), size)
        for item, dtype in enumerate((_INT, np.dtype(x.dtype)))
    )
    chosen = made("Gather", reshaped(x, [*x.shape[:2], math.prod(x.shape[2:])]), batches, axis=0)
    read = made("Gather", chosen, places, axis=2, batch_dims=1)
    weighed = made("Multiply", read, weights[:, None])
    parts = reshaped(weighed, [len(rows), x.shape[1], down.count, across.count, most])
    found: Tensor = made("ReduceMax", parts, axis=-1)
    return found


def _weighted(down: tuple[Array, Array], across: tuple[Array, Array], width: int) -> tuple[Array, Array]:
    """Returns the pixels that the bins of a box read, and their weights. Shapes: (bins, pixels)."""
    (rows, row_weights), (columns, column_weights) = down, across
    shape = (len(rows) * len(columns), 4 * rows.shape[1] * columns.shape[1])
    refuse_large("RoiAlign", shape, _INT)
    places = rows[:, None, :, None, :, None] * width + columns[None, :, None, :, None, :]
    weights = row_weights[:, None, :, None, :, None] * column_weights[None, :, None, :, None, :]
    return places.reshape(shape), weights.reshape(shape)
