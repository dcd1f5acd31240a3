"""Elements that equal the maximum of their window: the parts of the gradient of MaxPool3D, a closed pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gradwire.blocks.support.windows import Windows, lay_windows
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.parameters import IntList, Padding


def _windows(image: Any, maxima: Any, *, ksize: Any, strides: Any, padding: Any, dilations: Any) -> Windows:
    if not 3 <= image.ndim <= 5:
        raise ShapeError(f"image {list(image.shape)} must have a batch, one to three axes of space, and channels")
    windows = lay_windows(image.shape[1:-1], ksize, strides, padding, dilations)
    expected = (image.shape[0], *windows.counts, image.shape[-1])
    if maxima.shape != expected:
        raise ShapeError(f"maxima have shape {list(maxima.shape)}, but the windows are {list(expected)}")
    return windows


def _are_equal(image: Array, maxima: Array, windows: Windows) -> Iterator[Array]:
    """Yields, for each place in a window, whether its element is the maximum, in all windows."""
    for part, is_inside in zip(windows.parts(image), windows.are_inside(), strict=True):
        yield (part == maxima) & is_inside


def _spread(g: TensorSpec, image: TensorSpec, maxima: TensorSpec, **how: Any) -> TensorSpec:
    _windows(image, maxima, **how)
    if g.shape != maxima.shape:
        raise ShapeError(f"g {list(g.shape)} and maxima {list(maxima.shape)} must have the same shape")
    return image


@block(
    "Gradient parts",
    infer=_spread,
    sums_products=True,
    formula=r"y_i = \textstyle\sum_{\text{windows}} [x_i = m]\, g",
    gradient_formula=r"\bar g = \textstyle\sum_i [x_i = m]\, \bar y_i",
)
def SpreadToEqual(
    g: Array, image: Array, maxima: Array, *, ksize: IntList, strides: IntList, padding: Padding, dilations: IntList
) -> Array:
    """Zeros to which each element of g is added wherever the image equals the maximum of its window."""
    windows = _windows(image, maxima, ksize=ksize, strides=strides, padding=padding, dilations=dilations)
    parts = (np.where(hit, g, g.dtype.type(0)) for hit in _are_equal(image, maxima, windows))
    return windows.spread(parts, image.shape, g.dtype)


@SpreadToEqual.gradient
def spread_to_equal_gradient(h: Any, g: Any, image: Any, maxima: Any, y: Any, **how: Any) -> Any:
    return SumAtEqual(h, image, maxima, **how), None, None


def _summed(values: TensorSpec, image: TensorSpec, maxima: TensorSpec, **how: Any) -> TensorSpec:
    _windows(image, maxima, **how)
    if values.shape != image.shape:
        raise ShapeError(f"values {list(values.shape)} and image {list(image.shape)} must have the same shape")
    return maxima


@block(
    "Gradient parts",
    infer=_summed,
    sums_products=True,
    formula=r"y = \textstyle\sum_{i \in \text{window}} [x_i = m]\, v_i",
    gradient_formula=r"\bar v_i = \textstyle\sum_{\text{windows}} [x_i = m]\, \bar y",
)
def SumAtEqual(
    values: Array,
    image: Array,
    maxima: Array,
    *,
    ksize: IntList,
    strides: IntList,
    padding: Padding,
    dilations: IntList,
) -> Array:
    """For each window the sum of the values where the image equals the maximum."""
    windows = _windows(image, maxima, ksize=ksize, strides=strides, padding=padding, dilations=dilations)
    total = np.zeros_like(values, order="C", shape=maxima.shape)
    for part, hit in zip(windows.parts(values), _are_equal(image, maxima, windows), strict=True):
        total += np.where(hit, part, values.dtype.type(0))
    return total


@SumAtEqual.gradient
def sum_at_equal_gradient(g: Any, values: Any, image: Any, maxima: Any, y: Any, **how: Any) -> Any:
    return SpreadToEqual(g, image, maxima, **how), None, None
