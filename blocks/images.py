"""Images turned round, with more or less contrast, and how uneven they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.comparison import Cast, ZerosLike
from gradwire.blocks.elementwise import Sign
from gradwire.blocks.indexing import Gather
from gradwire.blocks.reduce import ReduceMean, ReduceSum
from gradwire.blocks.shape import Concat, Reshape, Reverse
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, NUMBER, Dtypes, block
from gradwire.engine.blocktypes.spelling import Spelling

ROWS, COLUMNS = -3, -2


def check_images(shape: Shape) -> None:
    """Raises: ShapeError unless it is the shape of an image or of a batch of images, channels last."""
    if len(shape) not in (3, 4):
        raise ShapeError(f"images {list(shape)} must have three axes (rows, columns, channels) or a batch of such")


def as_fractions(images: Array) -> Array:
    """Pixels as floating point; whole numbers are divided by the greatest of their dtype."""
    if images.dtype.kind == "f":
        return images
    return images.astype(np.float32) * np.float32(1 / np.iinfo(images.dtype).max)


def from_fractions(values: Array, dtype: np.dtype[Any], is_saturated: bool = False) -> Array:
    """Returns the reverse of `as_fractions`; `is_saturated` moves what is out of range to its end."""
    if dtype.kind == "f":
        return values.astype(dtype)
    limits = np.iinfo(dtype)
    scaled = values * np.float32(limits.max + 0.5)
    return (np.clip(scaled.astype(np.float64), limits.min, limits.max) if is_saturated else scaled).astype(dtype)


def _flipped(images: TensorSpec) -> TensorSpec:
    check_images(images.shape)
    return images


@block(
    "Images",
    infer=_flipped,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_{r c} = x_{r, w - 1 - c}",
    gradient_formula=r"\bar x_{r c} = \bar y_{r, w - 1 - c}",
    source="tf.image.flip_left_right",
    spelling=Spelling(
        "np.flip({images}, -2)",
        "tf.image.flip_left_right({images})",
        "torch.flip({images}, (-2,))",
        "jnp.flip({images}, -2)",
    ),
)
def FlipLeftRight(images: Array) -> Array:
    """Images mirrored, so that left becomes right. Channels are the last axis."""
    return np.flip(images, axis=COLUMNS)


@FlipLeftRight.gradient
def flip_left_right_gradient(g: Any, images: Any, y: Any) -> Any:
    return Reverse(g, axis=(COLUMNS,))


def _of_one_contrast(images: TensorSpec, contrast_factor: TensorSpec) -> TensorSpec:
    if images.ndim < 3:
        raise ShapeError(f"images {list(images.shape)} must have at least three axes: rows, columns, channels")
    if contrast_factor.shape:
        raise ShapeError(f"contrast_factor must be a single number, not {list(contrast_factor.shape)}")
    return images


@block(
    "Images",
    infer=_of_one_contrast,
    accepts={"images": NUMBER, "contrast_factor": Dtypes("floating point", "f", shared=False)},
    formula=r"y = (x - \mu)\,f + \mu,\quad \mu = \text{mean of each channel of each image}",
    gradient_formula=(
        r"\bar x = f \bar y + (1 - f)\,\mathrm{mean}(\bar y),\quad \bar f = \textstyle\sum (x - \mu)\,\bar y"
    ),
    source="tf.image.adjust_contrast, which has no gradient in TensorFlow 2.21",
    spelling=Spelling(),
)
def AdjustContrast(images: Array, contrast_factor: Array) -> Array:
    """Images with the distance of each pixel from the mean of its channel multiplied by a factor.

    Whole numbers are taken as parts of their greatest, and what leaves their range is moved to its end. TensorFlow
    has no gradient here; this is the true one, through the mean as well.
    """
    pixels = as_fractions(images)
    wide = pixels.astype(np.promote_types(pixels.dtype, np.float32))
    mean = ReduceMean.function(wide, axis=(ROWS, COLUMNS), keepdims=True)
    adjusted = (wide - mean) * contrast_factor.astype(wide.dtype) + mean
    return from_fractions(adjusted, images.dtype, is_saturated=True)


@AdjustContrast.gradient
def adjust_contrast_gradient(g: Any, images: Any, contrast_factor: Any, y: Any) -> Any:
    factor, axes = Cast(contrast_factor, dtype=g.dtype.name), (ROWS, COLUMNS)
    distance = images - ReduceMean(images, axis=axes, keepdims=True)
    of_images = g * factor + (1 - factor) * ReduceMean(g, axis=axes, keepdims=True)
    return of_images, Cast(ReduceSum(g * distance), dtype=contrast_factor.dtype.name)


def _one_number(images: TensorSpec) -> TensorSpec:
    check_images(images.shape)
    return TensorSpec(images.shape[:-3], images.dtype)


@block(
    "Images",
    infer=_one_number,
    accepts=NUMBER,
    formula=r"y = \textstyle\sum |x_{r+1, c} - x_{r c}| + |x_{r, c+1} - x_{r c}|",
    gradient_formula=r"\bar x_i = \bar y \textstyle\sum_{\text{neighbours } j} \mathrm{sign}(x_i - x_j)",
    source="tf.image.total_variation",
    spelling=Spelling(
        "np.abs(np.diff({images}, axis=-3)).sum((-3, -2, -1)) + np.abs(np.diff({images}, axis=-2)).sum((-3, -2, -1))",
        "tf.image.total_variation({images})",
        "{images}.diff(dim=-3).abs().sum((-3, -2, -1)) + {images}.diff(dim=-2).abs().sum((-3, -2, -1))",
        "(jnp.diff({images}, axis=-3) * jnp.sign(jnp.diff({images}, axis=-3))).sum((-3, -2, -1))"
        " + (jnp.diff({images}, axis=-2) * jnp.sign(jnp.diff({images}, axis=-2))).sum((-3, -2, -1))",
    ),
)
def TotalVariation(images: Array) -> Array:
    """The distances of all neighbouring pixels, down and across, added up for each image: a measure of its noise.

    Equal neighbours pass no gradient.
    """
    parts = (
        np.sum(np.abs(np.diff(images, axis=axis)), axis=(-3, -2, -1), dtype=images.dtype) for axis in (ROWS, COLUMNS)
    )
    total: Array = sum(parts, start=images.dtype.type(0))
    return total


@TotalVariation.gradient
def total_variation_gradient(g: Any, images: Any, y: Any) -> Any:
    if 0 in images.shape:
        return ZerosLike(images)
    g = Reshape(g, shape=(*g.shape, 1, 1, 1))
    return _steps_undone(g, images, ROWS) + _steps_undone(g, images, COLUMNS)


def _steps_undone(g: Any, images: Any, axis: int) -> Any:
    """Returns the gradient of the distances of neighbours along one axis."""
    after, before = np.arange(1, images.shape[axis]), np.arange(images.shape[axis] - 1)
    signs = g * Sign(Gather(images, after, axis=axis) - Gather(images, before, axis=axis))
    edge = np.zeros([1 if place == axis % images.ndim else size for place, size in enumerate(images.shape)], g.dtype)
    return Concat(edge, signs, axis=axis) - Concat(signs, edge, axis=axis)
