"""Patches of images as channels, and what puts them back; the two are a closed pair."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.support.windows import Windows, lay_windows
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import NUMBER, block
from gradwire.engine.blocktypes.parameters import IntList, Padding
from gradwire.engine.blocktypes.spelling import Spelling


def _windows(image: Shape, sizes: Shape, strides: Shape, rates: Shape, padding: Any) -> Windows:
    if len(image) != 4:
        raise ShapeError(f"images {list(image)} must have four axes: batch, rows, columns, channels")
    for name, numbers in (("sizes", sizes), ("strides", strides), ("rates", rates)):
        if len(numbers) != 4 or numbers[0] != 1 or numbers[3] != 1:
            raise ParameterError(f"{name} must be of the form [1, rows, columns, 1], not {list(numbers)}")
    if not isinstance(padding, str):
        raise ParameterError("padding must be SAME or VALID")
    return lay_windows(image[1:3], sizes[1:3], strides[1:3], padding, rates[1:3], may_miss=True)


def _extracted(images: TensorSpec, **how: Any) -> TensorSpec:
    windows = _windows(images.shape, **how)
    depth = windows.size[0] * windows.size[1] * images.shape[3]
    return TensorSpec((images.shape[0], *windows.counts, depth), images.dtype)


@block(
    "Convolution",
    infer=_extracted,
    accepts=NUMBER,
    formula=r"y_{n i j, (a b c)} = x_{n, s i + r a, s j + r b, c}",
    gradient_formula=r"\bar x = \text{the sum of all places of } \bar y \text{ that show a pixel}",
    source="tf.image.extract_patches",
    spelling=Spelling("", "tf.image.extract_patches({images}, {sizes}, {strides}, {rates}, {padding})", "", ""),
)
def ExtractPatches(images: Array, *, sizes: IntList, strides: IntList, rates: IntList, padding: Padding) -> Array:
    """The pixels of every window over images (batch, rows, columns, channels) as the channels of one pixel.

    `rates` are the distances of the pixels inside a window; what lies outside of the image is 0. Without
    a border a window that does not fit leaves no patches; one too large by two strides is an error, as in TensorFlow.
    """
    windows = _windows(images.shape, sizes, strides, rates, padding)
    return np.concatenate(list(windows.parts(images)), axis=-1)


@ExtractPatches.gradient
def extract_patches_gradient(g: Any, images: Any, y: Any, **how: Any) -> Any:
    return PatchesIntoImages(g, shape=images.shape, **how)


def _put_together(g: TensorSpec, *, shape: Shape, **how: Any) -> TensorSpec:
    expected = _extracted(TensorSpec(shape, g.dtype), **how)
    if g.shape != expected.shape:
        raise ShapeError(f"g has shape {list(g.shape)}, but the patches have {list(expected.shape)}")
    return TensorSpec(shape, g.dtype)


@block(
    "Gradient parts",
    infer=_put_together,
    accepts=NUMBER,
    sums_products=True,
    formula=r"y = \textstyle\sum_{\text{patches}} g",
    gradient_formula=r"\bar g = \mathrm{ExtractPatches}(\bar y)",
)
def PatchesIntoImages(
    g: Array, *, shape: IntList, sizes: IntList, strides: IntList, rates: IntList, padding: Padding
) -> Array:
    """Patches added into an image of a shape, each pixel where ExtractPatches would take it from: its gradient."""
    windows = _windows(shape, sizes, strides, rates, padding)
    return windows.spread(np.split(g, windows.size[0] * windows.size[1], axis=-1), shape, g.dtype)


@PatchesIntoImages.gradient
def patches_into_images_gradient(h: Any, g: Any, y: Any, *, shape: Shape, **how: Any) -> Any:
    return ExtractPatches(h, **how)
