"""Average pooling over one, two and three axes, and the part of its gradient."""

from __future__ import annotations

import functools
from typing import Any, Literal

import numpy as np

from gradwire.blocks.pooling import pool, pooling, window_spec
from gradwire.blocks.support.layouts import layout_of, move_back, move_last
from gradwire.blocks.support.pool_spellings import average_pool_spelling
from gradwire.blocks.support.windows import Windows, lay_windows
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import FLOAT, Declaration, block
from gradwire.engine.blocktypes.parameters import IntList, Sizes


def average_pooling(spatial: int) -> Declaration:
    """Returns the declaration that average pooling over one, two and three axes shares."""
    return pooling(
        spatial,
        r"y = \tfrac1n \textstyle\sum_{\text{window}} x",
        r"\bar x = \textstyle\sum_{\text{windows}} \bar y / n",
        average_pool_spelling(spatial),
        FLOAT,
    )


def _covered(windows: Windows) -> Array:
    """Returns the number of image elements in each window, without the border."""
    return functools.reduce(np.add, (is_inside.astype(np.float32) for is_inside in windows.are_inside()))


def averages(image: Array, windows: Windows) -> Array:
    """Returns the mean of each window, summed in float32 at least."""
    wide = image.astype(np.promote_types(image.dtype, np.float32), copy=False)
    return (functools.reduce(np.add, windows.parts(wide)) / _covered(windows)).astype(image.dtype, copy=False)


@average_pooling(1)
def AvgPool1D(
    input: Array,
    *,
    ksize: Sizes,
    strides: Sizes,
    padding: Literal["SAME", "VALID"],
    data_format: Literal["NWC", "NCW"] = "NWC",
) -> Array:
    """The mean of each window along the columns of (batch, columns, channels); the border does not count.

    With NCW the channels come before the columns.
    """
    return pool(averages, input, data_format, ksize=ksize, strides=strides, padding=padding)


@average_pooling(2)
def AvgPool2D(
    input: Array,
    *,
    ksize: Sizes,
    strides: Sizes,
    padding: Literal["SAME", "VALID"],
    data_format: Literal["NHWC", "NCHW"] = "NHWC",
) -> Array:
    """The mean of each window over rows and columns of (batch, rows, columns, channels); the border does not count.

    With NCHW the channels come before the rows.
    """
    return pool(averages, input, data_format, ksize=ksize, strides=strides, padding=padding)


@average_pooling(3)
def AvgPool3D(
    input: Array,
    *,
    ksize: Sizes,
    strides: Sizes,
    padding: Literal["SAME", "VALID"],
    data_format: Literal["NDHWC", "NCDHW"] = "NDHWC",
) -> Array:
    """The mean of each window of (batch, planes, rows, columns, channels); the border does not count.

    With NCDHW the channels come before the planes.
    """
    return pool(averages, input, data_format, ksize=ksize, strides=strides, padding=padding)


AVERAGES = {1: AvgPool1D, 2: AvgPool2D, 3: AvgPool3D}


def average_pool_gradient(g: Any, input: Any, y: Any, *, data_format: str, **how: Any) -> Any:
    """Returns the gradient of any average pooling."""
    layout = layout_of(input.ndim - 2, data_format)
    shape = tuple(input.shape[axis] for axis in layout.order(input.ndim))
    return move_back(SpreadMeans(move_last(g, layout), shape=shape, **layout.plain(**how)), layout)


for _pooling in AVERAGES.values():
    _pooling.gradient(average_pool_gradient)


def _spread_spec(g: TensorSpec, *, shape: Shape, **how: Any) -> TensorSpec:
    image = TensorSpec(shape, g.dtype)
    expected = window_spec(image, **how)
    if g.shape != expected.shape:
        raise ShapeError(f"g has shape {list(g.shape)}, but the windows are {list(expected.shape)}")
    return image


@block(
    "Gradient parts",
    infer=_spread_spec,
    sums_products=True,
    formula=r"x = \textstyle\sum_{\text{windows}} g / n",
    gradient_formula=r"\bar g = \tfrac1n \textstyle\sum_{\text{window}} \bar x",
)
def SpreadMeans(
    g: Array, *, shape: IntList, ksize: IntList, strides: IntList, padding: Literal["SAME", "VALID"]
) -> Array:
    """The gradient that average pooling passes back: each element in equal shares to its window inside the image."""
    windows = lay_windows(shape[1:-1], ksize, strides, padding)
    share = g / _covered(windows)
    return windows.spread((share for _ in windows.places()), shape, share.dtype).astype(g.dtype, copy=False)


@SpreadMeans.gradient
def spread_means_gradient(h: Any, g: Any, x: Any, *, shape: Shape, **how: Any) -> Any:
    return AVERAGES[len(shape) - 2](h, **how)
