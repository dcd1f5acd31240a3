"""Pooling over two and three axes, with PyTorch's layout of channels first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.products import product
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, made


def sizes_of(value: Any, count: int) -> list[int]:
    """Returns one size for each of some axes."""
    items = [value] if isinstance(value, int) else list(value)
    return items * count if len(items) == 1 else items


def padded(x: Tensor, amounts: Sequence[Sequence[int]], fill: float = 0.0) -> Tensor:
    """Returns a tensor with borders around its last axes."""
    if not any(map(any, amounts)):
        return x
    around = [[0, 0]] * (x.ndim - len(amounts)) + [list(pair) for pair in amounts]
    found: Tensor = made("Pad", x, paddings=around, constant_values=fill)
    return found


def _borders(
    lengths: Sequence[int], sizes: Sequence[int], steps: Sequence[int], around: Sequence[int], ceil_mode: bool
) -> list[list[int]]:
    """Returns the borders of each axis; with `ceil_mode` the last window may reach beyond."""
    found = []
    for length, size, step, more in zip(lengths, sizes, steps, around, strict=True):
        room = length + 2 * more - size
        count = (-(-room // step) if ceil_mode else room // step) + 1
        # A window has to begin inside.
        count -= int(ceil_mode and (count - 1) * step >= length + more)
        found.append([more, more + max(0, (count - 1) * step + size - length - 2 * more)])
    return found


def _lowest(x: Tensor) -> float:
    # Pad takes no infinity.
    return float(np.finfo(x.dtype).min)


@operation("max_pool2d.default")
def _largest(
    self: Tensor,
    kernel_size: Any,
    stride: Any = (),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    ceil_mode: bool = False,
) -> Tensor:
    if self.ndim == 3:
        return _without_first(_largest(_with_first(self), kernel_size, stride, padding, dilation, ceil_mode))
    sizes, steps, gaps = (sizes_of(item, 2) for item in (kernel_size, stride or kernel_size, dilation))
    whole = [gap * (size - 1) + 1 for gap, size in zip(gaps, sizes, strict=True)]
    borders = _borders(self.shape[2:], whole, steps, sizes_of(padding, 2), ceil_mode)
    x = padded(self, borders, _lowest(self))
    if gaps == [1, 1]:
        found: Tensor = made("MaxPool2D", x, ksize=sizes, strides=steps, padding="VALID", data_format="NCHW")
        return found
    # A dilation by a filter of zeros is a maximum over windows with gaps; of equal ones the first counts, as here.
    filters = np.zeros((*sizes, self.shape[1]), self.dtype)
    last = made("Transpose", x, perm=[0, 2, 3, 1])
    found = made("Dilation2D", last, filters, strides=steps, padding="VALID", dilations=gaps)
    result: Tensor = made("Transpose", found, perm=[0, 3, 1, 2])
    return result


def _with_first(x: Tensor) -> Tensor:
    found: Tensor = made("ExpandDims", x, axis=0)
    return found


def _without_first(x: Tensor) -> Tensor:
    return reshaped(x, x.shape[1:])


@operation("max_pool1d.default")
def _largest_1d(
    self: Tensor, kernel_size: Any, stride: Any = (), padding: Any = (0,), dilation: Any = (1,), ceil_mode: bool = False
) -> Tensor:
    flat = made("ExpandDims", self, axis=self.ndim - 1)
    sides = [[*item] for item in (kernel_size, stride or kernel_size, padding, dilation)]
    found = _largest(flat, [1, *sides[0]], [1, *sides[1]], [0, *sides[2]], [1, *sides[3]], ceil_mode)
    result: Tensor = made("Squeeze", found, axis=[self.ndim - 1])
    return result


@operation("max_pool3d.default")
def _largest_3d(
    self: Tensor, kernel_size: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Tensor:
    sizes, steps, around, gaps = (sizes_of(item, 3) for item in (kernel_size, stride or kernel_size, padding, dilation))
    lead, (planes, rows, columns) = self.shape[:-3], self.shape[-3:]
    # MaxPool3D gives each of equal ones all of the gradient: first each plane, and then across planes.
    pictures = reshaped(self, [math.prod(lead), planes, rows, columns])
    pictures = _largest(pictures, sizes[1:], steps[1:], around[1:], gaps[1:], ceil_mode)
    rows, columns = pictures.shape[2:]
    lines = reshaped(pictures, [math.prod(lead), 1, planes, rows * columns])
    found = _largest(lines, [sizes[0], 1], [steps[0], 1], [around[0], 0], [gaps[0], 1], ceil_mode)
    return reshaped(found, [*lead, found.shape[2], rows, columns])


@operation("avg_pool2d.default", "avg_pool3d.default")
def _mean(
    self: Tensor, kernel_size: Any, stride: Any = (), padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    axes = len(kernel_size) if isinstance(kernel_size, Sequence) and len(kernel_size) > 1 else self.ndim - 2
    if self.ndim == axes + 1:
        how = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        return _without_first(_mean(_with_first(self), *how))
    sizes, steps, around = (sizes_of(item, axes) for item in (kernel_size, stride or kernel_size, padding))
    borders = _borders(self.shape[2:], sizes, steps, around, ceil_mode)
    block, layout = ("AvgPool2D", "NCHW") if axes == 2 else ("AvgPool3D", "NCDHW")
    given = {"ksize": sizes, "strides": steps, "padding": "VALID", "data_format": layout}
    found: Tensor = made(block, padded(self, borders), **given)
    if divisor_override:
        return _times(found, np.asarray(math.prod(sizes) / divisor_override, self.dtype))
    counted = [[0, 0] if count_include_pad else pair for pair in borders]
    beyond = [[0, pair[1] - more] for pair, more in zip(borders, around, strict=True)]
    if not any(map(any, counted)) and not any(map(any, beyond)):
        return found
    share = made(block, _ones_inside(self, borders, around if count_include_pad else [0] * axes), **given)
    result: Tensor = made("Divide", found, share)
    return result


def _ones_inside(x: Tensor, borders: Sequence[Sequence[int]], around: Sequence[int]) -> Array:
    """Returns ones where a picture counts, with so much around it, and zeros in the rest of its borders."""
    inside = np.ones([1, 1, *(size + 2 * more for size, more in zip(x.shape[2:], around, strict=True))], x.dtype)
    rest = [(before - more, after - more) for (before, after), more in zip(borders, around, strict=True)]
    return np.pad(inside, [(0, 0), (0, 0), *rest])


def _times(x: Tensor, factor: Array) -> Tensor:
    found: Tensor = made("Multiply", x, factor)
    return found


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


@operation("adaptive_avg_pool1d.default", "adaptive_avg_pool2d.default", "adaptive_avg_pool3d.default")
def _adaptive(self: Tensor, output_size: Sequence[int]) -> Tensor:
    axes = list(range(self.ndim - len(output_size), self.ndim))
    if all(size == 1 for size in output_size):
        found: Tensor = made("ReduceMean", self, axis=axes, keepdims=True)
        return found
    if len(output_size) > 2:
        if output_size[0] not in (1, self.shape[axes[0]]):
            raise ModelRefusal("adaptive_avg_pool3d to several planes, but not to all of them, has no block")
        planes = made("ReduceMean", self, axis=axes[:1], keepdims=True) if output_size[0] == 1 else self
        return _adaptive(planes, output_size[1:])
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
