"""Boxes of pictures, each read as a few bins."""

from __future__ import annotations

import numpy as np

from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.products import product
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.aten.tensors import number
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, cast, made, refuse_large


@operation("torchvision.roi_align.default")
def _aligned(
    input: Tensor, rois: Tensor, spatial_scale: float, pooled_height: int, pooled_width: int, sampling_ratio: int,
    aligned: bool,
) -> Tensor:  # fmt: skip
    if sampling_ratio <= 0:
        raise ModelRefusal("roi_align takes as many samples as the size of a box says; give sampling_ratio a number")
    # As in torchvision, boxes have no gradient.
    boxes = made("Unstack", made("StopGradient", rois), axis=1)
    scale = number(spatial_scale, rois)
    left, top, right, bottom = (
        made("Subtract", made("Multiply", item, scale), number(0.5 * aligned, rois)) for item in boxes[1:]
    )
    down = shares(top, bottom, pooled_height, sampling_ratio, input.shape[2], aligned)
    across = shares(left, right, pooled_width, sampling_ratio, input.shape[3], aligned)
    return means_of_bins(input, cast(boxes[0], np.dtype(np.int64)), down, across)


def means_of_bins(x: Tensor, batches: Tensor, down: Tensor, across: Tensor) -> Tensor:
    """Returns the mean of pictures in each bin of boxes, by the `shares` of their rows and columns.

    Shapes: `x` (batch, channels, height, width), `batches` (boxes,), the result (boxes, channels, bins, bins).
    """
    pictures = made("Gather", x, batches, axis=0)
    count, channels = pictures.shape[:2]
    across = made("ExpandDims", made("Transpose", across, perm=[0, 2, 1]), axis=1)
    rows = product(pictures, broadcast(across, [count, channels, *across.shape[2:]]))
    down = made("ExpandDims", down, axis=1)
    return product(broadcast(down, [count, channels, *down.shape[2:]]), rows)


def shares(begin: Tensor, end: Tensor, bins: int, ratio: int, length: int, is_half: bool) -> Tensor:
    """Returns how much of each pixel of an axis belongs to each bin of boxes, `ratio` samples of which are read.

    Pixels lie half a pixel lower if `is_half`; other boxes are at least a pixel long.
    Shapes: `begin` and `end` (boxes,), the result (boxes, bins, length).
    """
    dtype = np.dtype(begin.dtype)
    refuse_large("the samples of boxes", [begin.shape[0], bins, ratio, length], dtype)
    size = made("Subtract", end, begin)
    if not is_half:
        size = made("Maximum", size, number(1.0, size))
    parts = ((np.arange(bins * ratio) + 0.5) / (bins * ratio)).astype(dtype)
    columns = [made("ExpandDims", item, axis=1) for item in (begin, size)]
    places = made("Add", columns[0], made("Multiply", columns[1], parts))
    ends = (("GreaterEqual", -1.0), ("LessEqual", float(length)))
    is_near = made("LogicalAnd", *(made(block, places, number(bound, places)) for block, bound in ends))
    held = made("Minimum", made("Maximum", places, number(0.0, places)), number(length - 1.0, places))
    apart = made("Abs", made("Subtract", made("ExpandDims", held, axis=2), np.arange(length, dtype=dtype)))
    weights = made("Relu", made("Subtract", np.ones((), dtype), apart))
    weights = made("Multiply", weights, made("ExpandDims", cast(is_near, dtype), axis=2))
    found: Tensor = made("ReduceMean", reshaped(weights, [-1, bins, ratio, length]), axis=2)
    return found
