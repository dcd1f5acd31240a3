"""Max pooling, and the two blocks of its gradient: one spreads to the maxima, the other picks from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.reduce import ReduceMax
from blocks.windows import Windows, lay_windows, pair
from engine.block_type import NUMBER, Observation, block
from engine.errors import ShapeError
from engine.parameters import Padding, Sizes
from engine.spelling import Spelling
from engine.tensor_spec import Array, Shape, TensorSpec


def _windows(image: Shape, ksize: Any, strides: Any, padding: Any) -> Windows:
    if len(image) != 4:
        raise ShapeError(f"input {list(image)} must have four axes: batch, rows, columns, channels")
    return lay_windows(image, pair(ksize, "ksize"), strides, padding)


def _pooled(input: TensorSpec, *, ksize: Any, strides: Any, padding: Any) -> TensorSpec:
    count = _windows(input.shape, ksize, strides, padding).counts
    return TensorSpec((input.shape[0], *count, input.shape[3]), input.dtype)


def _stacked(image: Array, windows: Windows, border: Any) -> Array:
    """The elements of all windows, the places of one window along a new first axis."""
    padded = windows.pad(image, border)
    return np.stack([padded[place] for _, _, place in windows.offsets()])


def _candidates(input: Array, windows: Windows) -> Array:
    """The elements of all windows; the border is below all others, like the maximum of nothing."""
    return _stacked(input, windows, ReduceMax(np.empty(0, input.dtype)))


def _are_maxima(input: Array, windows: Windows) -> Array:
    """Which places of each window hold its maximum, NaN above all others.

    The border never does, not even where everything else is minus infinity as well.
    """
    elements = _candidates(input, windows)
    is_nan = elements != elements
    inside = _stacked(np.ones((1, *input.shape[1:3], 1), bool), windows, False)
    hit: Array = (is_nan | (elements == np.max(elements, axis=0))) & inside
    return hit


@block(
    "Pooling",
    infer=_pooled,
    accepts=NUMBER,
    formula=r"y = \max_{\text{window}} x",
    gradient_formula=r"\bar x = \bar y \text{ at the first maximum of each window}",
    source="tf.nn.max_pool2d, images as NHWC",
    spelling=Spelling("", "tf.nn.max_pool2d({input}, {ksize}, {strides}, {padding})", "", ""),
)
def MaxPool2D(input: Array, *, ksize: Sizes, strides: Sizes, padding: Padding) -> Array:
    """The largest element of each window over rows and columns of (batch, rows, columns, channels).

    Of equal maxima the first in the window gets all the gradient, unlike in ReduceMax. The border is minus infinity
    and never a maximum itself; NaN wins over every number.
    """
    windows = _windows(input.shape, ksize, strides, padding)
    return np.max(_candidates(input, windows), axis=0)


@MaxPool2D.gradient
def max_pool2d_gradient(g: Any, input: Any, y: Any, **how: Any) -> Any:
    return SpreadToMaxima(input, g, **how)


@MaxPool2D.observe
def max_pool2d_ties(input: Array, y: Array, *, ksize: Any, strides: Any, padding: Any) -> Observation | None:
    """Windows whose maximum stands in several places."""
    if input.dtype.kind != "f":
        return None
    maxima = _are_maxima(input, _windows(input.shape, ksize, strides, padding))
    tied = int(((np.sum(maxima, axis=0) > 1) & ~np.isnan(y)).sum())
    if not tied:
        return None
    what = "1 window has equal maxima" if tied == 1 else f"{tied} windows have equal maxima"
    return Observation("tie", f"{what}: the first element gets the gradient.")


def _spread_spec(input: TensorSpec, g: TensorSpec, **how: Any) -> TensorSpec:
    expected = _pooled(input, **how)
    if g.shape != expected.shape:
        raise ShapeError(f"g has shape {list(g.shape)}, but the pooling gives {list(expected.shape)}")
    return input


@block(
    "Gradient parts",
    infer=_spread_spec,
    adds_products=True,
    formula=r"y = \textstyle\sum_{\text{windows}} g \text{ at the first maximum of } x",
    gradient_formula=r"\bar g = \bar y \text{ at the first maximum};\ \bar x = 0",
)
def SpreadToMaxima(input: Array, g: Array, *, ksize: Sizes, strides: Sizes, padding: Padding) -> Array:
    """Zeros to which each element of g is added where its window has its first maximum: the gradient of MaxPool2D."""
    windows = _windows(input.shape, ksize, strides, padding)
    first = np.argmax(_are_maxima(input, windows), axis=0)
    padded = windows.pad(np.zeros(input.shape, g.dtype))
    for number, (_, _, place) in enumerate(windows.offsets()):
        padded[place] += np.where(first == number, g, g.dtype.type(0))
    return windows.crop(padded)


@SpreadToMaxima.gradient
def spread_to_maxima_gradient(h: Any, input: Any, g: Any, y: Any, **how: Any) -> Any:
    return None, PickAtMaxima(input, h, **how)


def _pick_spec(input: TensorSpec, values: TensorSpec, **how: Any) -> TensorSpec:
    if values.shape != input.shape:
        raise ShapeError(f"values {list(values.shape)} and input {list(input.shape)} must have the same shape")
    return _pooled(input, **how)


@block(
    "Gradient parts",
    infer=_pick_spec,
    formula=r"y = v \text{ at the first maximum of } x",
    gradient_formula=r"\bar v = \bar y \text{ spread to the first maxima};\ \bar x = 0",
)
def PickAtMaxima(input: Array, values: Array, *, ksize: Sizes, strides: Sizes, padding: Padding) -> Array:
    """For each window the element of `values` that stands where the input has its first maximum."""
    windows = _windows(input.shape, ksize, strides, padding)
    first = np.argmax(_are_maxima(input, windows), axis=0)
    return np.take_along_axis(_stacked(values, windows, 0), first[None], axis=0)[0]


@PickAtMaxima.gradient
def pick_at_maxima_gradient(g: Any, input: Any, values: Any, y: Any, **how: Any) -> Any:
    return None, SpreadToMaxima(input, g, **how)
