"""Samplers for special functions and norms; importing it registers them."""

from __future__ import annotations

import numpy as np

from tests.blocks.samplers.samplers import POSITIVE, PROBABILITY
from tests.blocks.samplers.samples import RANGES, Maker, Range, Sample, sampler

INSIDE = Range(0.1, 0.9)

RANGES.update(
    {
        "Digamma": {"x": POSITIVE},
        "Erfinv": {"x": INSIDE},
        "Igamma": {"x": POSITIVE, "y": POSITIVE},
        "IgammaGradA": {"a": POSITIVE, "x": POSITIVE},
        "Igammac": {"x": POSITIVE, "y": POSITIVE},
        "Lgamma": {"x": POSITIVE},
        "Ndtri": {"x": PROBABILITY},
        "Zeta": {"x": Range(1.5, 4, signed=False), "y": POSITIVE},
    }
)


@sampler("Polygamma")
def polygamma(maker: Maker) -> Sample:
    shape = maker.shape()
    orders = maker.integers(maker.part_of(shape), 0, 4, maker.dtype)
    return maker.sample(orders, maker.values(shape, *POSITIVE))


@sampler("Betainc")
def betainc(maker: Maker) -> Sample:
    shape = maker.shape()
    a, b = (maker.values(maker.choose(shape, ()), *POSITIVE) for _ in range(2))
    return maker.sample(a, b, maker.values(maker.choose(shape, ()), *PROBABILITY))


@sampler("CheckNumerics")
def check_numerics(maker: Maker) -> Sample:
    return maker.sample(maker.values(maker.shape()), message="here")


@sampler("Norm")
def norm(maker: Maker) -> Sample:
    keepdims = maker.choose(False, True)
    if maker.choose(False, True):
        shape = maker.shape(min_rank=1)
        axis, order = maker.choose(None, maker.axis(len(shape))), maker.choose("euclidean", 1, 2, "inf", 3, 1.5)
    else:
        shape = maker.shape(min_rank=2)
        first, second = (int(item) for item in maker.rng.permutation(len(shape))[:2])
        axis, order = (first, second - len(shape)), maker.choose("euclidean", "fro", 1, 2, "inf")
    return maker.sample(maker.values(shape), ord=order, axis=axis, keepdims=keepdims)


@sampler("ClipByNorm")
def clip_by_norm(maker: Maker) -> Sample:
    shape = maker.shape()
    return maker.sample(maker.values(shape), clip_norm=maker.choose(0.7, 2.0, 50.0), axes=maker.axes(len(shape)))


@sampler("ClipByGlobalNorm")
def clip_by_global_norm(maker: Maker) -> Sample:
    values = [maker.values(maker.shape(max_rank=2)) for _ in range(maker.size(1, 3))]
    return maker.sample(*values, clip_norm=maker.choose(0.7, 2.0, 50.0))


@sampler("Cross")
def cross(maker: Maker) -> Sample:
    shape = (*maker.shape(max_rank=2), 3)
    return maker.sample(maker.values(shape), maker.values(shape))


@sampler("TopProjector", "TopResolvent")
def symmetric(maker: Maker) -> Sample:
    # Eigenvalues about 2 apart: close ones have steep derivatives.
    size = maker.size(high=3)
    apart = np.diag(2.0 * np.arange(size)).astype(maker.dtype)
    return maker.sample(apart + maker.values((*maker.shape(max_rank=2), size, size), 0.01, 0.3))
