"""Depthwise and separable convolution: grouped convolution with one channel a group, and single pixels after it."""

from __future__ import annotations

from typing import Any, Literal

from gradwire.blocks.convolution import convolution_gradient, convolve, convolved_spec
from gradwire.blocks.shape import Reshape
from gradwire.blocks.support.layouts import layout_of
from gradwire.blocks.support.window_spellings import depthwise_spelling, separable_spelling
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.parameters import Padding, Sizes

Format = Literal["NHWC", "NCHW"] | None


def _grouped(filter: Shape) -> Shape:
    """Filters (rows, columns, channels, multiples) as a grouped convolution takes them."""
    return filter[0], filter[1], 1, filter[2] * filter[3]


def _check_moves(data_format: str | None, strides: Sizes, dilations: Sizes | None) -> None:
    layout = layout_of(2, data_format)
    steps, gaps = layout.sizes(strides, "strides"), layout.sizes(dilations, "dilations")
    if steps[0] != steps[1]:
        raise ParameterError(f"strides must be the same for rows and columns, not {steps[0]} and {steps[1]}")
    if max(steps) > 1 and max(gaps) > 1:
        raise ParameterError("strides and dilations cannot both be above 1")


def _depthwise_spec(input: TensorSpec, filter: TensorSpec, **how: Any) -> TensorSpec:
    if filter.ndim != 4 or input.ndim != 4:
        found = f"input {list(input.shape)} and filter {list(filter.shape)}"
        raise ShapeError(
            f"{found} must both have four axes; those of the filter are rows, columns, channels, multiples"
        )
    _check_moves(how["data_format"], how["strides"], how["dilations"])
    channels = input.shape[1 if layout_of(2, how["data_format"]).has_channels_first else 3]
    if channels != filter.shape[2]:
        raise ShapeError(f"input has {channels} channels but the filter has {filter.shape[2]}")
    return convolved_spec(2, input, TensorSpec(_grouped(filter.shape), filter.dtype), **how)


@block(
    "Convolution",
    infer=_depthwise_spec,
    sums_products=True,
    formula=r"y_{n i j, c m} = \textstyle\sum_{a b} x_{n, s i + d a, s j + d b, c}\, f_{a b c m}",
    gradient_formula=r"\bar x = \bar y \star f,\quad \bar f = x \star \bar y",
    source="tf.nn.depthwise_conv2d",
    spelling=depthwise_spelling(),
)
def DepthwiseConv2D(
    input: Array,
    filter: Array,
    *,
    strides: Sizes,
    padding: Padding,
    data_format: Format = None,
    dilations: Sizes | None = None,
) -> Array:
    """Each channel correlated with filters of its own (rows, columns, channels, multiples): the result has all of them.

    As in TensorFlow the stride is the same for rows and columns, and 1 where dilations are above 1. Without a data
    format it is NHWC.
    """
    how = {"strides": strides, "padding": padding, "dilations": dilations}
    return convolve(input, filter.reshape(_grouped(filter.shape)), data_format, **how)


@DepthwiseConv2D.gradient
def depthwise_conv2d_gradient(g: Any, input: Any, filter: Any, y: Any, **how: Any) -> Any:
    grouped = Reshape(filter, shape=_grouped(filter.shape))
    of_input, of_filter = convolution_gradient(g, input, grouped, y, **how)
    return of_input, Reshape(of_filter, shape=filter.shape)


def _of_pixels(data_format: str | None) -> dict[str, Any]:
    """Returns the parameters of the second convolution."""
    return {"strides": 1, "padding": "VALID", "data_format": data_format, "dilations": 1}


def _separable_spec(
    input: TensorSpec, depthwise_filter: TensorSpec, pointwise_filter: TensorSpec, *, data_format: Format, **how: Any
) -> TensorSpec:
    middle = _depthwise_spec(input, depthwise_filter, data_format=data_format, **how)
    channels = depthwise_filter.shape[2] * depthwise_filter.shape[3]
    if pointwise_filter.ndim != 4 or pointwise_filter.shape[:3] != (1, 1, channels):
        found = list(pointwise_filter.shape)
        raise ShapeError(f"pointwise_filter {found} must have the shape [1, 1, {channels}, channels out]")
    return convolved_spec(2, middle, pointwise_filter, **_of_pixels(data_format))


@block(
    "Convolution",
    infer=_separable_spec,
    sums_products=True,
    formula=r"y = \mathrm{Conv2D}(\mathrm{DepthwiseConv2D}(x, d), p)",
    gradient_formula=r"\bar x, \bar d, \bar p \text{ by the rules of the two}",
    source="tf.nn.separable_conv2d",
    spelling=separable_spelling(),
)
def SeparableConv2D(
    input: Array,
    depthwise_filter: Array,
    pointwise_filter: Array,
    *,
    strides: Sizes,
    padding: Padding,
    data_format: Format = None,
    dilations: Sizes | None = None,
) -> Array:
    """A depthwise convolution, and then one that mixes the channels of each pixel.

    Strides, padding and dilations are those of the first. The filter of the second is (1, 1, channels, channels out).
    """
    how = {"strides": strides, "padding": padding, "dilations": dilations}
    middle = DepthwiseConv2D.function(input, depthwise_filter, data_format=data_format, **how)
    return convolve(middle, pointwise_filter, data_format, strides=1, padding="VALID")


@SeparableConv2D.gradient
def separable_conv2d_gradient(
    g: Any, input: Any, depthwise_filter: Any, pointwise_filter: Any, y: Any, *, data_format: Format, **how: Any
) -> Any:
    middle = DepthwiseConv2D(input, depthwise_filter, data_format=data_format, **how)
    g, of_pointwise = convolution_gradient(g, middle, pointwise_filter, y, **_of_pixels(data_format))
    of_depthwise = depthwise_conv2d_gradient(g, input, depthwise_filter, middle, data_format=data_format, **how)
    return *of_depthwise, of_pointwise
