"""Grey dilation: the largest sum of image and filter in each window."""

from __future__ import annotations

import functools
import math
from typing import Any, Literal

import numpy as np

from gradwire.blocks.einsum import Einsum
from gradwire.blocks.indexing import OneHot
from gradwire.blocks.pooling import PlacesOfMaxima, SpreadToPlaces, dilated, pooled_spec
from gradwire.blocks.shape import Reshape
from gradwire.blocks.support.layouts import layout_of
from gradwire.blocks.support.windows import lay_windows
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import NUMBER, block
from gradwire.engine.blocktypes.parameters import Sizes
from gradwire.engine.blocktypes.spelling import Spelling


def _dilated_spec(input: TensorSpec, filters: TensorSpec, **how: Any) -> TensorSpec:
    if filters.ndim != 3 or 0 in filters.shape:
        raise ShapeError(f"filters {list(filters.shape)} must have 3 axes that are not empty: rows, columns, channels")
    if input.shape[3:] != filters.shape[2:]:
        raise ShapeError(f"input {list(input.shape)} and filters {list(filters.shape)} must have the same last size")
    return pooled_spec(2, input, ksize=filters.shape[:2], **how)


def _written(input: str, filters: str, strides: Sizes, padding: str, data_format: str, dilations: Sizes) -> str:
    """tf.nn.dilation2d({input}, {filters}, {strides}, {padding}, {data_format}, {dilations})"""
    layout = layout_of(2, data_format)
    steps, gaps = ((1, *layout.sizes(value, "sizes"), 1) for value in (strides, dilations))
    return f"tf.nn.dilation2d({input}, {filters}, {steps}, {padding!r}, {data_format!r}, {gaps})"


@block(
    "Convolution",
    infer=_dilated_spec,
    accepts=NUMBER,
    formula=r"y_{n i j c} = \max_{a b}\,(x_{n, s i + d a, s j + d b, c} + f_{a b c})",
    gradient_formula=r"\bar x, \bar f = \bar y \text{ at the first maximum of each window}",
    source="tf.nn.dilation2d",
    spelling=Spelling("", _written, "", ""),
)
def Dilation2D(
    input: Array,
    filters: Array,
    *,
    strides: Sizes,
    padding: Literal["SAME", "VALID"],
    data_format: Literal["NHWC"] = "NHWC",
    dilations: Sizes,
) -> Array:
    """The largest sum of image and filter (rows, columns, channels) in each window of each channel.

    Of equal sums the first receives all the gradient, in the image and in the filter. The border never counts, nor does
    NaN; a window without a number above minus infinity gives the lowest number there is, as in TensorFlow.
    """
    plain = layout_of(2, data_format).plain(strides=strides, padding=padding, dilations=dilations)
    windows = lay_windows(input.shape[1:3], filters.shape[:2], **plain)
    return functools.reduce(np.maximum, dilated(input, filters, windows))


@Dilation2D.gradient
def dilation2d_gradient(g: Any, input: Any, filters: Any, y: Any, *, data_format: str, **how: Any) -> Any:
    rows, columns, channels = filters.shape
    plain = layout_of(2, data_format).plain(ksize=filters.shape[:2], **how)
    places = PlacesOfMaxima(input, filters, **plain)
    is_there = OneHot(places, depth=math.prod((rows, columns)), dtype=g.dtype.name)
    of_filters = Reshape(Einsum(g, is_there, equation="nijc,nijck->kc"), shape=(rows, columns, channels))
    return SpreadToPlaces(g, places, shape=input.shape, **plain), of_filters
