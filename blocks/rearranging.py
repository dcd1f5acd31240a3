"""Elements moved between the axes of space, the channels and the batch of images."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, Declaration, block
from gradwire.engine.blocktypes.parameters import IntList, Pairs
from gradwire.engine.blocktypes.spelling import Spelling

Borders = tuple[tuple[int, int], ...]


def _check_image(x: TensorSpec, block_size: int) -> None:
    if x.ndim != 4:
        raise ShapeError(f"x {list(x.shape)} must have four axes: batch, rows, columns, channels")
    if block_size < 2:
        raise ParameterError(f"block_size must be at least 2, not {block_size}")


def _deeper(x: TensorSpec, *, block_size: int) -> TensorSpec:
    _check_image(x, block_size)
    batch, rows, columns, channels = x.shape
    if rows % block_size or columns % block_size:
        raise ShapeError(f"{rows} rows and {columns} columns cannot be cut into blocks of {block_size}")
    return TensorSpec((batch, rows // block_size, columns // block_size, channels * block_size**2), x.dtype)


def _wider(x: TensorSpec, *, block_size: int) -> TensorSpec:
    _check_image(x, block_size)
    batch, rows, columns, channels = x.shape
    if channels % block_size**2:
        raise ShapeError(f"{channels} channels cannot be laid out in blocks of {block_size} by {block_size}")
    return TensorSpec((batch, rows * block_size, columns * block_size, channels // block_size**2), x.dtype)


def _moving(infer: Any, formula: str, name: str, inverse: str) -> Declaration:
    """Returns the declaration that blocks share whose gradient is another one of them."""
    parameters = {"depth": "{block_size}", "batch": "{block_shape}, "}
    kind = "depth" if "depth" in name else "batch"
    more = ("{paddings}" if name == "space_to_batch" else "{crops}") if kind == "batch" else ""
    module = "tf.nn" if kind == "depth" else "tf"
    return block(
        "Shape",
        infer=infer,
        accepts=ANY,
        only_moves_data=True,
        formula=formula,
        gradient_formula=rf"\bar x = \mathrm{{{inverse}}}(\bar y)",
        source=f"{module}.{name}",
        spelling=Spelling("", f"{module}.{name}({{x}}, {parameters[kind]}{more})", "", ""),
    )


@_moving(_deeper, r"y_{n i j, (a b c)} = x_{n, k i + a, k j + b, c}", "space_to_depth", "DepthToSpace")
def SpaceToDepth(x: Array, *, block_size: int) -> Array:
    """Every block of `block_size` by `block_size` pixels as the channels of one pixel; images are NHWC."""
    batch, rows, columns, channels = x.shape
    cut = x.reshape(batch, rows // block_size, block_size, columns // block_size, block_size, channels)
    return cut.transpose(0, 1, 3, 2, 4, 5).reshape(_deeper(TensorSpec(x.shape, x.dtype), block_size=block_size).shape)


@SpaceToDepth.gradient
def space_to_depth_gradient(g: Any, x: Any, y: Any, *, block_size: int) -> Any:
    return DepthToSpace(g, block_size=block_size)


@_moving(_wider, r"y_{n, k i + a, k j + b, c} = x_{n i j, (a b c)}", "depth_to_space", "SpaceToDepth")
def DepthToSpace(x: Array, *, block_size: int) -> Array:
    """The channels of every pixel laid out as a block of `block_size` by `block_size` pixels; images are NHWC."""
    batch, rows, columns, channels = x.shape
    cut = x.reshape(batch, rows, columns, block_size, block_size, channels // block_size**2)
    return cut.transpose(0, 1, 3, 2, 4, 5).reshape(_wider(TensorSpec(x.shape, x.dtype), block_size=block_size).shape)


@DepthToSpace.gradient
def depth_to_space_gradient(g: Any, x: Any, y: Any, *, block_size: int) -> Any:
    return SpaceToDepth(g, block_size=block_size)


def _check_blocks(x: TensorSpec, block_shape: Shape, borders: Borders, name: str) -> None:
    if not block_shape or min(block_shape) < 1:
        raise ParameterError(f"block_shape {list(block_shape)} must hold numbers of at least 1")
    if len(borders) != len(block_shape):
        raise ParameterError(f"{name} must hold a pair for each of the {len(block_shape)} sizes of block_shape")
    if x.ndim <= len(block_shape):
        raise ShapeError(f"x {list(x.shape)} must have a batch and {len(block_shape)} axes of space")


def _more_images(x: TensorSpec, *, block_shape: Shape, paddings: Borders) -> TensorSpec:
    _check_blocks(x, block_shape, paddings, "paddings")
    sizes = [size + sum(pair) for size, pair in zip(x.shape[1:], paddings, strict=False)]
    for size, count in zip(sizes, block_shape, strict=True):
        if size % count:
            raise ShapeError(f"{size} elements, the border included, cannot be cut into blocks of {count}")
    space = (size // count for size, count in zip(sizes, block_shape, strict=True))
    return TensorSpec((x.shape[0] * math.prod(block_shape), *space, *x.shape[len(block_shape) + 1 :]), x.dtype)


def _fewer_images(x: TensorSpec, *, block_shape: Shape, crops: Borders) -> TensorSpec:
    _check_blocks(x, block_shape, crops, "crops")
    count = math.prod(block_shape)
    if x.shape[0] % count:
        raise ShapeError(f"a batch of {x.shape[0]} cannot be laid out in blocks of {count}")
    space = []
    for size, times, pair in zip(x.shape[1:], block_shape, crops, strict=False):
        if sum(pair) > size * times:
            raise ShapeError(f"crops {list(pair)} are more than the {size * times} elements there are")
        space.append(size * times - sum(pair))
    return TensorSpec((x.shape[0] // count, *space, *x.shape[len(block_shape) + 1 :]), x.dtype)


@_moving(
    _more_images, r"y_{(a b n) i j} = x_{n, k i + a, l j + b} \text{ with a border}", "space_to_batch", "BatchToSpace"
)
def SpaceToBatch(x: Array, *, block_shape: IntList, paddings: Pairs) -> Array:
    """Every block of pixels spread over that many images; a border of zeros is added before.

    `block_shape` holds the sizes of a block along the axes after the batch, `paddings` a pair for each of them.
    """
    spatial = len(block_shape)
    rest = x.ndim - spatial - 1
    padded = np.pad(x, ((0, 0), *paddings, *((0, 0),) * rest))
    cut = [padded.shape[0]]
    for size, count in zip(padded.shape[1:], block_shape, strict=False):
        cut += [size // count, count]
    parts = padded.reshape(*cut, *padded.shape[spatial + 1 :])
    inside, outside = range(2, 2 * spatial + 1, 2), range(1, 2 * spatial + 1, 2)
    moved = parts.transpose(*inside, 0, *outside, *range(2 * spatial + 1, parts.ndim))
    return moved.reshape(padded.shape[0] * math.prod(block_shape), *moved.shape[spatial + 1 :])


@SpaceToBatch.gradient
def space_to_batch_gradient(g: Any, x: Any, y: Any, *, block_shape: Shape, paddings: Borders) -> Any:
    return BatchToSpace(g, block_shape=block_shape, crops=paddings)


@_moving(_fewer_images, r"y_{n, k i + a, l j + b} = x_{(a b n) i j} \text{, cropped}", "batch_to_space", "SpaceToBatch")
def BatchToSpace(x: Array, *, block_shape: IntList, crops: Pairs) -> Array:
    """Images laid out as the pixels of blocks, and then cropped: it undoes SpaceToBatch.

    `block_shape` holds the sizes of a block along the axes after the batch, `crops` a pair for each of them; what is
    cropped has no gradient.
    """
    spatial, batch = len(block_shape), x.shape[0] // math.prod(block_shape)
    parts = x.reshape(*block_shape, batch, *x.shape[1:])
    order = [spatial]
    for axis in range(spatial):
        order += [spatial + 1 + axis, axis]
    moved = parts.transpose(*order, *range(2 * spatial + 1, parts.ndim))
    sizes = [size * count for size, count in zip(x.shape[1:], block_shape, strict=False)]
    whole = moved.reshape(batch, *sizes, *x.shape[spatial + 1 :])
    kept = (slice(before, size - after) for size, (before, after) in zip(sizes, crops, strict=True))
    return whole[(slice(None), *kept)]


@BatchToSpace.gradient
def batch_to_space_gradient(g: Any, x: Any, y: Any, *, block_shape: Shape, crops: Borders) -> Any:
    return SpaceToBatch(g, block_shape=block_shape, paddings=crops)
