"""Convolutions and pooling of images, in the orders of axes that the frameworks have."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.names.entry import named
from gradwire.blocks.names.promotion import Operand, Tensor, as_float, as_tensor, together
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.library import library

# One number, or one for rows and one for columns.
Pair = int | tuple[int, ...] | list[int]


def _apply(block: str, *inputs: Operand, **parameters: Any) -> Any:  # Any: a tensor of either kind
    return library[block](*inputs, **parameters)


def _pair(value: Pair) -> list[int]:
    """Returns the numbers for rows and columns.

    Raises: CallError if there are others.
    """
    found = [value, value] if isinstance(value, int) else list(value)
    if len(found) != 2 or not all(isinstance(item, int) for item in found):
        raise CallError(f"a window has one size, or one for rows and one for columns, not {value}")
    return found


def _border(padding: Pair | str) -> object:
    """Returns the padding of a block for zeros around rows and columns."""
    if isinstance(padding, str):
        return padding.upper()
    rows, columns = _pair(padding)
    if not rows and not columns:
        return "VALID"
    return [[0, 0], [0, 0], [rows, rows], [columns, columns]]


@named(
    "conv2d",
    "torch.nn.functional.conv2d(input: x, weight: filters, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    block="Conv2D",
)
def conv2d(
    x: Operand,
    filters: Operand,
    bias: Operand = None,
    stride: Pair = 1,
    padding: Pair | str = 0,
    dilation: Pair = 1,
    groups: int = 1,
) -> Tensor:
    """Filters (out, in, rows, columns) moved over images (batch, channels, rows, columns), as in PyTorch.

    Raises: CallError if the groups are not those that the channels say.
    """
    image, weights = together(as_float(x), as_float(filters))
    if image.ndim != 4 or weights.ndim != 4 or weights.shape[1] * groups != image.shape[1]:
        raise CallError(f"conv2d: images {list(image.shape)} and filters {list(weights.shape)} do not fit")
    found: Tensor = _apply(
        "Conv2D",
        image,
        _apply("Transpose", weights, perm=[2, 3, 1, 0]),
        strides=_pair(stride),
        padding=_border(padding),
        data_format="NCHW",
        dilations=_pair(dilation),
    )
    if bias is None:
        return found
    return _apply("Add", *together(found, _apply("Reshape", as_tensor(bias), shape=[-1, 1, 1])))


@named(
    "_tf_conv2d",
    "tf.nn.conv2d(input: x, filters, strides, padding, data_format='NHWC', dilations=None)",
    block="Conv2D",
)
def conv2d_as_block(
    x: Operand,
    filters: Operand,
    strides: Pair,
    padding: object,
    data_format: str = "NHWC",
    dilations: Pair | None = None,
) -> Tensor:
    """Filters (rows, columns, in, out) moved over images (batch, rows, columns, channels), as in TensorFlow."""
    given = {"strides": strides, "padding": padding, "data_format": data_format, "dilations": dilations}
    found: Tensor = _apply("Conv2D", *together(as_float(x), as_float(filters)), **given)
    return found


_IMAGES, _FILTERS = {"NHWC": "NHWC", "NCHW": "NCHW"}, {"HWIO": None, "OIHW": [2, 3, 1, 0]}


@named(
    "conv_general_dilated",
    "jax.lax.conv_general_dilated(lhs: x, rhs: filters, window_strides: strides, padding, lhs_dilation=None,"
    " rhs_dilation: dilations=None, dimension_numbers=None, feature_group_count: groups=1)",
    "jax.lax.conv(lhs: x, rhs: filters, window_strides: strides, padding)",
    block="Conv2D",
)
def conv_general_dilated(
    x: Operand,
    filters: Operand,
    strides: Pair,
    padding: object,
    dilations: Pair | None = None,
    dimension_numbers: Any = None,  # Any: three texts, or what is no such thing
    groups: int = 1,
) -> Tensor:
    """Filters moved over images, in the order of axes that `dimension_numbers` says, as in JAX.

    Raises: CallError for an order without a block.
    """
    images, kernels, results = dimension_numbers or ("NCHW", "OIHW", "NCHW")
    if images not in _IMAGES or kernels not in _FILTERS or results != images:
        raise CallError(f"conv_general_dilated: axes {dimension_numbers} have no block; use NHWC, HWIO, NHWC")
    image, weights = together(as_float(x), as_float(filters))
    perm = _FILTERS[kernels]
    weights = weights if perm is None else _apply("Transpose", weights, perm=perm)
    if not isinstance(padding, str):
        pairs = [list(item) for item in padding]  # type: ignore[attr-defined]  # pairs
        around: list[list[int]] = [[0, 0], *pairs, [0, 0]] if images == "NHWC" else [[0, 0], [0, 0], *pairs]
        padding = around if any(map(any, around)) else "VALID"
    return conv2d_as_block(image, weights, _pair(strides), padding, images, dilations)


def _pooled(block: str, x: Operand, size: Pair, stride: Pair | None, padding: Pair) -> Tensor:
    given = {"ksize": _pair(size), "strides": _pair(size if stride is None else stride), "padding": _border(padding)}
    found: Tensor = _apply(block, as_float(x), **given, data_format="NCHW")
    return found


@named(
    "max_pool2d",
    "torch.nn.functional.max_pool2d|torch.max_pool2d(input, kernel_size: size, stride=None, padding=0)",
    block="MaxPool2D",
)
def max_pool2d(x: Operand, size: Pair, stride: Pair | None = None, padding: Pair = 0) -> Tensor:
    """The largest element of windows over images (batch, channels, rows, columns), as in PyTorch."""
    return _pooled("MaxPool2D", x, size, stride, padding)


@named(
    "avg_pool2d", "torch.nn.functional.avg_pool2d(input, kernel_size: size, stride=None, padding=0)", block="AvgPool2D"
)
def avg_pool2d(x: Operand, size: Pair, stride: Pair | None = None, padding: Pair = 0) -> Tensor:
    """The mean of windows over images (batch, channels, rows, columns), as in PyTorch.

    Raises: CallError with a border, whose zeros PyTorch counts.
    """
    if np.any(_pair(padding)):
        raise CallError("avg_pool2d with padding counts the zeros of the border; pad the images first")
    return _pooled("AvgPool2D", x, size, stride, 0)
