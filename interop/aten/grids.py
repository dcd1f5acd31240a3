"""Pictures that are read at places between their pixels: grids of places, and boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.products import product
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.aten.tensors import number
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, cast, made

# PyTorch's numbers of the ways to read, and of what lies outside.
_BILINEAR, _NEAREST = 0, 1
_ZEROS, _BORDER = 0, 1


def _plus(x: Tensor, value: float) -> Tensor:
    found: Tensor = made("Add", x, number(value, x))
    return found


def _times(x: Tensor, value: float) -> Tensor:
    found: Tensor = made("Multiply", x, number(value, x))
    return found


def _less(x: Tensor, y: Tensor) -> Tensor:
    found: Tensor = made("Subtract", x, y)
    return found


@operation("affine_grid_generator.default")
def _affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool) -> Tensor:
    if len(size) != 4:
        raise ModelRefusal("an affine grid for volumes has no block; only pictures have one")
    count, _, rows, columns = size
    down, across = (_places(length, align_corners, np.dtype(theta.dtype)) for length in (rows, columns))
    ys, xs = np.meshgrid(down, across, indexing="ij")
    base = np.stack([xs, ys, np.ones_like(xs)], axis=-1).reshape(rows * columns, 3)
    turned = made("Transpose", theta, perm=[0, 2, 1])
    return reshaped(product(np.broadcast_to(base, (count, *base.shape)).copy(), turned), [count, rows, columns, 2])


def _places(length: int, align_corners: bool, dtype: np.dtype[Any]) -> Array:
    """Returns the middles of the pixels of an axis, from -1 to 1.

    They are rounded as by torch.linspace, from both ends: on a pixel, the last bit decides between two gradients.
    """
    if length <= 1:
        return np.zeros(length, dtype)
    step, index = dtype.type(2) / dtype.type(length - 1), np.arange(length).astype(dtype)
    places = np.where(index < length // 2, index * step - 1, 1 - step * (length - 1 - index))
    return np.asarray(places if align_corners else places * dtype.type((length - 1) / length), dtype)


@operation("grid_sampler.default", "grid_sampler_2d.default")
def _sampled(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Tensor:
    if input.ndim != 4 or interpolation_mode not in (_BILINEAR, _NEAREST):
        raise ModelRefusal("grid_sample of volumes, or bicubic, has no block; use pictures, and bilinear or nearest")
    across, down = (
        _inside(_pixels(item, length, align_corners), length, padding_mode, align_corners)
        for item, length in zip(made("Unstack", grid, axis=3), (input.shape[3], input.shape[2]), strict=True)
    )
    picture = _Picture(input, padding_mode == _ZEROS)
    if interpolation_mode == _NEAREST:
        return picture.at(made("Round", down), made("Round", across))
    top, left = made("Floor", down), made("Floor", across)
    below, right = _plus(top, 1.0), _plus(left, 1.0)
    corners = [
        made("Multiply", picture.at(row, column), made("ExpandDims", made("Multiply", *weights), axis=1))
        for row, column, weights in (
            (top, left, (_less(below, down), _less(right, across))),
            (top, right, (_less(below, down), _less(across, left))),
            (below, left, (_less(down, top), _less(right, across))),
            (below, right, (_less(down, top), _less(across, left))),
        )
    ]
    found: Tensor = made("AddN", *corners)
    return found


def _pixels(x: Tensor, length: int, align_corners: bool) -> Tensor:
    """Returns places from -1 to 1 as places among pixels."""
    if align_corners:
        return _times(_times(_plus(x, 1.0), 0.5), length - 1.0)
    return _times(_plus(_times(_plus(x, 1.0), float(length)), -1.0), 0.5)


def _inside(x: Tensor, length: int, padding_mode: int, align_corners: bool) -> Tensor:
    """Returns places that lie inside; those that were moved to a bound have no gradient."""
    if padding_mode == _ZEROS:
        return x
    if padding_mode != _BORDER:
        x = _reflected(x, length, align_corners)
    top = number(length - 1.0, x)
    is_inside = made("LogicalAnd", made("Greater", x, number(0.0, x)), made("Less", x, top))
    at_bound = made("StopGradient", made("Minimum", made("Maximum", x, number(0.0, x)), top))
    found: Tensor = made("Where", is_inside, x, at_bound)
    return found


def _reflected(x: Tensor, length: int, align_corners: bool) -> Tensor:
    least, span = (0.0, length - 1.0) if align_corners else (-0.5, float(length))
    if span <= 0:
        return _times(x, 0.0)
    moved = _plus(x, -least)
    distance = made("Where", made("Less", moved, number(0.0, x)), made("Negative", moved), moved)
    flips = made("Floor", _times(distance, 1 / span))
    rest = _less(distance, _times(flips, span))
    is_even = made("Equal", made("FloorMod", flips, number(2.0, x)), number(0.0, x))
    found: Tensor = made("Where", is_even, _plus(rest, least), _less(number(span + least, x), rest))
    return found


class _Picture:
    """Pictures that can be read at rows and columns of their own; zeros lie around them, one pixel wide or two."""

    def __init__(self, x: Tensor, is_zero_outside: bool) -> None:
        self._shift = int(is_zero_outside)
        around = [[self._shift, 1 + self._shift]] * 2
        wide: Any = made("Pad", x, paddings=[[0, 0], [0, 0], *around])
        count, channels, *self._sizes = wide.shape
        self._flat = reshaped(made("Transpose", wide, perm=[0, 2, 3, 1]), [count * int(np.prod(self._sizes)), channels])

    def at(self, rows: Tensor, columns: Tensor) -> Tensor:
        """Returns the pixels. Shapes: (batch, rows, columns) each; the result has channels after the batch."""
        row, column = (
            cast(
                made("Minimum", made("Maximum", _plus(item, self._shift), number(0.0, item)), number(size - 1.0, item)),
                np.dtype(np.int64),
            )
            for item, size in zip((rows, columns), self._sizes, strict=True)
        )
        first = np.arange(rows.shape[0], dtype=np.int64)[:, None, None] * int(np.prod(self._sizes))
        place = made("Add", made("Add", _times(row, self._sizes[1]), column), first)
        found: Tensor = made("Transpose", made("Gather", self._flat, place, axis=0), perm=[0, 3, 1, 2])
        return found


@operation("torchvision.roi_align.default")
def _aligned(
    input: Tensor, rois: Tensor, spatial_scale: float, pooled_height: int, pooled_width: int, sampling_ratio: int,
    aligned: bool,
) -> Tensor:  # fmt: skip
    if sampling_ratio <= 0:
        raise ModelRefusal("roi_align takes as many samples as the size of a box says; give sampling_ratio a number")
    # As in torchvision, boxes have no gradient.
    boxes = made("Unstack", made("StopGradient", rois), axis=1)
    pictures = made("Gather", input, cast(boxes[0], np.dtype(np.int64)), axis=0)
    left, top, right, bottom = (_plus(_times(item, spatial_scale), -0.5 * aligned) for item in boxes[1:])
    down = _samples(top, bottom, pooled_height, sampling_ratio, input.shape[2], aligned)
    across = _samples(left, right, pooled_width, sampling_ratio, input.shape[3], aligned)
    across = made("ExpandDims", made("Transpose", across, perm=[0, 2, 1]), axis=1)
    count, channels = pictures.shape[:2]
    rows = product(pictures, broadcast(across, [count, channels, *across.shape[2:]]))
    down = made("ExpandDims", down, axis=1)
    return product(broadcast(down, [count, channels, *down.shape[2:]]), rows)


def _samples(begin: Tensor, end: Tensor, bins: int, ratio: int, length: int, aligned: bool) -> Tensor:
    """Returns how much of each pixel of an axis belongs to each bin of a box. Shape: (boxes, bins, length)."""
    size = _less(end, begin)
    if not aligned:
        size = made("Maximum", size, number(1.0, size))
    shares = ((np.arange(bins * ratio) + 0.5) / (bins * ratio)).astype(begin.dtype)
    columns = [made("ExpandDims", item, axis=1) for item in (begin, size)]
    places = made("Add", columns[0], made("Multiply", columns[1], shares))
    ends = (("GreaterEqual", -1.0), ("LessEqual", float(length)))
    is_near = made("LogicalAnd", *(made(block, places, number(end, places)) for block, end in ends))
    held = made("Minimum", made("Maximum", places, number(0.0, places)), number(length - 1.0, places))
    apart = made("Abs", _less(made("ExpandDims", held, axis=2), np.arange(length, dtype=begin.dtype)))
    weights = made("Relu", _less(np.ones((), begin.dtype), apart))
    weights = made("Multiply", weights, made("ExpandDims", cast(is_near, begin.dtype), axis=2))
    found: Tensor = made("ReduceMean", reshaped(weights, [-1, bins, ratio, length]), axis=2)
    return found
