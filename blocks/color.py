"""Colours: between red, green, blue and hue, saturation, value; and grey."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.arguments import ArgMax, ArgMin
from gradwire.blocks.comparison import Greater, Where
from gradwire.blocks.images import as_fractions, from_fractions
from gradwire.blocks.indexing import Gather
from gradwire.blocks.reduce import ReduceMax, ReduceMin, ReduceSum
from gradwire.blocks.shape import Reverse, Split
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import FLOAT, NUMBER, block
from gradwire.engine.blocktypes.spelling import Spelling


def _three_channels(images: TensorSpec) -> TensorSpec:
    if images.ndim == 0 or images.shape[-1] != 3:
        raise ShapeError(f"images {list(images.shape)} must have three channels along the last axis")
    return images


def _within(x: Array) -> Array:
    return np.clip(x, x.dtype.type(0), x.dtype.type(1))


@block(
    "Images",
    differentiable="cut",
    infer=_three_channels,
    accepts=FLOAT,
    formula=r"y = v\,(1 - s + s\,c),\quad c_r = |6 h - 3| - 1,\ c_g = 2 - |6 h - 2|,\ c_b = 2 - |6 h - 4|",
    gradient_formula=r"\text{none, as in TensorFlow}",
    source="tf.image.hsv_to_rgb; all c clipped to [0, 1]",
    spelling=Spelling(tensorflow="tf.image.hsv_to_rgb({images})"),
)
def HSVToRGB(images: Array) -> Array:
    """Colours from hue, saturation and value, all from 0 to 1, to red, green and blue.

    TensorFlow has no gradient here, so none passes.
    """
    hue, saturation, value = np.moveaxis(images, -1, 0)
    turn = hue * 6
    red, green, blue = np.abs(turn - 3) - 1, 2 - np.abs(turn - 2), 2 - np.abs(turn - 4)
    pure = _within(np.stack([red, green, blue], axis=-1))
    s, v = saturation[..., None], value[..., None]
    return (1 - s + s * pure) * v


@block(
    "Images",
    infer=_three_channels,
    accepts=FLOAT,
    formula=r"v = x_k = \max x,\quad d = v - \min x,\quad s = d / v,\quad h = \tfrac16 (2 k + (x_{k+1} - x_{k+2}) / d)",
    gradient_formula=(
        r"\bar x_i = [i = k]\,\bar v + ([i = k] \tfrac{\min x}{v^2} - [i = m] \tfrac1v)\,\bar s + \tfrac16"
        r"(\tfrac{[i = k + 1] - [i = k + 2]}{d} - \tfrac{x_{k+1} - x_{k+2}}{d^2} ([i = k] - [i = m]))\,\bar h"
    ),
    source="tf.image.rgb_to_hsv",
    spelling=Spelling(tensorflow="tf.image.rgb_to_hsv({images})"),
)
def RGBToHSV(images: Array) -> Array:
    """Colours from red, green and blue to hue, saturation and value; black and grey have a hue of 0.

    The gradient is TensorFlow's: of equal largest channels the first counts, of equal smallest ones the last; a channel
    that is not above 0 receives nothing from the saturation; the hue of greys and of black passes nothing.
    """
    value = np.max(images, axis=-1)
    spread = value - np.min(images, axis=-1)
    red, green, blue = np.moveaxis(images, -1, 0)
    turns = np.where(red == value, green - blue, np.where(green == value, blue - red, red - green))
    offset = np.where(red == value, 0, np.where(green == value, 2, 4)).astype(images.dtype)
    hue = np.where(spread > 0, (turns / spread + offset) / 6, images.dtype.type(0))
    saturation = np.where(value > 0, spread / value, images.dtype.type(0))
    return np.stack([np.where(hue < 0, hue + 1, hue), saturation, value], axis=-1)


# For each largest channel: the two others, the next one up, the one after it down.
TURNS = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])


@RGBToHSV.gradient
def rgb_to_hsv_gradient(g: Any, images: Any, y: Any) -> Any:
    of_hue, of_saturation, of_value = Split(g, num_or_size_splits=3, axis=-1)
    largest, smallest = _first_largest(images), _last_smallest(images)
    is_largest, is_smallest = (Gather(np.eye(3, dtype=g.dtype), item) for item in (largest, smallest))
    value, least = ReduceMax(images, axis=-1, keepdims=True), ReduceMin(images, axis=-1, keepdims=True)
    is_lit, is_colored = Greater(value, 0), Greater(value - least, 0)
    top, spread = Where(is_lit, value, 1), Where(is_colored, value - least, 1)
    turns = Gather(TURNS.astype(g.dtype), largest)
    along = ReduceSum(turns * images, axis=-1, keepdims=True) / spread
    by_hue = (turns - along * (is_largest - is_smallest)) / spread
    by_saturation = Where(Greater(images, 0), (is_largest * (least / top) - is_smallest) / top, 0)
    of_hue = Where(is_lit, Where(is_colored, of_hue, 0), 0) / 6
    return of_value * is_largest + of_saturation * by_saturation + of_hue * by_hue


def _first_largest(images: Any) -> Any:
    return ArgMax(images, axis=-1)


def _last_smallest(images: Any) -> Any:
    """Returns the index of the last of equal smallest channels: the first one seen from behind."""
    return Gather(np.array([2, 1, 0]), ArgMin(Reverse(images, axis=(-1,)), axis=-1))


LUMINANCE = (0.2989, 0.587, 0.114)


@block(
    "Images",
    infer=lambda images: TensorSpec((*_three_channels(images).shape[:-1], 1), images.dtype),
    accepts=NUMBER,
    sums_products=True,
    formula=r"y = 0.2989\,r + 0.587\,g + 0.114\,b",
    gradient_formula=r"\bar r = 0.2989\,\bar y,\quad \bar g = 0.587\,\bar y,\quad \bar b = 0.114\,\bar y",
    source="tf.image.rgb_to_grayscale",
    spelling=Spelling(
        "({images} @ np.array([0.2989, 0.587, 0.114]))[..., None]", "tf.image.rgb_to_grayscale({images})"
    ),
)
def RGBToGrayscale(images: Array) -> Array:
    """The brightness of colours, as one channel.

    float64 is computed in float64, where TensorFlow computes in float32; whole numbers are taken as parts of their
    greatest, and the fraction is dropped at the end.
    """
    pixels = as_fractions(images)
    wide = pixels.astype(np.promote_types(pixels.dtype, np.float32))
    grey = wide @ np.array(LUMINANCE, wide.dtype)
    return from_fractions(grey[..., None], images.dtype)


@RGBToGrayscale.gradient
def rgb_to_grayscale_gradient(g: Any, images: Any, y: Any) -> Any:
    return g * np.array(LUMINANCE, g.dtype)
