"""Samplers for convolution, pooling and dilation over one to three axes; importing it registers them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.pooling import greatest
from gradwire.blocks.support.windows import lay_windows
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.library import library
from tests.blocks.samplers.samples import Maker, Sample, sampler

BORDERS = ("SAME", "VALID")
FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def space(maker: Maker, spatial: int, low: int, high: int) -> Shape:
    """Sizes of an image or a window; three axes are kept small so that differences stay quick."""
    return tuple(maker.size(low, high) for _ in range(spatial))


def image_shape(maker: Maker, spatial: int, channels: int) -> Shape:
    """Returns a small batch of images, channels last."""
    return (maker.size(high=2), *space(maker, spatial, 2, 3 if spatial == 3 else 4), channels)


def arranged(shape: Shape, data_format: str | None) -> Shape:
    """Returns a shape with the channels where the data format has them."""
    return (shape[0], shape[-1], *shape[1:-1]) if data_format in ("NCW", "NCHW", "NCDHW") else shape


def sizes(maker: Maker, spatial: int, data_format: str | None, high: int = 2) -> Any:
    """Strides in one of their forms."""
    numbers = space(maker, spatial, 1, high)
    whole = arranged((1, *numbers, 1), data_format)
    return maker.choose(numbers[0], numbers, whole)


def pairs(maker: Maker, spatial: int) -> tuple[tuple[int, int], ...]:
    """Returns a border of different widths."""
    return tuple((maker.size(0, 1), maker.size(0, 2)) for _ in range(spatial))


def whole_border(border: Any, data_format: str | None) -> Any:
    """Returns the border as user blocks take it: pairs for batch and channels too."""
    return border if isinstance(border, str) else arranged(((0, 0), *border, (0, 0)), data_format)


def result_shape(name: str, *shapes: Shape, **parameters: Any) -> Shape:
    """Returns the shape of what a block type makes of inputs of these shapes."""
    specs = [TensorSpec(shape, np.dtype(np.float64)) for shape in shapes]
    return library[name].infer_outputs(specs, library[name].normalize(parameters))[0].shape


def filters_and_image(maker: Maker, spatial: int, is_explicit: bool) -> tuple[Shape, Shape, Any, Any]:
    """Returns the shapes of filters and image of a convolution, perhaps in groups, its dilations and its border."""
    groups, own, each = 1 if spatial == 3 else maker.size(1, 2), maker.size(1, 2), maker.size(1, 2)
    size = space(maker, spatial, 1, 2)
    border = maker.choose(*BORDERS, pairs(maker, spatial)) if is_explicit else maker.choose(*BORDERS)
    images = image_shape(maker, spatial, groups * own)
    reach = min(images[1:-1])
    gaps = tuple(maker.size(1, max(1, min(2, reach - 1))) for _ in range(spatial))
    return (*size, own, groups * each), images, gaps, border


def correlation(maker: Maker) -> tuple[Shape, Shape, Shape, dict[str, Any]]:
    """Returns the shapes of image, filters and result, and the parameters for the axes of space alone."""
    spatial = maker.size(1, 3)
    filters, images, gaps, border = filters_and_image(maker, spatial, True)
    how = {"strides": space(maker, spatial, 1, 2), "padding": border, "dilations": gaps}
    return images, filters, result_shape("Correlate", images, filters, **how), how


@sampler("Correlate")
def correlate(maker: Maker) -> Sample:
    images, filters, _, how = correlation(maker)
    return maker.sample(maker.values(images), maker.values(filters), **how)


@sampler("ConvInputGradient")
def conv_input_gradient(maker: Maker) -> Sample:
    images, filters, result, how = correlation(maker)
    return maker.sample(maker.values(result), maker.values(filters), shape=images, **how)


@sampler("ConvFilterGradient")
def conv_filter_gradient(maker: Maker) -> Sample:
    images, filters, result, how = correlation(maker)
    return maker.sample(maker.values(images), maker.values(result), shape=filters, **how)


def convolution(maker: Maker, spatial: int, is_explicit: bool) -> tuple[Shape, Shape, dict[str, Any]]:
    """Returns the shapes of image and filters of a user's convolution, and its parameters."""
    data_format = maker.choose(*FORMATS[spatial])
    filters, images, gaps, border = filters_and_image(maker, spatial, is_explicit)
    steps = sizes(maker, spatial, data_format)
    how = {"padding": whole_border(border, data_format), "data_format": data_format}
    how["dilations"] = maker.choose(None, gaps, arranged((1, *gaps, 1), data_format))
    return arranged(images, data_format), filters, how | {"stride" if spatial == 1 else "strides": steps}


