"""Convolution of images, and the two blocks of its gradient; the three are closed under differentiation."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.windows import Windows, lay_windows
from engine.block_type import NUMBER, block
from engine.errors import ShapeError
from engine.parameters import IntList, Padding, Sizes
from engine.spelling import Spelling
from engine.tensor_spec import Array, Shape, TensorSpec


def _windows(image: Shape, filters: Shape, **how: Any) -> Windows:
    return lay_windows(image, (filters[0], filters[1]), **how)


def _check(image: Shape, filters: Shape) -> None:
    if len(image) != 4 or len(filters) != 4:
        raise ShapeError(f"input {list(image)} and filters {list(filters)} must both have four axes")
    if 0 in filters:
        raise ShapeError(f"filters {list(filters)} have no elements")
    _, _, given, out = filters
    if image[3] == 0 or image[3] % given:
        raise ShapeError(f"input has {image[3]} channels but the filters take {given}")
    if out % (image[3] // given):
        raise ShapeError(f"{out} filters cannot be shared by {image[3] // given} groups of channels")


def _convolved(input: TensorSpec, filters: TensorSpec, **how: Any) -> TensorSpec:
    _check(input.shape, filters.shape)
    count = _windows(input.shape, filters.shape, **how).counts
    return TensorSpec((input.shape[0], *count, filters.shape[3]), input.dtype)


def _in_groups(image: Array, groups: int) -> Array:
    """(batch, rows, columns, channels) as (groups, batch * rows * columns, channels of one group)."""
    flat = image.reshape(-1, groups, image.shape[3] // groups)
    return np.ascontiguousarray(flat.transpose(1, 0, 2))


def _filters_in_groups(matrix: Array, groups: int) -> Array:
    """(channels of one group, filters) as (groups, channels of one group, filters of one group)."""
    return matrix.reshape(matrix.shape[0], groups, -1).transpose(1, 0, 2)


def _out_of_groups(rows: Array, shape: Shape) -> Array:
    return rows.transpose(1, 0, 2).reshape(shape)


@block(
    "Convolution",
    infer=_convolved,
    accepts=NUMBER,
    adds_products=True,
    formula=r"y_{n i j o} = \textstyle\sum_{a b c} x_{n, s i + d a, s j + d b, c}\, f_{a b c o}",
    gradient_formula=r"\bar x = \bar y \star f,\quad \bar f = x \star \bar y",
    source="tf.nn.conv2d: cross-correlation, images as NHWC, filters as HWIO",
    spelling=Spelling(
        "",
        "tf.nn.conv2d({input}, {filters}, strides={strides}, padding={padding}, dilations={dilations})",
        "",
        "",
    ),
)
def Conv2D(input: Array, filters: Array, *, strides: Sizes, padding: Padding, dilations: Sizes = 1) -> Array:
    """Images (batch, rows, columns, channels) correlated with filters (rows, columns, channels in, channels out).

    `strides` and `dilations` are one number, two, or four with 1 for batch and channels. `padding` is SAME, VALID or
    four pairs. Filters with fewer channels than the image divide its channels into groups.
    """
    windows = _windows(input.shape, filters.shape, strides=strides, padding=padding, dilations=dilations)
    padded, groups = windows.pad(input), input.shape[3] // filters.shape[2]
    shape = (input.shape[0], *windows.counts, filters.shape[3])
    total = np.zeros((groups, shape[0] * shape[1] * shape[2], shape[3] // groups), input.dtype)
    for row, column, place in windows.offsets():
        total += _in_groups(padded[place], groups) @ _filters_in_groups(filters[row, column], groups)
    return _out_of_groups(total, shape)


@Conv2D.gradient
def conv2d_gradient(g: Any, input: Any, filters: Any, y: Any, **how: Any) -> Any:
    return (
        Conv2DInputGradient(g, filters, shape=input.shape, **how),
        Conv2DFilterGradient(input, g, shape=filters.shape, **how),
    )


def _input_gradient_spec(g: TensorSpec, filters: TensorSpec, *, shape: Shape, **how: Any) -> TensorSpec:
    image = TensorSpec(shape, g.dtype)
    _expect(g, _convolved(image, filters, **how))
    return image


def _filter_gradient_spec(input: TensorSpec, g: TensorSpec, *, shape: Shape, **how: Any) -> TensorSpec:
    filters = TensorSpec(shape, g.dtype)
    _expect(g, _convolved(input, filters, **how))
    return filters


def _expect(g: TensorSpec, expected: TensorSpec) -> None:
    if g.shape != expected.shape:
        raise ShapeError(f"g has shape {list(g.shape)}, but the convolution gives {list(expected.shape)}")


@block(
    "Gradient parts",
    infer=_input_gradient_spec,
    adds_products=True,
    formula=r"x = g \star f",
    gradient_formula=r"\bar g = \mathrm{Conv2D}(\bar x, f),\quad \bar f = \bar x \star g",
)
def Conv2DInputGradient(
    g: Array, filters: Array, *, shape: IntList, strides: Sizes, padding: Padding, dilations: Sizes = 1
) -> Array:
    """What Conv2D passes back to its image: each output spread over the window that it came from."""
    windows = _windows(shape, filters.shape, strides=strides, padding=padding, dilations=dilations)
    groups = shape[3] // filters.shape[2]
    padded = windows.pad(np.zeros(shape, g.dtype))
    rows, spread = _in_groups(g, groups), (shape[0], *windows.counts, shape[3])
    for row, column, place in windows.offsets():
        parts = rows @ _filters_in_groups(filters[row, column], groups).transpose(0, 2, 1)
        padded[place] += _out_of_groups(parts, spread)
    return windows.crop(padded)


@Conv2DInputGradient.gradient
def conv2d_input_gradient(h: Any, g: Any, filters: Any, x: Any, *, shape: Shape, **how: Any) -> Any:
    return Conv2D(h, filters, **how), Conv2DFilterGradient(h, g, shape=filters.shape, **how)


@block(
    "Gradient parts",
    infer=_filter_gradient_spec,
    adds_products=True,
    formula=r"f = x \star g",
    gradient_formula=r"\bar x = g \star \bar f,\quad \bar g = \mathrm{Conv2D}(x, \bar f)",
)
def Conv2DFilterGradient(
    input: Array, g: Array, *, shape: IntList, strides: Sizes, padding: Padding, dilations: Sizes = 1
) -> Array:
    """What Conv2D passes back to its filters: each output times the window that it came from, added up."""
    windows = _windows(input.shape, shape, strides=strides, padding=padding, dilations=dilations)
    padded, groups = windows.pad(input), input.shape[3] // shape[2]
    rows, filters = _in_groups(g, groups), np.zeros(shape, g.dtype)
    for row, column, place in windows.offsets():
        products = _in_groups(padded[place], groups).transpose(0, 2, 1) @ rows
        filters[row, column] = _out_of_groups(products, shape[2:])
    return filters


@Conv2DFilterGradient.gradient
def conv2d_filter_gradient(h: Any, input: Any, g: Any, f: Any, *, shape: Shape, **how: Any) -> Any:
    return Conv2DInputGradient(g, h, shape=input.shape, **how), Conv2D(input, h, **how)
