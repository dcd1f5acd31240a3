"""Convolution over one, two and three axes, and its transpose, in the data formats of TensorFlow."""

from __future__ import annotations

import functools
from typing import Any, Literal

from gradwire.blocks.correlation import (
    conv_input_gradient,
    correlate,
    correlate_gradient,
    correlated_spec,
    expect_shape,
    spread,
    windows_of,
)
from gradwire.blocks.support.layouts import Layout, last_spec, layout_of, move_back, move_last, spec_back
from gradwire.blocks.support.window_spellings import convolution_spelling, transposed_spelling
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import FLOAT, NUMBER, Declaration, Dtypes, block
from gradwire.engine.blocktypes.parameters import IntList, Padding, Sizes


def plain(layout: Layout, *, stride: Any = None, **how: Any) -> dict[str, Any]:
    """Returns a convolution's parameters as its parts take them; Conv1D alone says `stride`, as TensorFlow does."""
    return layout.plain(strides=how.pop("strides", stride), **how)


def convolved_spec(
    spatial: int, input: TensorSpec, filters: TensorSpec, *, data_format: str | None, **how: Any
) -> TensorSpec:
    """Infers the spec of all convolutions."""
    if filters.ndim != spatial + 2:
        raise ShapeError(
            f"filters {list(filters.shape)} must have {spatial + 2} axes: space, channels in, channels out"
        )
    layout = layout_of(spatial, data_format)
    image = last_spec(input, layout, has_one_batch=False)
    if spatial == 3 and image.shape[-1] != filters.shape[-2]:
        # As TensorFlow on a processor: groups of channels are for one and two axes.
        raise ShapeError(f"input has {image.shape[-1]} channels but the filters take {filters.shape[-2]}")
    return spec_back(correlated_spec(image, filters, **plain(layout, **how)), layout)


def convolve(input: Array, filters: Array, data_format: str | None, **how: Any) -> Array:
    """Returns the result of any convolution."""
    layout = layout_of(filters.ndim - 2, data_format)
    image = layout.channels_last(input)
    windows = windows_of(image.shape, filters.shape, **layout.plain(**how))
    return layout.channels_back(correlate(image, filters, windows))


def convolution_gradient(g: Any, input: Any, filters: Any, y: Any, *, data_format: str | None, **how: Any) -> Any:
    """Returns the gradients of any convolution."""
    layout = layout_of(filters.ndim - 2, data_format)
    parts = correlate_gradient(move_last(g, layout), move_last(input, layout), filters, y, **plain(layout, **how))
    return move_back(parts[0], layout), parts[1]


def convolution(spatial: int, accepts: Dtypes = NUMBER) -> Declaration:
    """Returns the declaration that the convolutions over one, two and three axes share."""
    places = ("s i + d a", "s j + d b", "s k + d e")[:spatial]
    moved, own, inner = ", ".join(places), " ".join("ijk"[:spatial]), " ".join("abe"[:spatial])
    return block(
        "Convolution",
        infer=functools.partial(convolved_spec, spatial),
        accepts=accepts,
        sums_products=True,
        formula=rf"y_{{n {own} o}} = \textstyle\sum_{{{inner} c}} x_{{n, {moved}, c}}\, f_{{{inner} c o}}",
        gradient_formula=r"\bar x = \bar y \star f,\quad \bar f = x \star \bar y",
        source=f"tf.nn.conv{spatial}d: cross-correlation, not flipped",
        spelling=convolution_spelling(spatial),
    )


@convolution(1)
def Conv1D(
    input: Array,
    filters: Array,
    *,
    stride: Sizes,
    padding: Literal["SAME", "VALID"],
    data_format: Literal["NWC", "NCW"] = "NWC",
    dilations: Sizes | None = None,
) -> Array:
    """Sequences (batch, columns, channels) correlated with filters (columns, channels in, channels out).

    `stride` and `dilations` are one number, or three with 1 for batch and channels. Filters with fewer channels than
    the input divide its channels into groups. With NCW the channels come before the columns.
    """
    return convolve(input, filters, data_format, strides=stride, padding=padding, dilations=dilations)