def convolved(spatial: int, is_explicit: bool, maker: Maker) -> Sample:
    images, filters, how = convolution(maker, spatial, is_explicit)
    batches = (2, *images) if maker.choose(False, False, True) else images
    return maker.sample(maker.values(batches), maker.values(filters), **how)


@sampler("Conv1D")
def conv1d(maker: Maker) -> Sample:
    return convolved(1, False, maker)


@sampler("Conv2D")
def conv2d(maker: Maker) -> Sample:
    return convolved(2, True, maker)


@sampler("Conv3D")
def conv3d(maker: Maker) -> Sample:
    return convolved(3, False, maker)


@sampler("Conv2DTranspose")
def conv2d_transpose(maker: Maker) -> Sample:
    images, filters, how = convolution(maker, 2, True)
    result = result_shape("Conv2D", images, filters, **how)
    return maker.sample(maker.values(result), maker.values(filters), output_shape=images, **how)


def depthwise(maker: Maker) -> tuple[Array, Array, dict[str, Any]]:
    """Returns image, filter and parameters: one step for rows and columns, and only a step or a gap above 1."""
    data_format, channels = maker.choose(None, "NHWC", "NCHW"), maker.size(1, 2)
    images = arranged(image_shape(maker, 2, channels), data_format)
    step, gaps = maker.choose((1, None), (2, None), (2, 1), (1, 2), (1, (2, 1)))
    how = {"data_format": data_format, "dilations": gaps, "padding": maker.choose(*BORDERS)}
    how["strides"] = maker.choose(step, arranged((1, step, step, 1), data_format))
    if gaps is None:
        how["padding"] = maker.choose(*BORDERS, whole_border(pairs(maker, 2), data_format))
    size = space(maker, 2, 1, 2) if min(arranged(images, data_format)[1:3]) > 2 or gaps is None else (1, 1)
    return maker.values(images), maker.values((*size, channels, maker.size(1, 2))), how


@sampler("DepthwiseConv2D")
def depthwise_conv2d(maker: Maker) -> Sample:
    image, filter, how = depthwise(maker)
    return maker.sample(image, filter, **how)


@sampler("SeparableConv2D")
def separable_conv2d(maker: Maker) -> Sample:
    image, filter, how = depthwise(maker)
    pixels = maker.values((1, 1, filter.shape[2] * filter.shape[3], maker.size(1, 2)))
    return maker.sample(image, filter, pixels, **how)


@sampler("Dilation2D")
def dilation2d(maker: Maker) -> Sample:
    images, gaps = image_shape(maker, 2, maker.size(high=2)), maker.choose(1, (1, 1, 1, 1))
    filters = maker.values((*space(maker, 2, 1, 2), max(images[-1], 1)))
    images = (*images[:-1], filters.shape[-1])
    if min(images[1:3]) > 2:
        gaps = maker.choose(gaps, 2, (1, 2, 1, 1))
    how = {"strides": sizes(maker, 2, "NHWC"), "padding": maker.choose(*BORDERS), "dilations": gaps}
    return maker.sample(maker.values(images), filters, **how)


def pooling(maker: Maker, spatial: int, is_explicit: bool) -> tuple[Array, dict[str, Any]]:
    """Returns an image and the parameters of a pooling; no window lies in the border alone."""
    data_format = maker.choose(*FORMATS[spatial])
    images = image_shape(maker, spatial, maker.size(high=2))
    size, border = sizes(maker, spatial, data_format), maker.choose(*BORDERS)
    if is_explicit and maker.choose(True, False):
        size, border = 3, whole_border(pairs(maker, spatial), data_format)
        images = (images[0], *(max(length, 3) for length in images[1:-1]), images[-1])
    how = {"ksize": size, "strides": sizes(maker, spatial, data_format), "padding": border}
    return maker.values(arranged(images, data_format)), how | {"data_format": data_format}


@sampler("MaxPool1D")
def max_pool1d(maker: Maker) -> Sample:
    image, how = pooling(maker, 1, True)
    return maker.sample(image, **how)


@sampler("MaxPool2D")
def max_pool2d(maker: Maker) -> Sample:
    image, how = pooling(maker, 2, True)
    return maker.sample(image, **how)


@sampler("AvgPool1D")
def average_pool1d(maker: Maker) -> Sample:
    image, how = pooling(maker, 1, False)
    return maker.sample(image, **how)


