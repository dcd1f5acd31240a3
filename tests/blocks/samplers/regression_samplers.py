"""Samplers for the losses between numbers; importing it registers them."""

from __future__ import annotations

from tests.blocks.samplers.samples import Maker, Range, Sample, sampler

# Away from the bounds of clipping by more than the step of a central difference.
PROBABILITY = Range(0.1, 0.9, signed=False)


@sampler("LogCosh", "MeanAbsoluteError", "MeanSquaredError")
def averaged(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    return maker.sample(maker.values(shape), maker.values((*maker.part_of(shape[:-1]), shape[-1])))


@sampler("Hinge")
def hinge(maker: Maker) -> Sample:
    # The products stay away from 1, where the margin is.
    shape = maker.shape(min_rank=1)
    truth, sizes = maker.values(shape, 1.0, 1.2), maker.values(shape, *maker.choose(Range(0.3, 0.7), Range(1.2, 2)))
    return maker.sample(truth, sizes)


@sampler("KLDivergence")
def divergence(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    truth = maker.values(shape, *maker.choose(PROBABILITY, Range(1.1, 1.5), Range(-0.5, -0.1, signed=False)))
    return maker.sample(truth, maker.values(shape, *PROBABILITY))


@sampler("CosineSimilarity")
def cosine_similarity(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    other = tuple(size if at == len(shape) - 1 else maker.choose(size, 1) for at, size in enumerate(shape))
    axis = maker.choose(-1, len(shape) - 1) if other != shape else maker.axis(len(shape))
    return maker.sample(maker.values(shape), maker.values(other), axis=axis)


@sampler("LogPoissonLoss")
def log_poisson_loss(maker: Maker) -> Sample:
    shape = maker.shape()
    targets = maker.values(shape, *maker.choose(Range(0.2, 0.9, signed=False), Range(1.1, 3, signed=False)))
    return maker.sample(targets, maker.values(shape), compute_full_loss=maker.choose(False, True))


@sampler("WeightedCrossEntropyWithLogits")
def weighted_cross_entropy(maker: Maker) -> Sample:
    shape = maker.shape()
    weight = maker.values(maker.part_of(shape), *Range(signed=False))
    return maker.sample(maker.values(shape, *PROBABILITY), maker.values(shape), weight)
