"""Images brought to another size: each axis is sampled at the centres of the new pixels, with a few weighted taps."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from gradwire.blocks.comparison import Cast
from gradwire.blocks.images import COLUMNS, ROWS, check_images
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import FLOAT, NUMBER, Declaration, Dtypes, block
from gradwire.engine.blocktypes.parameters import DtypeName, IntList
from gradwire.engine.blocktypes.spelling import Spelling

Method = Literal["nearest", "bilinear", "bicubic"]


# Not shared: what comes out is float32 whatever comes in.
PIXELS = Dtypes("a number", "fiu", shared=False)


class Taps(NamedTuple):
    """The old pixels that each new one is made of, and their weights. Shapes: both (taps, new size)."""

    indices: Array
    weights: Array


def _centres(old: int, new: int) -> Array:
    """Returns the places of the new pixels' centres among the old ones, measured from the border.

    In float32 as in TensorFlow, so that what lies between two pixels is rounded to the same one.
    """
    half = np.float32(0.5)
    return (np.arange(new, dtype=np.float32) + half) * (np.float32(old) / np.float32(new))


def _nearest_taps(old: int, new: int) -> Taps:
    indices = np.clip(np.floor(_centres(old, new)).astype(np.intp), 0, old - 1)
    return Taps(indices[None], np.ones((1, new), np.float32))


def _bilinear_taps(old: int, new: int) -> Taps:
    place = _centres(old, new) - np.float32(0.5)
    below = np.floor(place)
    indices = np.clip(np.stack([below, np.ceil(place)]).astype(np.intp), 0, old - 1)
    return Taps(indices, np.stack([1 - (place - below), place - below]))


# TensorFlow looks the weights up at so many places between two pixels.
PLACES = np.float32(1024)


def _cubic(distance: Array) -> Array:
    """Returns the weight of a pixel at a distance of up to 2 (Keys, 1981, with a = -1/2)."""
    near = (1.5 * distance - 2.5) * distance * distance + 1
    far = ((-0.5 * distance + 2.5) * distance - 4) * distance + 2
    return np.where(distance <= 1, near, far)


def _bicubic_taps(old: int, new: int) -> Taps:
    place = _centres(old, new) - np.float32(0.5)
    below = np.floor(place)
    shift = np.round((place - below) * PLACES) / PLACES
    indices = np.stack([below - 1, below, below + 1, below + 2]).astype(np.intp)
    weights = _cubic(np.stack([shift + 1, shift, 1 - shift, 2 - shift]))
    weights = np.where((indices >= 0) & (indices < old), weights, np.float32(0))
    return Taps(np.clip(indices, 0, old - 1), weights / np.sum(weights, axis=0))


TAPS = {"nearest": _nearest_taps, "bilinear": _bilinear_taps, "bicubic": _bicubic_taps}


def _weights_along(taps: Taps, number: int, axis: int, dtype: np.dtype[Any]) -> Array:
    return taps.weights[number].astype(dtype).reshape(-1, *[1] * (-1 - axis))


def _resampled(images: Array, size: tuple[int, ...], method: str) -> Array:
    """Returns the images at another size; columns first, in their own dtype."""
    for axis, new in ((COLUMNS, size[1]), (ROWS, size[0])):
        taps = TAPS[method](images.shape[axis], new)
        parts = (
            np.take(images, indices, axis=axis) * _weights_along(taps, number, axis, images.dtype)
            for number, indices in enumerate(taps.indices)
        )
        images = sum(parts, start=images.dtype.type(0))
    return images


def _spread(g: Array, shape: Shape, method: str, dtype: np.dtype[Any]) -> Array:
    """Zeros of the old shape, to which each new pixel is added where its taps are.

    The products keep the dtype of g and only the sums are wider, as in TensorFlow.
    """
    total = np.zeros(shape, dtype)
    target = np.moveaxis(total, (ROWS, COLUMNS), (0, 1))
    rows, columns = (TAPS[method](shape[axis], g.shape[axis]) for axis in (ROWS, COLUMNS))
    for i, row in enumerate(rows.indices):
        part = g * _weights_along(rows, i, ROWS, g.dtype)
        for j, column in enumerate(columns.indices):
            whole = part * _weights_along(columns, j, COLUMNS, g.dtype)
            np.add.at(target, (row[:, None], column), np.moveaxis(whole, (ROWS, COLUMNS), (0, 1)))
    return total


def _check_pixels(shape: Shape) -> None:
    check_images(shape)
    if 0 in shape[-3:]:
        raise ShapeError(f"images {list(shape)} must have at least one row, column and channel")


def _target(shape: Shape, size: tuple[int, ...], preserve_aspect_ratio: bool) -> tuple[int, int]:
    """Returns the rows and columns of the result."""
    _check_pixels(shape)
    if len(size) != 2:
        raise ParameterError(f"size must be two numbers, rows and columns, not {len(size)}")
    old = np.array(shape[-3:-1], np.float32)
    new = np.array(size, np.float32)
    rows, columns = np.round((new / old).min() * old).astype(int) if preserve_aspect_ratio else size
    if rows < 1 or columns < 1:
        raise ParameterError(f"size {list(size)} leaves no row or no column")
    return int(rows), int(columns)


def _with_notes(spelling: Spelling, method: Method) -> Spelling:
    """Returns the lines with a comment on how numbers of JAX differ."""
    weights = "exact weights; TensorFlow and Gradwire round places to 1/1024; " if method == "bicubic" else ""
    return spelling.noted(f"{weights}-0.0 may stay -0.0, in Gradwire it becomes 0.0", "jax")


def resizing(method: Method, formula: str, jax: str) -> Declaration:
    """Returns the declaration of a block that brings images to another size."""

    def infer(images: TensorSpec, *, size: tuple[int, ...], preserve_aspect_ratio: bool) -> TensorSpec:
        target = _target(images.shape, size, preserve_aspect_ratio)
        dtype = images.dtype if method == "nearest" else DTYPES["float32"]
        return TensorSpec((*images.shape[:-3], *target, images.shape[-1]), dtype)

    def in_jax(images: str, size: tuple[int, ...], preserve_aspect_ratio: bool) -> str:
        shape = f"(*{images}.shape[:-3], *{size}, {images}.shape[-1])"
        return "" if preserve_aspect_ratio else f"jax.image.resize({images}, {shape}, {jax!r}, antialias=False)"

    in_jax.__doc__ = f"jax.image.resize({{images}}, (*batch, *{{size}}, channels), {jax!r}, antialias=False)"
    tensorflow = f"tf.image.resize({{images}}, {{size}}, {method!r}, preserve_aspect_ratio={{preserve_aspect_ratio}})"
    return block(
        "Images",
        infer=infer,
        accepts=NUMBER if method == "nearest" else PIXELS,
        only_moves_data=method == "nearest",
        sums_products=method != "nearest",
        formula=formula,
        gradient_formula=r"\bar x_j = \textstyle\sum_i w_{i j}\,\bar y_i",
        source="tf.image.resize without antialias, pixels centred at halves",
        spelling=_with_notes(Spelling(tensorflow=tensorflow, jax=in_jax), method),
    )


@resizing("nearest", r"y_i = x_{\lfloor (i + 1/2)\, n / m \rfloor}", "nearest")
def ResizeNearest(images: Array, *, size: IntList, preserve_aspect_ratio: bool = False) -> Array:
    """Images at another size, each new pixel a copy of the old one in which its centre lies.

    With `preserve_aspect_ratio` they become as large as fits into `size` without being stretched.
    """
    return _resampled(images, _target(images.shape, size, preserve_aspect_ratio), "nearest")


@resizing(
    "bilinear", r"y_i = (1 - t)\, x_k + t\, x_{k+1},\quad k + t = (i + \tfrac12) \tfrac{n}{m} - \tfrac12", "linear"
)
def ResizeBilinear(images: Array, *, size: IntList, preserve_aspect_ratio: bool = False) -> Array:
    """Images at another size, each new pixel mixed from the two by two old ones around its centre.

    The result is float32 whatever comes in, as in TensorFlow. Shrinking skips pixels: nothing is smoothed. With
    `preserve_aspect_ratio` images become as large as fits into `size` without being stretched.
    """
    return _resampled(images.astype(np.float32), _target(images.shape, size, preserve_aspect_ratio), "bilinear")


@resizing("bicubic", r"y_i = \textstyle\sum_{j=k-1}^{k+2} w(|k + t - j|)\, x_j \text{, } \sum w = 1", "cubic")
def ResizeBicubic(images: Array, *, size: IntList, preserve_aspect_ratio: bool = False) -> Array:
    """Images at another size by bicubic interpolation: 4 x 4 old pixels make a new one (Keys, a = -1/2).

    It may overshoot beside edges. The result is float32 whatever comes in, as in TensorFlow. With
    `preserve_aspect_ratio` images become as large as fits into `size` without being stretched.
    """
    return _resampled(images.astype(np.float32), _target(images.shape, size, preserve_aspect_ratio), "bicubic")


@ResizeNearest.gradient
def resize_nearest_gradient(g: Any, images: Any, y: Any, **how: Any) -> Any:
    return UndoResize(g, shape=images.shape, method="nearest", dtype=images.dtype.name)


@ResizeBilinear.gradient
def resize_bilinear_gradient(g: Any, images: Any, y: Any, **how: Any) -> Any:
    return UndoResize(g, shape=images.shape, method="bilinear", dtype=images.dtype.name)


@ResizeBicubic.gradient
def resize_bicubic_gradient(g: Any, images: Any, y: Any, **how: Any) -> Any:
    return UndoResize(g, shape=images.shape, method="bicubic", dtype=images.dtype.name)


def _undone(g: TensorSpec, *, shape: tuple[int, ...], method: Method, dtype: str) -> TensorSpec:
    _check_pixels(g.shape)
    _check_pixels(shape)
    if (g.shape[:-3], g.shape[-1]) != (shape[:-3], shape[-1]):
        raise ShapeError(f"g {list(g.shape)} and images {list(shape)} differ in more than rows and columns")
    return TensorSpec(shape, DTYPES[dtype])


@block(
    "Gradient parts",
    infer=_undone,
    accepts=FLOAT,
    sums_products=True,
    formula=r"y_j = \textstyle\sum_i w_{i j}\, x_i",
    gradient_formula=r"\bar x_i = \textstyle\sum_j w_{i j}\,\bar y_j",
)
def UndoResize(g: Array, *, shape: IntList, method: Method, dtype: DtypeName) -> Array:
    """Zeros of an image's old size, to which each new pixel is added where it came from: the gradient of resizing."""
    return _spread(g, shape, method, DTYPES[dtype])


@UndoResize.gradient
def undo_resize_gradient(h: Any, g: Any, y: Any, *, shape: tuple[int, ...], method: Method, dtype: str) -> Any:
    return Cast(Resample(h, size=g.shape[-3:-1], method=method), dtype=g.dtype.name)


def _of_size(images: TensorSpec, *, size: tuple[int, ...], method: Method) -> TensorSpec:
    target = _target(images.shape, size, preserve_aspect_ratio=False)
    return TensorSpec((*images.shape[:-3], *target, images.shape[-1]), images.dtype)


@block(
    "Gradient parts",
    infer=_of_size,
    accepts=FLOAT,
    sums_products=True,
    formula=r"y_i = \textstyle\sum_j w_{i j}\, x_j",
    gradient_formula=r"\bar x_j = \textstyle\sum_i w_{i j}\,\bar y_i",
)
def Resample(images: Array, *, size: IntList, method: Method) -> Array:
    """Images at another size in their own dtype: what the three resizing blocks have in common."""
    return _resampled(images, size, method)


@Resample.gradient
def resample_gradient(g: Any, images: Any, y: Any, *, size: tuple[int, ...], method: Method) -> Any:
    return UndoResize(g, shape=images.shape, method=method, dtype=images.dtype.name)
