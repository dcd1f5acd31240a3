"""Max pooling over one, two and three axes, and the parts of its gradient.

The gradient knows where in its window each maximum stands; what arrives is added there, and picked there again in the
second derivative. Dilation uses the same parts.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np

from gradwire.blocks.equal_places import SpreadToEqual
from gradwire.blocks.support.layouts import last_spec, layout_of, move_back, move_last, spec_back
from gradwire.blocks.support.nan_order import LEFT_OUT, with_nan
from gradwire.blocks.support.pool_spellings import max_pool_spelling
from gradwire.blocks.support.windows import Windows, lay_windows
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import FLOAT, INDEX, NUMBER, Declaration, Dtypes, Observation, block
from gradwire.engine.blocktypes.parameters import IntList, Padding, Sizes
from gradwire.engine.blocktypes.spelling import Spelling
from gradwire.engine.executors.windows import first_greatest


def lowest(dtype: np.dtype[Any]) -> Any:
    """Returns minus infinity, or the least number of a dtype without it."""
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def lowest_finite(dtype: np.dtype[Any]) -> Any:
    """Returns the least finite number of a dtype, from which TensorFlow's kernels start."""
    return dtype.type(np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min)


def first_maxima(candidates: Iterable[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Returns the maximum of each window and the number of its first place, -1 in the border alone.

    `candidates` are the elements at each place and whether they lie inside the image. As in TensorFlow's kernel NaN
    is not above a number, unless it comes first.
    """
    best: Any = None
    for number, (element, is_inside) in enumerate(candidates):
        if best is None:
            best, places = element, np.full(element.shape, -1, np.int32)
        better = is_inside & ((places < 0) | (best < element))
        best, places = np.where(better, element, best), np.where(better, np.int32(number), places)
    return best, places


def places_of_greatest(image: Array, windows: Windows) -> Array:
    """Returns the places that `first_maxima` finds in the windows of an image, without a choice at each of them."""
    if not windows.has_border:
        return first_greatest(list(windows.parts(image)))
    # Few channels are a short loop, with much ado for each pixel; copied into one piece they are a long one.
    parts = [np.positive(part) for part in windows.parts(image, lowest(image.dtype))]
    top = functools.reduce(np.fmax, parts)
    places = np.full_like(top, -1, dtype=np.int32)
    insides = list(windows.are_inside())
    # From the last place to the first, which is what remains.
    for number, part in reversed(list(enumerate(parts))):
        hit = part == top
        comes_first = insides[number] & ~functools.reduce(np.logical_or, insides[:number], np.zeros((), bool))
        if comes_first.any():
            hit = hit | (comes_first & (part != part))
        places = np.where(hit & insides[number], np.full_like(places, number), places)
    return places


def dilated(image: Array, filters: Array, windows: Windows) -> Iterable[Array]:
    """Yields, for each place in a window, the elements plus the filter's.

    NaN, minus infinity and the border are the lowest number, from which TensorFlow's kernel starts.
    """
    floor = lowest_finite(image.dtype)
    elements = zip(windows.places(), windows.parts(image), windows.are_inside(), strict=True)
    for (index, _), part, is_inside in elements:
        yield np.where(is_inside, np.fmax(part + filters[index], floor), floor)


def _windows(image: Shape, ksize: Shape, strides: Shape, padding: Any, dilations: Shape | None = None) -> Windows:
    return lay_windows(image[1:-1], ksize, strides, padding, dilations)


def window_spec(image: TensorSpec, *, ksize: Shape, strides: Shape, padding: Any, dilations: Any = None) -> TensorSpec:
    """Returns one element for each window and channel; how windows move is for the axes of space alone."""
    if image.ndim not in (3, 4, 5):
        raise ShapeError(f"an image {list(image.shape)} must have a batch, one to three axes of space, and channels")
    counts = _windows(image.shape, ksize, strides, padding, dilations).counts
    return TensorSpec((image.shape[0], *counts, image.shape[-1]), image.dtype)


def _places_spec(input: TensorSpec, filters: TensorSpec | None = None, **how: Any) -> TensorSpec:
    if filters is not None and filters.shape != (*how["ksize"], *input.shape[-1:]):
        raise ShapeError(f"filters {list(filters.shape)} must be as large as a window, with the channels of the input")
    return TensorSpec(window_spec(input, **how).shape, DTYPES["int32"])


@block(
    "Gradient parts",
    differentiable="never",
    infer=_places_spec,
    accepts=NUMBER,
    formula=r"y = \mathrm{argmax}_{\text{window}}\,(x + f)",
    gradient_formula=r"\text{none: places have no gradient}",
)
def PlacesOfMaxima(
    input: Array,
    filters: Array | None = None,
    *,
    ksize: IntList,
    strides: IntList,
    padding: Padding,
    dilations: IntList,
) -> Array:
    """The number of the place of each window's first maximum, after adding the filters if any.

    Places are counted from 0, the last axis fastest; -1 says that there is nothing but border.
    """
    windows = _windows(input.shape, ksize, strides, padding, dilations)
    if filters is None:
        return places_of_greatest(input, windows)
    return first_maxima(zip(dilated(input, filters, windows), windows.are_inside(), strict=True))[1]


def _at_places(image: TensorSpec, found: TensorSpec, name: str, **how: Any) -> TensorSpec:
    expected = window_spec(image, **how)
    if found.shape != expected.shape:
        raise ShapeError(f"{name} has shape {list(found.shape)}, but the windows are {list(expected.shape)}")
    return expected


def _spread_spec(g: TensorSpec, places: TensorSpec, *, shape: Shape, **how: Any) -> TensorSpec:
    image = TensorSpec(shape, g.dtype)
    for name, spec in (("g", g), ("places", places)):
        _at_places(image, spec, name, **how)
    return image


@block(
    "Gradient parts",
    infer=_spread_spec,
    accepts={"g": FLOAT, "places": INDEX},
    sums_products=True,
    formula=r"x = \textstyle\sum_{\text{windows}} g \text{ at its place}",
    gradient_formula=r"\bar g = \bar x \text{ at its place}",
)
def SpreadToPlaces(
    g: Array, places: Array, *, shape: IntList, ksize: IntList, strides: IntList, padding: Padding, dilations: IntList
) -> Array:
    """Zeros to which each element of g is added at its place in its window; a place outside the window drops it."""
    windows = _windows(shape, ksize, strides, padding, dilations)
    if windows.are_apart:
        return windows.put(g, places, shape)
    nothing = np.full_like(g, 0)
    parts = (np.where(places == number, g, nothing) for number, _ in enumerate(windows.places()))
    return windows.spread(parts, shape, g.dtype)


@SpreadToPlaces.gradient
def spread_to_places_gradient(h: Any, g: Any, places: Any, x: Any, *, shape: Shape, **how: Any) -> Any:
    return PickAtPlaces(h, places, **how), None


def _pick_spec(values: TensorSpec, places: TensorSpec, **how: Any) -> TensorSpec:
    return _at_places(values, places, "places", **how)


@block(
    "Gradient parts",
    infer=_pick_spec,
    accepts={"values": FLOAT, "places": INDEX},
    formula=r"y = v \text{ at its place}",
    gradient_formula=r"\bar v = \bar y \text{ spread to the places}",
)
def PickAtPlaces(
    values: Array, places: Array, *, ksize: IntList, strides: IntList, padding: Padding, dilations: IntList
) -> Array:
    """For each window the element at its place; a place outside the window gives 0."""
    windows = _windows(values.shape, ksize, strides, padding, dilations)
    picked = np.zeros(places.shape, values.dtype)
    for number, part in enumerate(windows.parts(values)):
        picked = np.where(places == number, part, picked)
    return picked


@PickAtPlaces.gradient
def pick_at_places_gradient(g: Any, values: Any, places: Any, y: Any, **how: Any) -> Any:
    return SpreadToPlaces(g, places, shape=values.shape, **how), None


def pooled_spec(spatial: int, input: TensorSpec, *, data_format: str, **how: Any) -> TensorSpec:
    """Infers the spec of all poolings."""
    layout = layout_of(spatial, data_format)
    return spec_back(window_spec(last_spec(input, layout), **layout.plain(**how)), layout)


def pool(kernel: Callable[[Array, Windows], Array], input: Array, data_format: str, **how: Any) -> Array:
    """Returns the result of a pooling: `kernel` of an image with channels last and its windows."""
    layout = layout_of(input.ndim - 2, data_format)
    image = layout.channels_last(input)
    return layout.channels_back(kernel(image, _windows(image.shape, **layout.plain(**how))))


def greatest(image: Array, windows: Windows) -> Array:
    """Returns the maximum of each window, axis by axis; NaN is left out, and the border is the lowest finite number."""
    found = windows.pad(image, lowest_finite(image.dtype))
    for axis, spans in enumerate(windows.spans(), image.ndim - len(windows.space) - 1):
        whole = (slice(None),) * axis
        found = functools.reduce(np.fmax, (found[(*whole, span)] for span in spans))
    return found


def greatest_finite(image: Array, windows: Windows) -> Array:
    """Returns the maximum of each window, at least the lowest finite number, from which TensorFlow's kernel starts."""
    found = greatest(image, windows)
    return np.fmax(found, lowest_finite(image.dtype)) if image.dtype.kind == "f" else found


def pooling(spatial: int, formula: str, gradient_formula: str, spelling: Spelling, accepts: Dtypes) -> Declaration:
    """Returns the declaration that all poolings of one output share; those that add are of floating point."""
    return block(
        "Pooling",
        infer=functools.partial(pooled_spec, spatial),
        accepts=accepts,
        sums_products=accepts is FLOAT,
        formula=formula,
        gradient_formula=gradient_formula,
        spelling=spelling,
    )


def max_pooling(spatial: int) -> Declaration:
    """Returns the declaration that max pooling over one, two and three axes shares."""
    return pooling(
        spatial,
        r"y = \max_{\text{window}} x",
        r"\bar x = \bar y \text{ at the first maximum of each window}",
        max_pool_spelling(spatial),
        NUMBER,
    )


@max_pooling(1)
def MaxPool1D(
    input: Array, *, ksize: Sizes, strides: Sizes, padding: Padding, data_format: Literal["NWC", "NCW"] = "NWC"
) -> Array:
    """The largest element of each window along the columns of (batch, columns, channels).

    Of equal maxima the first in the window receives all the gradient, unlike in ReduceMax. The border is never a
    maximum. NaN is left out, yet receives the gradient where it comes first. A window without any other number gives
    the lowest finite number, minus infinity as well. With NCW the channels come before the columns.
    """
    return pool(greatest_finite, input, data_format, ksize=ksize, strides=strides, padding=padding)


@max_pooling(2)
def MaxPool2D(
    input: Array, *, ksize: Sizes, strides: Sizes, padding: Padding, data_format: Literal["NHWC", "NCHW"] = "NHWC"
) -> Array:
    """The largest element of each window over rows and columns of (batch, rows, columns, channels).

    Of equal maxima the first in the window receives all the gradient, unlike in ReduceMax. The border is never a
    maximum. NaN is left out, yet receives the gradient where it comes first. A window without any other number gives
    the lowest finite number, minus infinity as well. With NCHW the channels come before the rows.
    """
    return pool(greatest_finite, input, data_format, ksize=ksize, strides=strides, padding=padding)


@max_pooling(3)
def MaxPool3D(
    input: Array,
    *,
    ksize: Sizes,
    strides: Sizes,
    padding: Literal["SAME", "VALID"],
    data_format: Literal["NDHWC", "NCDHW"] = "NDHWC",
) -> Array:
    """The largest element of each window over planes, rows and columns of (batch, planes, rows, columns, channels).

    Every one of equal maxima receives all the gradient, as in TensorFlow, while in MaxPool2D the first does. The border
    is the lowest finite number. NaN is left out, and receives no gradient (in TensorFlow its place in the window
    decides). With NCDHW the channels come before the planes.
    """
    return pool(greatest, input, data_format, ksize=ksize, strides=strides, padding=padding)


def max_pool_gradient(g: Any, input: Any, y: Any, *, data_format: str, **how: Any) -> Any:
    """Returns the gradient of any max pooling."""
    layout = layout_of(input.ndim - 2, data_format)
    image = move_last(input, layout)
    how = layout.plain(dilations=1, **how)
    spread = SpreadToPlaces(move_last(g, layout), PlacesOfMaxima(image, **how), shape=image.shape, **how)
    return move_back(spread, layout)


def max_pool3d_gradient(g: Any, input: Any, y: Any, *, data_format: str, **how: Any) -> Any:
    """Returns the gradient over three axes: each element that equals the maximum of its window receives all of it."""
    layout = layout_of(3, data_format)
    image, maxima = move_last(input, layout), move_last(y, layout)
    return move_back(SpreadToEqual(move_last(g, layout), image, maxima, **layout.plain(dilations=1, **how)), layout)


def max_pool_ties(input: Array, y: Array, *, data_format: str, **how: Any) -> Observation | None:
    """Windows whose maximum stands in several places."""
    if input.dtype.kind != "f":
        return None
    if input.ndim == 5 and (note := with_nan(input, LEFT_OUT)) is not None:
        return note
    counts = pool(_count_of_maxima, input, data_format, **how)
    tied = int((counts > 1).sum())
    if not tied:
        return None
    what = "1 window has equal maxima" if tied == 1 else f"{tied} windows have equal maxima"
    who = "each element receives the whole of" if input.ndim == 5 else "the first element receives"
    return Observation("tie", f"{what}: {who} the gradient.", int(counts[counts > 1].sum()))


def _count_of_maxima(image: Array, windows: Windows) -> Array:
    maxima, count = greatest(image, windows), 0
    for part, is_inside in zip(windows.parts(image), windows.are_inside(), strict=True):
        count = count + ((part == maxima) & is_inside)
    return np.asarray(count)


for _pooling in (MaxPool1D, MaxPool2D, MaxPool3D):
    _pooling.gradient(max_pool3d_gradient if _pooling is MaxPool3D else max_pool_gradient)
    _pooling.observe(max_pool_ties)
