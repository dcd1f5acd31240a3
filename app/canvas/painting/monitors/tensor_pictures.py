"""Pictures made of tensors by their shapes: points, curves, images, heat maps."""

from __future__ import annotations

import math

import numpy as np

from gradwire.app.canvas.painting.monitors.pictures import Curves, Heat, Histogram, Images, Picture, Points
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.norms import means_along
from gradwire.engine.base.tensor_spec import Array

# A picture shows at most so many of each; more could not be told apart on a block.
MOST_POINTS, MOST_PLACES, MOST_LINES, MOST_IMAGES, MOST_PIXELS = 1_000, 512, 6, 24, 64
MOST_ROWS, MOST_COLUMNS = 48, 96
MOST_BINS = 32
# Different numbers that still count as classes.
MOST_CLASSES = 10


def picture_of(y: Array, x: Array | None, target: Array | None, kind: str = "auto") -> Picture:
    """Returns the picture of a tensor; `auto` chooses the kind by its shape.

    Raises: ShapeError if the kind does not suit the shape.
    """
    if not y.size:
        raise ShapeError("the tensor has no elements")
    if kind == "auto":
        kind = kind_of(y)
    if kind == "points":
        return _points(y, x, target)
    if kind == "curve":
        return _curves(y, x)
    if kind == "image":
        return _images(y, target)
    if kind == "histogram":
        return _histogram(y, target)
    return _heat(y)


def kind_of(y: Array) -> str:
    """Returns the kind of picture that suits the shape of a tensor."""
    if y.ndim >= 3:
        return "image"
    if y.ndim == 2 and y.shape[1] == 2:
        return "points"
    return "curve" if y.ndim < 2 or y.shape[1] == 1 else "heat"


def classes_of(target: Array | None, count: int) -> Array | None:
    """Returns the index of each row's class: of the largest column, of the number itself, or of a few numbers.

    None where the rows are not as many, or the numbers too different. Shapes: (rows,).
    """
    if target is None or not target.ndim or len(target) != count or not target.size:
        return None
    rows = target.reshape(count, -1)
    if rows.shape[1] > 1:
        found: Array = rows.argmax(axis=1)
        return found
    if target.dtype.kind in "iub":
        return rows[:, 0].astype(np.int64)
    known, index = np.unique(rows[:, 0], return_inverse=True)
    return index.reshape(count) if len(known) <= MOST_CLASSES else None


def columns_of(array: Array) -> Array:
    """Returns a tensor as rows of numbers. Shapes: (rows, columns)."""
    wide = np.atleast_1d(array).astype(np.float64)
    return wide.reshape(len(wide), -1)


def _points(y: Array, x: Array | None, target: Array | None) -> Picture:
    at = columns_of(y)
    if at.shape[1] == 1 and x is not None and len(columns_of(x)) == len(at):
        at = np.concatenate([columns_of(x)[:, :1], at], axis=1)
    if at.shape[1] != 2:
        raise ShapeError(f"points need two columns, not {at.shape[1]:,}")
    return some_points(at, target)


def some_points(at: Array, target: Array | None) -> Points:
    """Returns as many points as can be told apart, with the classes that a target gives them."""
    chosen, classes = evenly(len(at), MOST_POINTS), classes_of(target, len(at))
    return Points(at[chosen], None if classes is None else classes[chosen])


def finite_range(numbers: Array, otherwise: tuple[float, float]) -> tuple[float, float]:
    """Returns the least and the largest of the finite numbers; `otherwise` where there is none."""
    finite = numbers[np.isfinite(numbers)]
    return (float(finite.min()), float(finite.max())) if finite.size else otherwise


def evenly(count: int, most: int) -> Array:
    """Returns at most so many indices, as far from each other as possible."""
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(np.int64)


def _curves(y: Array, x: Array | None) -> Picture:
    lines = columns_of(y)[:, :MOST_LINES]
    places = columns_of(x) if x is not None else np.zeros((0, 0))
    along = places[:, 0] if places.shape == (len(lines), 1) else np.arange(len(lines), dtype=np.float64)
    order = np.argsort(along, kind="stable")[evenly(len(lines), MOST_PLACES)]
    return Curves(along[order], lines[order])


def _heat(y: Array) -> Picture:
    matrix = y.reshape(-1, *y.shape[-2:])[0] if y.ndim > 2 else columns_of(y)
    rows, columns = matrix.shape
    return Heat(_means(_means(matrix.astype(np.float64), MOST_ROWS, 0), MOST_COLUMNS, 1), rows, columns)


def _histogram(y: Array, target: Array | None) -> Picture:
    """Returns the shares of the finite elements in bins of one width; their number is 2 n^(1/3), Rice's rule."""
    sets = [items.astype(np.float64).ravel() for items in (y, target) if items is not None]
    known = [items[np.isfinite(items)] for items in sets]
    low, high = finite_range(np.concatenate(known), (0.0, 0.0))
    if not high > low:
        low, high = low - 0.5, high + 0.5
    bins = min(max(2 * round(known[0].size ** (1 / 3)), 8), MOST_BINS)
    edges = np.linspace(low, high, bins + 1)
    shares = [np.histogram(items, edges)[0] / max(items.size, 1) for items in known]
    return Histogram(edges, shares[0], shares[1] if len(shares) > 1 else None)


def _means(array: Array, most: int, axis: int) -> Array:
    """Returns an array with one axis cut into at most so many pieces, each replaced by its mean."""
    count = array.shape[axis]
    if count <= most:
        return array
    starts = np.linspace(0, count, most, endpoint=False).astype(np.int64)
    return means_along(array, starts, axis)


def _images(y: Array, target: Array | None) -> Picture:
    pixels = as_images(y)
    if pixels is None:
        raise ShapeError(f"images need rows that are squares, or a height and a width; the shape is {list(y.shape)}")
    shown = pixels[:MOST_IMAGES].astype(np.float64)
    for axis in (1, 2):
        if shown.shape[axis] > MOST_PIXELS:
            shown = np.take(shown, evenly(shown.shape[axis], MOST_PIXELS), axis=axis)
    low, high = finite_range(shown, (0.0, 1.0))
    with np.errstate(all="ignore"):
        shown = np.nan_to_num((shown - low) / ((high - low) or 1.0), posinf=1.0, neginf=0.0)
    return Images(shown, _labels(target, len(pixels))[:MOST_IMAGES])


def as_images(y: Array) -> Array | None:
    """Returns a tensor as images; None if it has no such shape. Shapes: (n, height, width, 1 or 3)."""
    if y.ndim == 4 and y.shape[3] in (1, 3):
        return y
    if y.ndim == 3:
        return y[np.newaxis] if y.shape[2] in (1, 3) else y[..., np.newaxis]
    if y.ndim == 4:
        return y.reshape(-1, *y.shape[2:])[..., np.newaxis]
    side = math.isqrt(y.shape[1]) if y.ndim == 2 else 0
    return y.reshape(-1, side, side, 1) if side > 1 and side * side == y.shape[1] else None


def _labels(target: Array | None, count: int) -> tuple[str, ...]:
    if target is None or not target.ndim or len(target) != count:
        return ()
    rows = target.reshape(count, -1)
    numbers = rows.argmax(axis=1) if rows.shape[1] > 1 else rows[:, 0]
    return tuple(f"{number:.4g}" for number in numbers.tolist())