@sampler("AvgPool2D")
def average_pool2d(maker: Maker) -> Sample:
    image, how = pooling(maker, 2, False)
    return maker.sample(image, **how)


@sampler("AvgPool3D", "MaxPool3D")
def pool3d(maker: Maker) -> Sample:
    image, how = pooling(maker, 3, False)
    return maker.sample(image, **how)


@sampler("MaxPoolWithArgmax")
def max_pool_with_argmax(maker: Maker) -> Sample:
    images = image_shape(maker, 2, maker.size(high=2))
    how = {"ksize": sizes(maker, 2, "NHWC"), "strides": sizes(maker, 2, "NHWC"), "padding": maker.choose(*BORDERS)}
    how |= {"output_dtype": maker.choose("int32", "int64"), "include_batch_in_index": maker.choose(True, False)}
    return maker.sample(maker.values(images), **how)


def windows(maker: Maker) -> tuple[Shape, Shape, dict[str, Any]]:
    """Returns the shape of an image, that of its windows, and the parameters of parts, for the axes of space alone."""
    spatial = maker.size(1, 3)
    images = image_shape(maker, spatial, maker.size(high=2))
    gaps = space(maker, spatial, 1, 1 if min(images[1:-1]) < 3 else 2)
    how = {"ksize": space(maker, spatial, 1, 2), "strides": space(maker, spatial, 1, 2), "dilations": gaps}
    how["padding"] = maker.choose(*BORDERS, pairs(maker, spatial))
    return images, result_shape("PlacesOfMaxima", images, **how), how


@sampler("PlacesOfMaxima")
def places_of_maxima(maker: Maker) -> Sample:
    images, _, how = windows(maker)
    filters = maker.choose(None, maker.values((*how["ksize"], images[-1])))
    return maker.sample(maker.values(images), filters, **how)


def places(maker: Maker, shape: Shape, how: dict[str, Any]) -> Array:
    """Returns a place in each window, or none."""
    return maker.integers(shape, -1, int(np.prod(how["ksize"])), maker.choose("int32", "int64"))


@sampler("SpreadToPlaces")
def spread_to_places(maker: Maker) -> Sample:
    images, shape, how = windows(maker)
    return maker.sample(maker.values(shape), places(maker, shape, how), shape=images, **how)


@sampler("PickAtPlaces")
def pick_at_places(maker: Maker) -> Sample:
    images, shape, how = windows(maker)
    return maker.sample(maker.values(images), places(maker, shape, how), **how)


@sampler("SpreadMeans")
def spread_means(maker: Maker) -> Sample:
    images, _, how = windows(maker)
    how = {name: how[name] for name in ("ksize", "strides")} | {"padding": maker.choose(*BORDERS)}
    name = f"AvgPool{len(images) - 2}D"
    return maker.sample(maker.values(result_shape(name, images, **how)), shape=images, **how)


@sampler("SumOfNeighbours")
def sum_of_neighbours(maker: Maker) -> Sample:
    return maker.sample(maker.values(maker.shape(min_rank=1)), radius=maker.size(0, 4))


@sampler("LRN")
def local_response(maker: Maker) -> Sample:
    shape = (*(maker.size(high=2) for _ in range(3)), maker.size(high=4))
    how = {"depth_radius": maker.size(0, 3), "bias": maker.choose(1.0, 2.0), "alpha": maker.choose(1.0, 0.1)}
    return maker.sample(maker.values(shape), beta=maker.choose(0.5, 0.75), **how)


def with_maxima(maker: Maker) -> tuple[Array, Array, dict[str, Any]]:
    """Returns whole numbers, some of them equal, and the maxima of their windows; small steps change neither."""
    images, _, how = windows(maker)
    image = maker.rng.integers(1, 3, images).astype(maker.dtype)
    parts = lay_windows(images[1:-1], how["ksize"], how["strides"], how["padding"], how["dilations"])
    maxima = greatest(image, parts)
    # A window of nothing but border has none.
    return image, np.where(np.isfinite(maxima), maxima, maker.dtype.type(0)), how


@sampler("SpreadToEqual")
def spread_to_equal(maker: Maker) -> Sample:
    image, maxima, how = with_maxima(maker)
    return maker.sample(maker.values(maxima.shape), image, maxima, **how)


@sampler("SumAtEqual")
def sum_at_equal(maker: Maker) -> Sample:
    image, maxima, how = with_maxima(maker)
    return maker.sample(maker.values(image.shape), image, maxima, **how)
