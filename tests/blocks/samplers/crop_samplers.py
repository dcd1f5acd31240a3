"""Samplers for crops; importing it registers them. No place of a grid comes near a pixel, where the slope jumps."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array, Shape
from tests.blocks.samplers.samples import Maker, Sample, sampler


def image_shape(maker: Maker) -> Shape:
    return (maker.size(1, 2), maker.size(2, 4), maker.size(2, 4), maker.size(high=2))


def places(maker: Maker, boxes: int, size: int) -> Array:
    """Places between two pixels, and some outside the image."""
    between = maker.rng.integers(-1, size, (boxes, maker.size(high=3)))
    return (between + maker.rng.uniform(0.2, 0.8, between.shape)).astype(maker.dtype)


def reading(maker: Maker) -> dict[str, Any]:
    method = maker.choose("bilinear", "bilinear", "nearest")
    orders = (0, 0) if method == "nearest" else maker.choose((0, 0), (0, 1), (1, 0), (1, 1))
    return {"method": method, "orders": orders}


def away_from_halves(array: Array) -> Array:
    """Places at which the nearest pixel does not change either."""
    rest = array - np.floor(array)
    return np.where(np.abs(rest - 0.5) < 0.05, array + array.dtype.type(0.1), array)


@sampler("ReadGrid")
def read_grid(maker: Maker) -> Sample:
    shape, boxes = image_shape(maker), maker.size()
    ys, xs = (away_from_halves(places(maker, boxes, size)) for size in shape[1:3])
    return maker.sample(maker.values(shape), ys, xs, maker.indices((boxes,), shape[0]), **reading(maker))


@sampler("SpreadGrid")
def spread_grid(maker: Maker) -> Sample:
    shape, boxes = image_shape(maker), maker.size()
    ys, xs = (away_from_halves(places(maker, boxes, size)) for size in shape[1:3])
    g = maker.values((*ys.shape, xs.shape[1], shape[3]))
    return maker.sample(g, ys, xs, maker.indices((boxes,), shape[0]), shape=shape, **reading(maker))


@sampler("CropAndResize")
def crop_and_resize(maker: Maker) -> Sample:
    # Only bilinear: what the boxes get with the nearest pixel is by definition not its own slope.
    shape, boxes = image_shape(maker), maker.size()
    crop_size = (maker.size(1, 2), maker.size(1, 2))
    ends = [box_ends(maker, boxes, size, count) for size, count in zip(shape[1:3], crop_size, strict=True)]
    corners = np.stack([ends[0][0], ends[1][0], ends[0][1], ends[1][1]], axis=1)
    indices = maker.indices((boxes,), shape[0])
    fill = maker.choose(0.0, 2.0)
    return maker.sample(maker.values(shape), corners, indices, crop_size=crop_size, extrapolation_value=fill)


def box_ends(maker: Maker, boxes: int, size: int, count: int) -> tuple[Array, Array]:
    """Returns both ends of boxes along one axis whose places, the ends or their middle, lie between pixels."""
    ends = maker.rng.integers(-1, size, (2, boxes)) + maker.rng.uniform(0.2, 0.8, (2, boxes))
    if count == 1:
        ends[1] = 2 * (maker.rng.integers(0, size - 1, boxes) + maker.rng.uniform(0.2, 0.8, boxes)) - ends[0]
    start, end = (ends / (size - 1)).astype(maker.choose("float32", "float64"))
    return start, end
