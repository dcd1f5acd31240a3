"""Convolutions, windows and resizing, with PyTorch's layout of channels first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.products import product
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, made


def _pair(value: Any) -> list[int]:
    items = [value] if isinstance(value, int) else list(value)
    return items * 2 if len(items) == 1 else items


def _padded(x: Tensor, amounts: Sequence[Sequence[int]], fill: float = 0.0) -> Tensor:
    if not any(map(any, amounts)):
        return x
    found: Tensor = made("Pad", x, paddings=[[0, 0], [0, 0], *map(list, amounts)], constant_values=fill)
    return found


@operation("conv2d.default", "conv2d.padding")
def convolution(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = (1, 1), padding: Any = (0, 0),
    dilation: Any = (1, 1), groups: int = 1,
) -> Tensor:  # fmt: skip
    """Returns the convolution of pictures; blocks see from the sizes how many groups there are."""
    steps, wide = _pair(stride), _pair(dilation)
    if padding == "same":
        whole = [step * (size - 1) for step, size in zip(wide, weight.shape[2:], strict=True)]
        amounts = [[size // 2, size - size // 2] for size in whole]
    else:
        amounts = [[size, size] for size in ([0, 0] if padding == "valid" else _pair(padding))]
    filters = made("Transpose", weight, perm=[2, 3, 1, 0])
    found: Tensor = made(
        "Conv2D", _padded(input, amounts), filters, strides=steps, padding="VALID", data_format="NCHW", dilations=wide
    )
    return found if bias is None else made("BiasAdd", found, bias, data_format="NCHW")


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


@operation("conv_transpose2d.input")
def _transposed(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = (1, 1), padding: Any = (0, 0),
    output_padding: Any = (0, 0), groups: int = 1, dilation: Any = (1, 1),
) -> Tensor:  # fmt: skip
    if groups != 1 or _pair(dilation) != [1, 1]:
        raise ModelRefusal("a transposed convolution with groups or dilation has no block")
    steps, cut, more = _pair(stride), _pair(padding), _pair(output_padding)
    count, _, *sizes = input.shape
    whole = [(size - 1) * step + width for size, step, width in zip(sizes, steps, weight.shape[2:], strict=True)]
    wanted = [size - 2 * less + extra for size, less, extra in zip(whole, cut, more, strict=True)]
    last, filters = (
        made("Transpose", item, perm=order) for item, order in ((input, [0, 2, 3, 1]), (weight, [2, 3, 1, 0]))
    )
    channels = weight.shape[1]
    found: Any = made(
        "Conv2DTranspose", last, filters, output_shape=[count, *whole, channels], strides=steps, padding="VALID"
    )
    found = made("Transpose", found, perm=[0, 3, 1, 2])
    beyond = [max(0, less + size - full) for less, size, full in zip(cut, wanted, whole, strict=True)]
    found = _padded(found, [[0, size] for size in beyond])
    found = made("Slice", found, begin=[0, 0, *cut], size=[count, channels, *wanted])
    result: Tensor = found if bias is None else made("BiasAdd", found, bias, data_format="NCHW")
    return result


def _windows(
    x: Tensor, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, fill: float
) -> tuple[Tensor, list[int], list[int]]:
    """Returns the padded pictures, and the sizes; with `ceil_mode` the last window may reach beyond."""
    sizes, steps, around = _pair(kernel_size), _pair(stride or kernel_size), _pair(padding)
    beyond = [0, 0]
    for axis, (size, step, more) in enumerate(zip(sizes, steps, around, strict=True)):
        length = x.shape[2 + axis]
        room = length + 2 * more - size
        count = (-(-room // step) if ceil_mode else room // step) + 1
        # A window has to begin inside.
        count -= int(ceil_mode and (count - 1) * step >= length + more)
        beyond[axis] = max(0, (count - 1) * step + size - length - 2 * more)
    return _padded(x, [[more, more + extra] for more, extra in zip(around, beyond, strict=True)], fill), sizes, steps


@operation("max_pool2d.default")
def _largest(
    self: Tensor,
    kernel_size: Any,
    stride: Any = (),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    ceil_mode: bool = False,
) -> Tensor:
    if _pair(dilation) != [1, 1]:
        raise ModelRefusal("max_pool2d with dilation has no block")
    # Pad takes no infinity.
    x, sizes, steps = _windows(self, kernel_size, stride, padding, ceil_mode, float(np.finfo(self.dtype).min))
    found: Tensor = made("MaxPool2D", x, ksize=sizes, strides=steps, padding="VALID", data_format="NCHW")
    return found


@operation("max_pool1d.default")
def _largest_1d(
    self: Tensor, kernel_size: Any, stride: Any = (), padding: Any = (0,), dilation: Any = (1,), ceil_mode: bool = False
) -> Tensor:
    flat = made("ExpandDims", self, axis=2)
    sides = [[*item] for item in (kernel_size, stride or kernel_size, padding, dilation)]
    found = _largest(flat, [1, *sides[0]], [1, *sides[1]], [0, *sides[2]], [1, *sides[3]], ceil_mode)
    result: Tensor = made("Squeeze", found, axis=[2])
    return result


@operation("avg_pool2d.default")
def _mean(
    self: Tensor, kernel_size: Any, stride: Any = (), padding: Any = (0, 0), ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    if ceil_mode or divisor_override:
        raise ModelRefusal("avg_pool2d with ceil_mode or a divisor of its own has no block")
    x, sizes, steps = _windows(self, kernel_size, stride, padding, False, 0.0)
    how = {"ksize": sizes, "strides": steps, "padding": "VALID", "data_format": "NCHW"}
    found: Tensor = made("AvgPool2D", x, **how)
    if count_include_pad or not any(_pair(padding)):
        return found
    ones, _, _ = _windows(np.ones((1, 1, *self.shape[2:]), self.dtype), kernel_size, stride, padding, False, 0.0)
    result: Tensor = made("Divide", found, made("AvgPool2D", ones, **how))
    return result


@operation("avg_pool1d.default")
def _mean_1d(
    self: Tensor, kernel_size: Any, stride: Any = (), padding: Any = (0,), ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:  # fmt: skip
    flat = made("ExpandDims", self, axis=self.ndim - 1)
    sides = [[*item] for item in (kernel_size, stride or kernel_size, padding)]
    found = _mean(flat, [1, *sides[0]], [1, *sides[1]], [0, *sides[2]], ceil_mode, count_include_pad)
    result: Tensor = made("Squeeze", found, axis=[self.ndim - 1])
    return result


@operation("adaptive_max_pool2d.default")
def _adaptive_largest(self: Tensor, output_size: Sequence[int]) -> tuple[Tensor, None]:
    if list(output_size) != [1, 1]:
        raise ModelRefusal("adaptive_max_pool2d to another size than 1 has no block")
    found: Tensor = made("ReduceMax", self, axis=[-2, -1], keepdims=True)
    return found, None


@operation("adaptive_avg_pool2d.default", "adaptive_avg_pool1d.default")
def _adaptive(self: Tensor, output_size: Sequence[int]) -> Tensor:
    axes = list(range(self.ndim - len(output_size), self.ndim))
    if all(size == 1 for size in output_size):
        found: Tensor = made("ReduceMean", self, axis=axes, keepdims=True)
        return found
    result = product(self, _shares(self.shape[-1], output_size[-1], self).T.copy())
    if len(output_size) > 1:
        rows = _shares(self.shape[-2], output_size[-2], self)
        result = product(broadcast(rows, [*self.shape[:-2], *rows.shape]), result)
    return result


def _shares(length: int, count: int, like: Tensor) -> Array:
    """Returns a matrix that takes the means of parts of an axis. Shape: (count, length)."""
    weights = np.zeros((count, length), like.dtype)
    for row in range(count):
        first, last = row * length // count, -(-(row + 1) * length // count)
        weights[row, first:last] = 1 / (last - first)
    return weights


@operation("upsample_nearest2d.vec", "upsample_bilinear2d.vec")
def _resized(
    input: Tensor,
    output_size: Any = None,
    align_corners: bool | None = None,
    scale_factors: Any = None,
) -> Tensor:
    sizes = output_size or [int(size * factor) for size, factor in zip(input.shape[2:], scale_factors, strict=True)]
    last = made("Transpose", input, perm=[0, 2, 3, 1])
    if align_corners:
        raise ModelRefusal("upsampling with align_corners has no block")
    # Only the bilinear form has align_corners among its arguments.
    block = "ResizeNearest" if align_corners is None else "ResizeBilinear"
    found: Tensor = made("Transpose", made(block, last, size=list(sizes)), perm=[0, 3, 1, 2])
    return found
