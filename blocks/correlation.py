"""Correlation, and what it passes back to its image and to its filters: all that convolutions and their gradients need.

The three blocks work for one, two and three axes with the channels last, and are closed under differentiation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.blocks.support.windows import Windows, lay_windows
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import NUMBER, block
from gradwire.engine.blocktypes.parameters import IntList, Padding


def windows_of(image: Shape, filters: Shape, **how: Any) -> Windows:
    """Returns the windows that filters of this shape cut from an image."""
    spatial = len(filters) - 2
    return lay_windows(image[-spatial - 1 : -1], filters[:spatial], **how)


def _check(image: Shape, filters: Shape) -> None:
    spatial = len(filters) - 2
    if spatial not in (1, 2, 3):
        raise ShapeError(f"filters {list(filters)} must have one to three axes of space, channels in and channels out")
    if len(image) < spatial + 2:
        raise ShapeError(f"input {list(image)} must have at least {spatial + 2} axes, as filters {list(filters)} have")
    if 0 in filters:
        raise ShapeError(f"filters {list(filters)} have no elements")
    channels, (given, out) = image[-1], filters[-2:]
    if channels == 0 or channels % given:
        raise ShapeError(f"input has {channels} channels but the filters take {given}")
    if out % (channels // given):
        raise ShapeError(f"{out} filters cannot be shared by {channels // given} groups of channels")


def _widened(array: Array) -> Array:
    """Returns float16 as float32: a sum of many products needs more digits, and more room, than its result."""
    return array.astype(np.float32) if array.dtype == np.float16 else array


def _in_groups(image: Array, groups: int) -> Array:
    """Returns (batch ..., space ..., channels) as (groups, batch * space, channels of one group)."""
    flat = image.reshape(math.prod(image.shape[:-1]), groups, image.shape[-1] // groups)
    return np.transpose(flat, (1, 0, 2))


def _out_of_groups(rows: Array, shape: Shape) -> Array:
    return np.transpose(rows, (1, 0, 2)).reshape(shape)


def _seen_in_groups(image: Array, windows: Windows, groups: int) -> Array:
    """Returns a matrix for each group of channels: a row for each window, with all that it sees."""
    seen = windows.seen(image, groups)
    group = seen.ndim - len(windows.space) - 2
    places, inside = (*range(group),), (*range(group + 2, seen.ndim), group + 1)
    shape = [math.prod(seen.shape[axis] for axis in axes) for axes in (places, inside)]
    # What lies side by side is copied in one go: a row of a window, or a row of windows.
    if windows.size[-1] * seen.shape[group + 1] >= windows.counts[-1]:
        return np.transpose(seen, (group, *places, *inside)).reshape((groups, *shape))
    return np.swapaxes(np.transpose(seen, (group, *inside, *places)).reshape((groups, *shape[::-1])), 1, 2)


def correlate(image: Array, filters: Array, windows: Windows) -> Array:
    """Returns the image correlated with the filters: one product of matrices for all windows."""
    wide, groups = _widened(filters), image.shape[-1] // filters.shape[-2]
    shape = (*image.shape[: -len(windows.space) - 1], *windows.counts, filters.shape[-1])
    total = _seen_in_groups(_widened(image), windows, groups) @ _in_groups(wide, groups)
    return _out_of_groups(total, shape).astype(image.dtype, copy=False)


def _turned(filters: Array, groups: int) -> Array:
    """Returns the filters point-reflected, with channels in for channels out."""
    *size, channels, out = filters.shape
    flipped = np.flip(filters, tuple(range(len(size))))
    parts = np.swapaxes(flipped.reshape((*size, channels, groups, out // groups)), -3, -1)
    return parts.reshape((*size, out // groups, groups * channels))


def spread(g: Array, filters: Array, shape: Shape, windows: Windows) -> Array:
    """Returns an image of this shape to which each output was added all over the window that it came from."""
    groups = shape[-1] // filters.shape[-2]
    turned = windows.turned()
    if turned is not None:
        return correlate(g, _turned(filters, groups), turned)
    wide = _widened(filters)
    rows = _in_groups(_widened(g), groups)
    parts = (
        _out_of_groups(rows @ np.swapaxes(_in_groups(wide[index], groups), 1, 2), (*g.shape[:-1], shape[-1]))
        for index, _ in windows.places()
    )
    return windows.spread(parts, shape, wide.dtype).astype(g.dtype, copy=False)


def correlated_spec(input: TensorSpec, filters: TensorSpec, **how: Any) -> TensorSpec:
    """Returns the spec of a correlation, whose windows move along the axes of space alone."""
    _check(input.shape, filters.shape)
    windows = windows_of(input.shape, filters.shape, **how)
    batch = input.shape[: -len(windows.space) - 1]
    return TensorSpec((*batch, *windows.counts, filters.shape[-1]), input.dtype)


@block(
    "Gradient parts",
    infer=correlated_spec,
    accepts=NUMBER,
    sums_products=True,
    formula=r"y = x \star f",
    gradient_formula=r"\bar x = \bar y \star f,\quad \bar f = x \star \bar y",
)
def Correlate(input: Array, filters: Array, *, strides: IntList, padding: Padding, dilations: IntList) -> Array:
    """Convolution over as many axes as the filters have; all parameters are for those axes alone.

    Shapes: input (batch ..., space ..., channels), filters (space ..., channels of one group, filters).
    """
    windows = windows_of(input.shape, filters.shape, strides=strides, padding=padding, dilations=dilations)
    return correlate(input, filters, windows)


@Correlate.gradient
def correlate_gradient(g: Any, input: Any, filters: Any, y: Any, **how: Any) -> Any:
    return (
        ConvInputGradient(g, filters, shape=input.shape, **how),
        ConvFilterGradient(input, g, shape=filters.shape, **how),
    )


def expect_shape(g: TensorSpec, expected: TensorSpec, name: str = "g") -> None:
    """Raises a ShapeError unless `g` is as large as what the convolution gives."""
    if g.shape != expected.shape:
        raise ShapeError(f"{name} has shape {list(g.shape)}, but the convolution gives {list(expected.shape)}")


def _input_gradient_spec(g: TensorSpec, filters: TensorSpec, *, shape: Shape, **how: Any) -> TensorSpec:
    image = TensorSpec(shape, g.dtype)
    expect_shape(g, correlated_spec(image, filters, **how))
    return image


@block(
    "Gradient parts",
    infer=_input_gradient_spec,
    sums_products=True,
    formula=r"x = g \star f",
    gradient_formula=r"\bar g = \mathrm{Correlate}(\bar x, f),\quad \bar f = \bar x \star g",
)
def ConvInputGradient(
    g: Array, filters: Array, *, shape: IntList, strides: IntList, padding: Padding, dilations: IntList
) -> Array:
    """The gradient that a convolution passes back to its image: each output spread over its window."""
    windows = windows_of(shape, filters.shape, strides=strides, padding=padding, dilations=dilations)
    return spread(g, filters, shape, windows)


@ConvInputGradient.gradient
def conv_input_gradient(h: Any, g: Any, filters: Any, x: Any, *, shape: Shape, **how: Any) -> Any:
    return Correlate(h, filters, **how), ConvFilterGradient(h, g, shape=filters.shape, **how)


def _filter_gradient_spec(input: TensorSpec, g: TensorSpec, *, shape: Shape, **how: Any) -> TensorSpec:
    filters = TensorSpec(shape, g.dtype)
    expect_shape(g, correlated_spec(input, filters, **how))
    return filters


@block(
    "Gradient parts",
    infer=_filter_gradient_spec,
    sums_products=True,
    formula=r"f = x \star g",
    gradient_formula=r"\bar x = g \star \bar f,\quad \bar g = \mathrm{Correlate}(x, \bar f)",
)
def ConvFilterGradient(
    input: Array, g: Array, *, shape: IntList, strides: IntList, padding: Padding, dilations: IntList
) -> Array:
    """The gradient that a convolution passes back to its filters: the sum of each output times its window."""
    windows = windows_of(input.shape, shape, strides=strides, padding=padding, dilations=dilations)
    groups = input.shape[-1] // shape[-2]
    seen = np.swapaxes(_seen_in_groups(_widened(input), windows, groups), 1, 2)
    return _out_of_groups(seen @ _in_groups(_widened(g), groups), shape).astype(g.dtype, copy=False)


@ConvFilterGradient.gradient
def conv_filter_gradient(h: Any, input: Any, g: Any, f: Any, *, shape: Shape, **how: Any) -> Any:
    return ConvInputGradient(g, h, shape=input.shape, **how), Correlate(input, h, **how)
