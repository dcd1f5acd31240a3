"""Samplers for linear algebra and normalization; importing it registers them."""

from __future__ import annotations

import numpy as np

from tests.blocks.samplers.samples import Maker, Range, Sample, sampler


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
