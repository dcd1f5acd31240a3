"""Convolutions, windows and resizing, with PyTorch's layout of channels first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.pools import padded, sizes_of
from gradwire.interop.aten.products import product
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.tensors import Tensor, broadcast, made


@operation("conv2d.default", "conv2d.padding")
def convolution(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = (1, 1), padding: Any = (0, 0),
    dilation: Any = (1, 1), groups: int = 1,
) -> Tensor:  # fmt: skip
    """Returns the convolution of pictures; blocks see from the sizes how many groups there are."""
    steps, wide = sizes_of(stride, 2), sizes_of(dilation, 2)
    amounts = _amounts(weight, padding, wide)
    filters = made("Transpose", weight, perm=[2, 3, 1, 0])
    found: Tensor = made(
        "Conv2D", padded(input, amounts), filters, strides=steps, padding="VALID", data_format="NCHW", dilations=wide
    )
    return found if bias is None else made("BiasAdd", found, bias, data_format="NCHW")


def _amounts(weight: Tensor, padding: Any, dilations: Sequence[int]) -> list[list[int]]:
    """Returns the borders of each axis of a convolution."""
    if padding == "same":
        whole = [step * (size - 1) for step, size in zip(dilations, weight.shape[2:], strict=True)]
        return [[size // 2, size - size // 2] for size in whole]
    sizes = sizes_of(0 if padding == "valid" else padding, len(dilations))
    return [[size, size] for size in sizes]


@operation("conv1d.default", "conv1d.padding")
def _convolution_1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = (1,), padding: Any = (0,),
    dilation: Any = (1,), groups: int = 1,
) -> Tensor:  # fmt: skip
    first, second, third = (
        item
        if isinstance(item, str)
        else [0 if place == "padding" else 1, *([item] if isinstance(item, int) else item)]
        for place, item in (("stride", stride), ("padding", padding), ("dilation", dilation))
    )
    flat = made("ExpandDims", input, axis=2)
    found = convolution(flat, made("ExpandDims", weight, axis=2), bias, first, second, third, groups)
    result: Tensor = made("Squeeze", found, axis=[2])
    return result


@operation("conv3d.default", "conv3d.padding")
def _convolution_3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int = 1,
) -> Tensor:  # fmt: skip
    if groups != 1:
        return _by_groups(_convolution_3d, input, weight, bias, groups, (stride, padding, dilation))
    steps, wide = sizes_of(stride, 3), sizes_of(dilation, 3)
    filters = made("Transpose", weight, perm=[2, 3, 4, 1, 0])
    found: Any = padded(input, _amounts(weight, padding, wide))
    how = {"strides": steps, "padding": "VALID", "data_format": "NCDHW", "dilations": wide}
    found = made("Conv3D", found, filters, **how)
    result: Tensor = found if bias is None else made("Add", found, reshaped(bias, [1, -1, 1, 1, 1]))
    return result


def _by_groups(
    convolve: Any, input: Tensor, weight: Tensor, bias: Tensor | None, groups: int, how: Sequence[Any], axis: int = 0
) -> Tensor:
    """Returns a convolution of each group of channels beside the others; filters are divided along an axis."""
    parts = [made("Split", item, num_or_size_splits=groups, axis=place) for item, place in ((input, 1), (weight, axis))]
    found: Any = made("Concat", *(convolve(x, part, None, *how) for x, part in zip(*parts, strict=True)), axis=1)
    result: Tensor = found if bias is None else made("Add", found, reshaped(bias, [1, -1, *[1] * (found.ndim - 2)]))
    return result


@operation("conv_transpose2d.input")
def _transposed(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = (1, 1), padding: Any = (0, 0),
    output_padding: Any = (0, 0), groups: int = 1, dilation: Any = (1, 1),
) -> Tensor:  # fmt: skip
    if groups != 1:
        return _by_groups(_transposed, input, weight, bias, groups, (stride, padding, output_padding, 1, dilation))
    steps, cut, more, wide = (sizes_of(item, 2) for item in (stride, padding, output_padding, dilation))
    count, _, *sizes = input.shape
    widths = [gap * (width - 1) + 1 for gap, width in zip(wide, weight.shape[2:], strict=True)]
    whole = [(size - 1) * step + width for size, step, width in zip(sizes, steps, widths, strict=True)]
    wanted = [size - 2 * less + extra for size, less, extra in zip(whole, cut, more, strict=True)]
    last, filters = (
        made("Transpose", item, perm=order) for item, order in ((input, [0, 2, 3, 1]), (weight, [2, 3, 1, 0]))
    )
    channels = weight.shape[1]
    how = {"output_shape": [count, *whole, channels], "strides": steps, "padding": "VALID", "dilations": wide}
    found: Any = made("Conv2DTranspose", last, filters, **how)
    found = made("Transpose", found, perm=[0, 3, 1, 2])
    beyond = [max(0, less + size - full) for less, size, full in zip(cut, wanted, whole, strict=True)]
    found = padded(found, [[0, size] for size in beyond])
    found = made("Slice", found, begin=[0, 0, *cut], size=[count, channels, *wanted])
    result: Tensor = found if bias is None else made("BiasAdd", found, bias, data_format="NCHW")
    return result


@operation("conv_transpose1d.default")
def _transposed_1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0,
    output_padding: Any = 0, groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    (step,), (cut,), (more,), (wide,) = (sizes_of(item, 1) for item in (stride, padding, output_padding, dilation))
    flat, filters = (made("ExpandDims", item, axis=2) for item in (input, weight))
    found = _transposed(flat, filters, bias, [1, step], [0, cut], [0, more], groups, [1, wide])
    result: Tensor = made("Squeeze", found, axis=[2])
    return result


@operation("upsample_nearest2d.vec", "upsample_bilinear2d.vec")
def _resized(
    input: Tensor,
    output_size: Any = None,
    align_corners: bool | None = None,
    scale_factors: Any = None,
) -> Tensor:
    lengths = input.shape[2:]
    sizes = list(output_size or [int(size * factor) for size, factor in zip(lengths, scale_factors, strict=True)])
    plain = [old / new for old, new in zip(lengths, sizes, strict=True)]
    # A factor that was given counts for the places, also where the size had to be rounded.
    ratios = [1 / factor for factor in scale_factors] if scale_factors else plain
    axes = [*zip(lengths, sizes, ratios, strict=True)]
    # Only the bilinear form has align_corners among its arguments.
    if align_corners is None:
        return _nearest(input, axes)
    if align_corners:
        return _mixed(input, [np.linspace(0, old - 1, new) if new > 1 else np.zeros(1) for old, new, _ in axes])
    if ratios == plain and input.dtype == np.float32:
        return _by_block("ResizeBilinear", input, sizes)
    places = [(np.arange(new) + 0.5) * ratio - 0.5 for _, new, ratio in axes]
    return _mixed(input, [np.clip(item, 0, old - 1) for item, old in zip(places, lengths, strict=True)])


def _by_block(block: str, x: Tensor, sizes: list[int]) -> Tensor:
    found: Tensor = made(
        "Transpose", made(block, made("Transpose", x, perm=[0, 2, 3, 1]), size=sizes), perm=[0, 3, 1, 2]
    )
    return found


def _nearest(x: Tensor, axes: Sequence[tuple[int, int, float]]) -> Tensor:
    """Returns pictures of the pixels in which the corners of new ones lie, as in PyTorch; the block goes by centres."""
    starts = [np.floor(np.arange(new, dtype=np.float32) * np.float32(ratio)) for _, new, ratio in axes]
    taken = [np.minimum(item, old - 1).astype(np.int64) for item, (old, _, _) in zip(starts, axes, strict=True)]
    centres = [(2 * np.arange(new) + 1) * old // (2 * new) for old, new, _ in axes]
    if all(np.array_equal(*pair) for pair in zip(taken, centres, strict=True)):
        return _by_block("ResizeNearest", x, [new for _, new, _ in axes])
    for axis, places in enumerate(taken, 2):
        x = made("Gather", x, places, axis=axis)
    return x


def _mixed(x: Tensor, places: Sequence[Array]) -> Tensor:
    """Returns pictures whose rows and columns are mixed of the two beside their places."""
    rows, columns = (_weights(item, length, x) for item, length in zip(places, x.shape[2:], strict=True))
    found = product(x, columns.T.copy())
    return product(broadcast(rows, [*x.shape[:2], *rows.shape]), found)


def _weights(places: Array, length: int, like: Tensor) -> Array:
    """Returns a matrix that reads an axis at places between its ends. Shape: (places, length)."""
    return np.asarray(np.maximum(0, 1 - np.abs(places[:, None] - np.arange(length))), like.dtype)
