"""Pictures that are read at places between their pixels, and grids of such places."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.products import product
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.aten.tensors import number
from gradwire.interop.models.tensors import Tensor, broadcast, cast, made, refuse_large

# The ways to read, and what lies outside, in the order of PyTorch's numbers.
MODES: Final = ("linear", "nearest", "cubic")
PADDINGS: Final = ("zeros", "border", "reflection")
_CUBIC: Final = -0.75
# How many elements of an axis each way of reading needs, from which on, counted from the one below the place.
_TAPS: Final[Mapping[str, tuple[int, int]]] = {"linear": (0, 2), "nearest": (0, 1), "cubic": (-1, 4)}


def _plus(x: Tensor, value: float) -> Tensor:
    found: Tensor = made("Add", x, number(value, x))
    return found


def _times(x: Tensor, value: float) -> Tensor:
    found: Tensor = made("Multiply", x, number(value, x))
    return found


def _less(x: Tensor, y: Tensor) -> Tensor:
    found: Tensor = made("Subtract", x, y)
    return found


@operation("affine_grid_generator.default")
def _affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool) -> Tensor:
    return affine_grid(theta, size[2:], align_corners)


def affine_grid(theta: Tensor, sizes: Sequence[int], is_aligned: bool) -> Tensor:
    """Returns the places from -1 to 1 that matrices turn the elements of a picture, or a volume, to.

    Shapes: `theta` (batch, axes, axes + 1), the result (batch, *sizes, axes) with the last axis first.
    """
    axes, count = len(sizes), theta.shape[0]
    refuse_large("a grid of places", [count, *sizes, axes + 1], np.dtype(theta.dtype))
    places = [_places(size, is_aligned, np.dtype(theta.dtype)) for size in sizes]
    grids = [*reversed(np.meshgrid(*places, indexing="ij")), np.ones(sizes, theta.dtype)]
    base = np.stack(grids, axis=-1).reshape(-1, axes + 1)
    turned = made("Transpose", theta, perm=[0, 2, 1])
    return reshaped(product(broadcast(base, [count, *base.shape]), turned), [count, *sizes, axes])


def _places(length: int, align_corners: bool, dtype: np.dtype[Any]) -> Array:
    """Returns the middles of the pixels of an axis, from -1 to 1.

    They are rounded as by torch.linspace, from both ends: on a pixel, the last bit decides between two gradients.
    """
    if length <= 1:
        return np.zeros(length, dtype)
    step, index = dtype.type(2) / dtype.type(length - 1), np.arange(length).astype(dtype)
    places = np.where(index < length // 2, index * step - 1, 1 - step * (length - 1 - index))
    return np.asarray(places if align_corners else places * dtype.type((length - 1) / length), dtype)


@operation("grid_sampler.default", "grid_sampler_2d.default", "grid_sampler_3d.default")
def _grid_sampled(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    return sampled(input, grid, MODES[interpolation_mode], PADDINGS[padding_mode], align_corners)


def sampled(x: Tensor, grid: Tensor, mode: str, padding: str, is_aligned: bool) -> Tensor:
    """Returns what pictures, or volumes, hold at places from -1 to 1, of which the grid has the last axis first.

    Shapes: `x` (batch, channels, *sizes), `grid` (batch, *places, axes), the result (batch, channels, *places).
    """
    sizes = list(x.shape[2:])
    columns = made("Unstack", grid, axis=-1)[::-1]
    axes = [_taps(place, size, mode, padding, is_aligned) for place, size in zip(columns, sizes, strict=True)]
    flat, count = reshaped(x, [*x.shape[:2], math.prod(sizes)]), math.prod(grid.shape[1:-1])
    terms = []
    for corner in itertools.product(*axes):
        place: Any = corner[0][0]
        for size, (index, _) in zip(sizes[1:], corner[1:], strict=True):
            place = made("Add", _times(place, size), index)
        places = reshaped(cast(place, np.dtype(np.int64)), [x.shape[0], count])
        read = made("Gather", flat, places, axis=2, batch_dims=1)
        factors = [factor for _, factor in corner if factor is not None]
        if factors:
            weight = reduce(lambda a, b: made("Multiply", a, b), factors)
            read = made("Multiply", read, reshaped(weight, [x.shape[0], 1, count]))
        terms.append(read)
    total = made("AddN", *terms) if len(terms) > 1 else terms[0]
    return reshaped(total, [*x.shape[:2], *grid.shape[1:-1]])


def _taps(grid: Tensor, size: int, mode: str, padding: str, is_aligned: bool) -> list[tuple[Tensor, Tensor | None]]:
    """Returns the elements of an axis to read, as floats inside it, and how much each of them counts."""
    place = _pixels(grid, size, is_aligned)
    if mode != "cubic":
        place = _inside(place, size, padding, is_aligned)
    below = made("Rint" if mode == "nearest" else "Floor", place)
    share = _less(place, below)
    first, count = _TAPS[mode]
    found: list[tuple[Tensor, Tensor | None]] = []
    for step in range(first, first + count):
        index = _plus(below, step) if step else below
        weight = _weight(share, step, mode)
        if padding == "zeros":
            mask = cast(made("Equal", index, _clipped(index, size)), np.dtype(grid.dtype))
            weight = mask if weight is None else made("Multiply", weight, mask)
        elif padding == "reflection" and mode == "cubic":
            index = _turned(index, size, is_aligned)
        found.append((_clipped(index, size), weight))
    return found


def _clipped(index: Tensor, size: int) -> Tensor:
    found: Tensor = made("ClipByValue", index, number(0, index), number(size - 1, index))
    return found


def _weight(share: Tensor, step: int, mode: str) -> Tensor | None:
    """Returns how much an element counts that lies `step` above the one below the place."""
    if mode == "nearest":
        return None
    if mode == "linear":
        found: Tensor = share if step else made("Subtract", number(1, share), share)
        return found
    away = made("Add", share, number(-step, share)) if step <= 0 else made("Subtract", number(step, share), share)
    a = _CUBIC
    near = (a + 2, -(a + 3), 0.0, 1.0)
    far = (a, -5 * a, 8 * a, -4 * a)
    total: Any = number((near if step in (0, 1) else far)[0], away)
    for factor in (near if step in (0, 1) else far)[1:]:
        total = made("Multiply", total, away)
        total = made("Add", total, number(factor, away)) if factor else total
    result: Tensor = total
    return result


def _turned(index: Tensor, size: int, is_aligned: bool) -> Tensor:
    """Returns places mirrored at the borders, which lie on the outer elements or half an element outside."""
    period, last = (2 * (size - 1), 2 * (size - 1)) if is_aligned else (2 * size, 2 * size - 1)
    if not period:
        return index
    turned = made("FloorMod", index, number(period, index))
    found: Tensor = made("Minimum", turned, made("Subtract", number(last, turned), turned))
    return found


def _pixels(x: Tensor, length: int, align_corners: bool) -> Tensor:
    """Returns places from -1 to 1 as places among pixels."""
    if align_corners:
        return _times(_times(_plus(x, 1.0), 0.5), length - 1.0)
    return _times(_plus(_times(_plus(x, 1.0), float(length)), -1.0), 0.5)


def _inside(x: Tensor, length: int, padding: str, align_corners: bool) -> Tensor:
    """Returns places that lie inside; those that were moved to a bound have no gradient."""
    if padding == "zeros":
        return x
    if padding != "border":
        x = _reflected(x, length, align_corners)
    top = number(length - 1.0, x)
    is_inside = made("LogicalAnd", made("Greater", x, number(0.0, x)), made("Less", x, top))
    at_bound = made("StopGradient", made("Minimum", made("Maximum", x, number(0.0, x)), top))
    found: Tensor = made("Where", is_inside, x, at_bound)
    return found


def _reflected(x: Tensor, length: int, align_corners: bool) -> Tensor:
    least, span = (0.0, length - 1.0) if align_corners else (-0.5, float(length))
    if span <= 0:
        return _times(x, 0.0)
    moved = _plus(x, -least)
    distance = made("Where", made("Less", moved, number(0.0, x)), made("Negative", moved), moved)
    flips = made("Floor", _times(distance, 1 / span))
    rest = _less(distance, _times(flips, span))
    is_even = made("Equal", made("FloorMod", flips, number(2.0, x)), number(0.0, x))
    found: Tensor = made("Where", is_even, _plus(rest, least), _less(number(span + least, x), rest))
    return found