@convolution(2)
def Conv2D(
    input: Array,
    filters: Array,
    *,
    strides: Sizes,
    padding: Padding,
    data_format: Literal["NHWC", "NCHW"] = "NHWC",
    dilations: Sizes | None = None,
) -> Array:
    """Images (batch, rows, columns, channels) correlated with filters (rows, columns, channels in, channels out).

    `strides` and `dilations` are one number, two, or four with 1 for batch and channels. `padding` is SAME, VALID or
    four pairs. Filters with fewer channels than the image divide its channels into groups. With NCHW the channels come
    before the rows, in lists of four as well.
    """
    return convolve(input, filters, data_format, strides=strides, padding=padding, dilations=dilations)


@convolution(3, FLOAT)
def Conv3D(
    input: Array,
    filters: Array,
    *,
    strides: Sizes,
    padding: Literal["SAME", "VALID"],
    data_format: Literal["NDHWC", "NCDHW"] = "NDHWC",
    dilations: Sizes | None = None,
) -> Array:
    """Volumes (batch, planes, rows, columns, channels) correlated with filters (planes, rows, columns, in, out).

    `strides` and `dilations` are one number, three, or five with 1 for batch and channels. With NCDHW the channels come
    before the planes. There are no groups of channels here.
    """
    return convolve(input, filters, data_format, strides=strides, padding=padding, dilations=dilations)


for _convolution in (Conv1D, Conv2D, Conv3D):
    _convolution.gradient(convolution_gradient)


def _whole(input: Shape, filters: Shape, output_shape: Shape, layout: Layout) -> Shape:
    """Returns the shape of a transposed convolution's result, channels last; two numbers are its rows and columns."""
    if len(output_shape) == 2:
        return input[0], *output_shape, filters[2]
    if len(output_shape) != 4:
        raise ShapeError(f"output_shape {list(output_shape)} must hold four sizes, or those of rows and columns")
    return tuple(output_shape[axis] for axis in layout.order(4))


def _transposed_spec(
    input: TensorSpec, filters: TensorSpec, *, output_shape: Shape, data_format: str, **how: Any
) -> TensorSpec:
    if filters.ndim != 4:
        raise ShapeError(f"filters {list(filters.shape)} must have 4 axes: rows, columns, channels out, channels in")
    layout = layout_of(2, data_format)
    g = last_spec(input, layout)
    result = TensorSpec(_whole(g.shape, filters.shape, output_shape, layout), input.dtype)
    if min(result.shape) < 0:
        raise ShapeError(f"output_shape {list(output_shape)} has a size below 0")
    expect_shape(g, correlated_spec(result, filters, **layout.plain(**how)), "input")
    return spec_back(result, layout)


@block(
    "Convolution",
    infer=_transposed_spec,
    accepts=NUMBER,
    sums_products=True,
    formula=r"y = \text{what Conv2D passes back to its image when } x \text{ arrives}",
    gradient_formula=r"\bar x = \mathrm{Conv2D}(\bar y, f),\quad \bar f = \bar y \star x",
    source="tf.nn.conv2d_transpose",
    spelling=transposed_spelling(),
)
def Conv2DTranspose(
    input: Array,
    filters: Array,
    *,
    output_shape: IntList,
    strides: Sizes,
    padding: Padding = "SAME",
    data_format: Literal["NHWC", "NCHW"] = "NHWC",
    dilations: Sizes | None = None,
) -> Array:
    """Each element spread over a window of the result: the gradient of Conv2D towards its image, as a block.

    Conv2D of an image of `output_shape` with the same filters (rows, columns, channels out, channels in) and parameters
    has to give the shape of the input. Two numbers in `output_shape` are rows and columns.
    """
    layout = layout_of(2, data_format)
    g = layout.channels_last(input)
    shape = _whole(g.shape, filters.shape, output_shape, layout)
    windows = windows_of(shape, filters.shape, **layout.plain(strides=strides, padding=padding, dilations=dilations))
    return layout.channels_back(spread(g, filters, shape, windows))


@Conv2DTranspose.gradient
def conv2d_transpose_gradient(
    g: Any, input: Any, filters: Any, y: Any, *, output_shape: Shape, data_format: str, **how: Any
) -> Any:
    layout = layout_of(2, data_format)
    g, x = move_last(g, layout), move_last(input, layout)
    parts = conv_input_gradient(g, x, filters, y, shape=g.shape, **layout.plain(**how))
    return move_back(parts[0], layout), parts[1]
