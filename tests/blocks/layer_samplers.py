"""Samplers for linear algebra, convolution, pooling and normalization; importing it registers them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.library import library
from engine.tensor_spec import Shape, TensorSpec
from tests.blocks.samples import Maker, Range, Sample, sampler


@sampler("MatMul")
def matmul(maker: Maker) -> Sample:
    n, k, m = maker.size(), maker.size(), maker.size()
    lead = maker.shape(max_rank=2)
    flips = {name: maker.choose(False, True) for name in ("transpose_a", "transpose_b")}
    a = (k, n) if flips["transpose_a"] else (n, k)
    b = (m, k) if flips["transpose_b"] else (k, m)
    return maker.sample(maker.values((*lead, *a)), maker.values((*maker.part_of(lead), *b)), **flips)


@sampler("Einsum")
def einsum(maker: Maker) -> Sample:
    sizes = {letter: maker.size() for letter in "bijk"}
    equation = maker.choose(
        "ij,jk->ik", "bij,bjk->bik", "i,j->ij", "i,i->", "ij->ji", "ij->i", "ij,ij->ij", "i,ij,j->", "ijk,kj->i"
    )
    terms = equation.split("->")[0].split(",")
    return maker.sample(*(maker.values(tuple(sizes[letter] for letter in term)) for term in terms), equation=equation)


def moving(maker: Maker) -> dict[str, Any]:
    """How a window moves over rows and columns."""
    border = ((0, 0), (maker.size(0, 1), 1), (0, maker.size(0, 2)), (0, 0))
    strides = maker.choose(1, 2, (1, 2), (1, 2, 1, 1))
    return {"strides": strides, "padding": maker.choose("SAME", "VALID", border)}


def image_shape(maker: Maker, channels: int) -> Shape:
    """A small batch of images, channels last."""
    return (maker.size(high=2), maker.size(3, 4), maker.size(3, 4), channels)


def convolution(maker: Maker) -> tuple[Shape, Shape, Shape, dict[str, Any]]:
    """The shapes of images, filters and result of a convolution, perhaps in groups of channels, and its parameters."""
    groups, own, each = maker.size(1, 2), maker.size(1, 2), maker.size(1, 2)
    rows, columns = maker.size(1, 3), maker.size(1, 3)
    gaps = maker.choose(1, 2, (2, 1)) if max(rows, columns) < 3 else 1
    images, filters = image_shape(maker, groups * own), (rows, columns, own, groups * each)
    how = moving(maker) | {"dilations": gaps}
    return images, filters, result_shape("Conv2D", images, filters, **how), how


def result_shape(name: str, *shapes: Shape, **parameters: Any) -> Shape:
    """The shape of what a block type makes of inputs of these shapes."""
    specs = [TensorSpec(shape, np.dtype(np.float64)) for shape in shapes]
    return library[name].infer_outputs(specs, library[name].normalize(parameters))[0].shape


@sampler("Conv2D")
def conv2d(maker: Maker) -> Sample:
    images, filters, _, how = convolution(maker)
    return maker.sample(maker.values(images), maker.values(filters), **how)


@sampler("Conv2DInputGradient")
def conv2d_input_gradient(maker: Maker) -> Sample:
    images, filters, result, how = convolution(maker)
    return maker.sample(maker.values(result), maker.values(filters), shape=images, **how)


@sampler("Conv2DFilterGradient")
def conv2d_filter_gradient(maker: Maker) -> Sample:
    images, filters, result, how = convolution(maker)
    return maker.sample(maker.values(images), maker.values(result), shape=filters, **how)


def pooling(maker: Maker) -> dict[str, Any]:
    """The parameters of a pooling; no window lies in the border alone, where there is nothing to choose from."""
    how = moving(maker)
    return how | {"ksize": maker.choose(1, 2, 3, (2, 1), (1, 3, 2, 1)) if isinstance(how["padding"], str) else 3}


@sampler("MaxPool2D")
def pool2d(maker: Maker) -> Sample:
    return maker.sample(maker.values(image_shape(maker, maker.size(high=2))), **pooling(maker))


@sampler("SpreadToMaxima")
def spread_to_maxima(maker: Maker) -> Sample:
    images, how = image_shape(maker, maker.size(high=2)), pooling(maker)
    return maker.sample(maker.values(images), maker.values(result_shape("MaxPool2D", images, **how)), **how)


@sampler("PickAtMaxima")
def pick_at_maxima(maker: Maker) -> Sample:
    images, how = image_shape(maker, maker.size(high=2)), pooling(maker)
    return maker.sample(maker.values(images), maker.values(images), **how)


@sampler("BatchNormalization")
def batch_normalization(maker: Maker) -> Sample:
    shape = maker.shape()
    mean, variance = maker.values(maker.part_of(shape)), maker.values(maker.part_of(shape), *Range(signed=False))
    others = [maker.choose(None, maker.values(maker.part_of(shape))) for _ in range(2)]
    return maker.sample(maker.values(shape), mean, variance, *others, variance_epsilon=maker.choose(0.001, 0.0, 0.5))


@sampler("Moments")
def moments(maker: Maker) -> Sample:
    shape = maker.shape()
    return maker.sample(maker.values(shape), axes=maker.axes(len(shape)), keepdims=maker.choose(False, True))


@sampler("DropoutWithMask")
def dropout_with_mask(maker: Maker) -> Sample:
    shape = maker.shape()
    mask = maker.values(shape, dtype=np.dtype(bool))
    return maker.sample(maker.values(shape), mask, rate=maker.choose(0.0, 0.25, 0.9))


@sampler("BiasAdd")
def bias_add(maker: Maker) -> Sample:
    shape, layout = maker.shape(min_rank=2), maker.choose("NHWC", "NCHW")
    return maker.sample(maker.values(shape), maker.values((shape[1 if layout == "NCHW" else -1],)), data_format=layout)
