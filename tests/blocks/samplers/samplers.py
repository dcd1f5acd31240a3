"""Samplers for the block types whose ports and parameters do not say enough; importing it registers them."""

from __future__ import annotations

import math

import numpy as np

from gradwire.engine.base.tensor_spec import DTYPES
from tests.blocks.samplers.samples import RANGES, Maker, Range, Sample, sampler

POSITIVE = Range(signed=False)
PROBABILITY = Range(0.1, 0.9, signed=False)

RANGES.update(
    {
        "Divide": {"y": Range()},
        "Log": {"x": POSITIVE},
        "Log1p": {"x": Range(-0.7, 2.5, signed=False)},
        "Rsqrt": {"x": POSITIVE},
        "Sqrt": {"x": POSITIVE},
    }
)


@sampler("Constant", "Input", "Variable")
def source(maker: Maker) -> Sample:
    return maker.sample(value=maker.values(maker.shape()))


@sampler("Cast")
def cast(maker: Maker) -> Sample:
    # From float64 only to what central differences can measure.
    names = ("float64", "int32", "bool") if maker.dtype == np.float64 else tuple(DTYPES)
    return maker.sample(maker.values(maker.shape()), dtype=maker.choose(*names))


@sampler("ClipByValue")
def clip_by_value(maker: Maker) -> Sample:
    shape = maker.shape()
    low, high = maker.values(maker.part_of(shape)), maker.values(maker.part_of(shape))
    return maker.sample(maker.values(shape), low, high)


@sampler("SumTo")
def sum_to(maker: Maker) -> Sample:
    shape = maker.shape()
    return maker.sample(maker.values(shape), shape=maker.part_of(shape))


@sampler("BroadcastTo")
def broadcast_to(maker: Maker) -> Sample:
    shape = maker.shape()
    return maker.sample(maker.values(maker.part_of(shape)), shape=shape)


@sampler("Reshape")
def reshape(maker: Maker) -> Sample:
    shape = maker.shape()
    rest = maker.choose(shape[::-1], (math.prod(shape),), (1, *shape), (-1,) if math.prod(shape) else shape)
    return maker.sample(maker.values(shape), shape=rest)


@sampler("Transpose")
def transpose(maker: Maker) -> Sample:
    shape = maker.shape()
    order = [int(axis) - len(shape) * int(axis % 2) for axis in maker.rng.permutation(len(shape))]
    return maker.sample(maker.values(shape), perm=maker.choose(None, tuple(order)))


@sampler("ExpandDims")
def expand_dims(maker: Maker) -> Sample:
    shape = maker.shape(max_rank=3)
    return maker.sample(maker.values(shape), axis=maker.axis(len(shape) + 1))


@sampler("Reverse")
def reverse(maker: Maker) -> Sample:
    shape = maker.shape()
    axes = tuple(axis - len(shape) * (axis % 2) for axis in range(len(shape)) if maker.choose(True, False))
    return maker.sample(maker.values(shape), axis=axes)


@sampler("Concat")
def concat(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    axis = maker.axis(len(shape))
    sizes = [maker.size() for _ in range(maker.size(1, 3))]
    at = axis % len(shape)
    return maker.sample(*(maker.values((*shape[:at], size, *shape[at + 1 :])) for size in sizes), axis=axis)


@sampler("Split")
def split(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    axis, sizes = maker.axis(len(shape)), [maker.size(1, 3) for _ in range(maker.size(1, 3))]
    equal = maker.choose(True, False)
    at, total = axis % len(shape), sizes[0] * len(sizes) if equal else sum(sizes)
    parts = len(sizes) if equal else tuple(sizes)
    return maker.sample(maker.values((*shape[:at], total, *shape[at + 1 :])), num_or_size_splits=parts, axis=axis)


@sampler("ArgMax", "ArgMin")
def argument(maker: Maker) -> Sample:
    shape = list(maker.shape(min_rank=1))
    axis = maker.axis(len(shape))
    shape[axis] = max(shape[axis], 1)
    return maker.sample(maker.values(tuple(shape)), axis=axis)


@sampler("ProductOfOthers")
def of_rank_one(maker: Maker) -> Sample:
    return maker.sample(maker.values(maker.shape(min_rank=1)))


@sampler("SigmoidCrossEntropyWithLogits")
def of_one_shape(maker: Maker) -> Sample:
    shape = maker.shape()
    return maker.sample(maker.values(shape, *PROBABILITY), maker.values(shape))


@sampler("LeakyRelu")
def leaky_relu(maker: Maker) -> Sample:
    return maker.sample(maker.values(maker.shape()), alpha=maker.choose(0.2, 0.0, 1.5))


@sampler("Silu")
def silu(maker: Maker) -> Sample:
    return maker.sample(maker.values(maker.shape()), beta=maker.choose(1.0, 0.5, -2.0))


@sampler("Huber")
def huber(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    return maker.sample(maker.values(shape), maker.values(shape), delta=maker.choose(1.0, 0.5))


@sampler("SoftmaxCrossEntropyWithLogits")
def softmax_cross_entropy(maker: Maker) -> Sample:
    # The gradient of the logits takes for granted, as TensorFlow does, that labels add up to 1.
    shape = maker.shape(min_rank=1)
    axis = maker.axis(len(shape))
    is_one_row = maker.choose(True, False)
    own = tuple(1 if is_one_row and at != axis % len(shape) else size for at, size in enumerate(shape))
    labels = maker.floats(own, *PROBABILITY, dtype=np.dtype(np.float64))
    labels = (labels / labels.sum(axis=axis, keepdims=True)).astype(maker.dtype)
    return maker.sample(labels, maker.values(shape), axis=axis)


@sampler("SparseSoftmaxCrossEntropyWithLogits")
def sparse_softmax_cross_entropy(maker: Maker) -> Sample:
    lead, classes = maker.shape(max_rank=3), maker.size(1, 3)
    return maker.sample(maker.indices(lead, classes), maker.values((*lead, classes)))
