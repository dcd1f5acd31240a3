"""Boxes cut out of images and brought to one size: a grid of places is laid over each box and the image read there.

How the places depend on the boxes is plain arithmetic; reading an image at places between pixels is one block, and
adding to it there another. Each is the derivative of the other, also by the places themselves.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from gradwire.blocks.comparison import Cast
from gradwire.blocks.indexing import check_indices
from gradwire.blocks.reduce import ReduceSum
from gradwire.blocks.shape import Concat, Split
from gradwire.engine.base.errors import ParameterError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import INDEX, Dtypes, block
from gradwire.engine.blocktypes.parameters import IntList
from gradwire.engine.blocktypes.spelling import Spelling

Method = Literal["bilinear", "nearest"]

# Not shared: what comes out is float32 whatever comes in.
PIXELS = Dtypes("a number", "fiu", shared=False)
PLACES = Dtypes("floating point", "f", shared=False)


class Taps(NamedTuple):
    """The pixels along one axis that each place is read from, their weights, and its being inside the image.

    Shapes: indices and weights (taps, boxes, places), is_inside (boxes, places).
    """

    indices: Array
    weights: Array
    is_inside: Array


def _taps(places: Array, size: int, order: int, method: str) -> Taps:
    """Returns the taps of places along an axis; with `order` 1 the weights are their derivatives by the place."""
    is_inside = (places >= 0) & (places <= size - 1)
    places = np.where(is_inside, places, places.dtype.type(0))
    below, one = np.floor(places), np.ones_like(places)
    if method == "nearest":
        indices, weights = [below + (places - below >= 0.5)], [one]
    else:
        rest = places - below
        indices, weights = [below, np.ceil(places)], [-one, one] if order else [1 - rest, rest]
    return Taps(np.stack(indices).astype(np.intp), np.stack(weights), is_inside)


class Grid(NamedTuple):
    """The taps of a grid of places in each box, down and across."""

    images: Array
    down: Taps
    across: Taps

    @property
    def is_inside(self) -> Array:
        """A mask of the places of the grid inside the image. Shape: (boxes, rows, columns, 1)."""
        inside: Array = self.down.is_inside[:, :, None] & self.across.is_inside[:, None, :]
        return inside[..., None]

    def corners(self) -> list[tuple[tuple[Array, Array, Array], Array]]:
        """The index in the batch of images, and the weight, of each of the pixels around a place."""
        return [
            (
                (self.images[:, None, None], row[:, :, None], column[:, None, :]),
                (of_row[:, :, None] * of_column[:, None, :])[..., None],
            )
            for row, of_row in zip(self.down.indices, self.down.weights, strict=True)
            for column, of_column in zip(self.across.indices, self.across.weights, strict=True)
        ]


def _grid(shape: Shape, ys: Array, xs: Array, box_indices: Array, orders: tuple[int, int], method: str) -> Grid:
    images = check_indices(box_indices, shape[0], "box index")
    return Grid(images, _taps(ys, shape[1], orders[0], method), _taps(xs, shape[2], orders[1], method))


def _check_grid(shape: Shape, ys: TensorSpec, xs: TensorSpec, box_indices: TensorSpec) -> Shape:
    """Returns the shape of what is read: (boxes, rows, columns, channels)."""
    if len(shape) != 4 or 0 in shape[1:3]:
        raise ShapeError(f"image {list(shape)} must have four axes (batch, rows, columns, channels) and some pixels")
    if ys.ndim != 2 or xs.ndim != 2 or box_indices.shape != ys.shape[:1] or xs.shape[:1] != ys.shape[:1]:
        raise ShapeError("ys and xs must have one row for each of the box indices")
    return (*ys.shape, xs.shape[1], shape[3])


def _check_orders(orders: tuple[int, ...], method: str) -> tuple[int, int]:
    if len(orders) != 2 or not set(orders) <= {0, 1} or (method == "nearest" and any(orders)):
        raise ParameterError(f"orders must be two numbers, 0 or 1, both 0 for the nearest pixel, not {list(orders)}")
    return orders[0], orders[1]


def _read(
    image: TensorSpec, ys: TensorSpec, xs: TensorSpec, box_indices: TensorSpec, *, orders: Any, method: str
) -> TensorSpec:
    _check_orders(orders, method)
    return TensorSpec(_check_grid(image.shape, ys, xs, box_indices), image.dtype)


@block(
    "Gradient parts",
    infer=_read,
    accepts={"box_indices": INDEX},
    sums_products=True,
    formula=r"y_{b i j} = \textstyle\sum_{r c} w(v_{b i} - r)\, w(u_{b j} - c)\, x_{k_b r c}",
    gradient_formula=r"\bar x \text{ spread with the same weights};\ \bar v, \bar u \text{ with those of order 1}",
)
def ReadGrid(
    image: Array, ys: Array, xs: Array, box_indices: Array, *, orders: IntList = (0, 0), method: Method = "bilinear"
) -> Array:
    """The images at a grid of places for each box, 0 outside; `orders` 1 gives the derivatives by ys or xs."""
    grid = _grid(image.shape, ys, xs, box_indices, _check_orders(orders, method), method)
    read = sum((image[place] * weight for place, weight in grid.corners()), start=image.dtype.type(0))
    return np.where(grid.is_inside, read, image.dtype.type(0))


def _by_places(g: Any, image: Any, ys: Any, xs: Any, box_indices: Any, orders: tuple[int, int], method: str) -> Any:
    """Returns the gradients of ys and xs for g at these places; the second derivative by one is 0."""
    if method == "nearest":
        return None, None
    of_ys = of_xs = None
    if not orders[0]:
        of_ys = ReduceSum(g * ReadGrid(image, ys, xs, box_indices, orders=(1, orders[1])), axis=(2, 3))
    if not orders[1]:
        of_xs = ReduceSum(g * ReadGrid(image, ys, xs, box_indices, orders=(orders[0], 1)), axis=(1, 3))
    return of_ys, of_xs


@ReadGrid.gradient
def read_grid_gradient(
    g: Any, image: Any, ys: Any, xs: Any, box_indices: Any, y: Any, *, orders: tuple[int, int], method: str
) -> Any:
    of_image = SpreadGrid(g, ys, xs, box_indices, shape=image.shape, orders=orders, method=method)
    return of_image, *_by_places(g, image, ys, xs, box_indices, orders, method), None


def _spread_spec(
    g: TensorSpec,
    ys: TensorSpec,
    xs: TensorSpec,
    box_indices: TensorSpec,
    *,
    shape: tuple[int, ...],
    orders: Any,
    method: str,
) -> TensorSpec:
    _check_orders(orders, method)
    expected = _check_grid(shape, ys, xs, box_indices)
    if g.shape != expected or min(shape) < 0:
        raise ShapeError(f"g {list(g.shape)} does not fit; {list(expected)} would")
    return TensorSpec(shape, g.dtype)


@block(
    "Gradient parts",
    infer=_spread_spec,
    accepts={"box_indices": INDEX},
    sums_products=True,
    formula=r"y_{k r c} = \textstyle\sum_{b i j : k_b = k} w(v_{b i} - r)\, w(u_{b j} - c)\, x_{b i j}",
    gradient_formula=r"\bar x \text{ read with the same weights};\ \bar v, \bar u \text{ with those of order 1}",
)
def SpreadGrid(
    g: Array,
    ys: Array,
    xs: Array,
    box_indices: Array,
    *,
    shape: IntList,
    orders: IntList = (0, 0),
    method: Method = "bilinear",
) -> Array:
    """Empty images to which g is added at a grid of places for each box: the gradient of ReadGrid."""
    grid = _grid(shape, ys, xs, box_indices, _check_orders(orders, method), method)
    total, inside = np.zeros(shape, g.dtype), np.where(grid.is_inside, g, g.dtype.type(0))
    for place, weight in grid.corners():
        np.add.at(total, place, inside * weight)
    return total


@SpreadGrid.gradient
def spread_grid_gradient(
    h: Any,
    g: Any,
    ys: Any,
    xs: Any,
    box_indices: Any,
    y: Any,
    *,
    shape: tuple[int, ...],
    orders: tuple[int, int],
    method: str,
) -> Any:
    of_g = ReadGrid(h, ys, xs, box_indices, orders=orders, method=method)
    return of_g, *_by_places(g, h, ys, xs, box_indices, orders, method), None


def _shares(count: int) -> Array:
    """Returns the distance of each place along a box, from 0 to 1; a single one lies in the middle."""
    return np.arange(count, dtype=np.float32) / np.float32(count - 1) if count > 1 else np.full(1, 0.5, np.float32)


def _places(start: Any, end: Any, size: int, count: int) -> Any:
    """Returns the places along one axis, in pixels, rounded step by step as in TensorFlow."""
    last = float(size - 1)
    if count == 1:
        return (start + end) * 0.5 * last
    return start * last + (end - start) * last / float(count - 1) * np.arange(count, dtype=np.float32)


def _grid_of_boxes(boxes: Any, shape: Shape, crop_size: tuple[int, ...]) -> tuple[Any, Any]:
    top, left, bottom, right = Split(boxes, num_or_size_splits=4, axis=1)
    return _places(top, bottom, shape[1], crop_size[0]), _places(left, right, shape[2], crop_size[1])


def _crops(
    image: TensorSpec, boxes: TensorSpec, box_indices: TensorSpec, *, crop_size: tuple[int, ...], **_: object
) -> TensorSpec:
    if len(crop_size) != 2 or min(crop_size) < 1:
        raise ParameterError(f"crop_size must be two numbers of at least 1, rows and columns, not {list(crop_size)}")
    if boxes.ndim != 2 or boxes.shape[1] != 4 or box_indices.shape != boxes.shape[:1]:
        found = f"not {list(boxes.shape)} for {list(box_indices.shape)} box indices"
        raise ShapeError(f"boxes must have four numbers in a row for each box index, {found}")
    ys, xs = (TensorSpec((boxes.shape[0], count), boxes.dtype) for count in crop_size)
    return TensorSpec(_check_grid(image.shape, ys, xs, box_indices), DTYPES["float32"])


@block(
    "Images",
    infer=_crops,
    accepts={"image": PIXELS, "boxes": PLACES, "box_indices": INDEX},
    formula=r"y_{b i j} = x_{k_b}(v_i, u_j),\quad v_i = (t + \tfrac{i}{m-1} (b - t)) (h - 1)",
    gradient_formula=(
        r"\bar x \text{ spread with the weights of reading},\quad"
        r" \bar t = \textstyle\sum_i (1 - \tfrac{i}{m-1}) (h - 1)\,\bar v_i,\quad"
        r" \bar b = \textstyle\sum_i \tfrac{i}{m-1} (h - 1)\,\bar v_i"
    ),
    source="tf.image.crop_and_resize",
    spelling=Spelling(
        tensorflow="tf.image.crop_and_resize("
        "{image}, tf.cast({boxes}, tf.float32), tf.cast({box_indices}, tf.int32), "
        "{crop_size}, method={method}, extrapolation_value={extrapolation_value})"
    ),
)
def CropAndResize(
    image: Array,
    boxes: Array,
    box_indices: Array,
    *,
    crop_size: IntList,
    method: Method = "bilinear",
    extrapolation_value: float = 0.0,
) -> Array:
    """Boxes cut out of a batch of images and brought to one size; `box_indices` says which image each box is cut from.

    A box is (top, left, bottom, right) in parts of the image, 0 and 1 being the centres of the outer pixels; turned
    round it mirrors. Places outside the image have `extrapolation_value` and pass no gradient. The result is float32.
    Where a place lies exactly on a pixel the boxes receive no gradient from it. With the nearest pixel the boxes
    receive the gradient of the bilinear crop, as in TensorFlow.
    """
    if not np.isfinite(boxes).all():
        raise ValueProblem("boxes hold NaN or infinity")
    ys, xs = _grid_of_boxes(boxes.astype(np.float32), image.shape, crop_size)
    pixels = image.astype(np.float32)
    read = ReadGrid.function(pixels, ys, xs, box_indices, orders=(0, 0), method=method)
    grid = _grid(image.shape, ys, xs, box_indices, (0, 0), method)
    return np.where(grid.is_inside, read, np.float32(extrapolation_value))


@CropAndResize.gradient
def crop_and_resize_gradient(
    g: Any,
    image: Any,
    boxes: Any,
    box_indices: Any,
    y: Any,
    *,
    crop_size: tuple[int, ...],
    method: str,
    extrapolation_value: float,
) -> Any:
    ys, xs = _grid_of_boxes(Cast(boxes, dtype="float32"), image.shape, crop_size)
    pixels = Cast(image, dtype="float32")
    of_image = SpreadGrid(g, ys, xs, box_indices, shape=image.shape, method=method)
    of_ys, of_xs = _by_places(g, pixels, ys, xs, box_indices, (0, 0), "bilinear")
    ends = []
    for of_places, size, count in zip((of_ys, of_xs), image.shape[1:3], crop_size, strict=True):
        share = _shares(count)
        for part in (1 - share, share):
            ends.append(ReduceSum(of_places * (part * np.float32(size - 1)), axis=1, keepdims=True))
    of_boxes = Concat(ends[0], ends[2], ends[1], ends[3], axis=1)
    is_exact = image.dtype.kind == "f"
    return Cast(of_image, dtype=image.dtype.name) if is_exact else None, Cast(of_boxes, dtype=boxes.dtype.name), None
