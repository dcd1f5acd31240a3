"""Samplers for the choice of slices by values; importing it registers them."""

from __future__ import annotations

import numpy as np

from tests.blocks.samplers.samples import Maker, Sample, sampler


@sampler("BooleanMask")
def boolean_mask(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    first = maker.size(0, len(shape) - 1)
    mask = maker.rng.random(shape[first : maker.size(first + 1, len(shape))]) < 0.6
    axis = maker.choose(first, first - len(shape), *([None] if first == 0 else []))
    return maker.sample(maker.values(shape), mask, axis=axis)


@sampler("WhereIndices")
def where_indices(maker: Maker) -> Sample:
    condition = maker.values(maker.shape(min_rank=1))
    return maker.sample(np.where(maker.rng.random(condition.shape) < 0.5, condition, 0).astype(maker.dtype))


@sampler("DynamicPartition")
def dynamic_partition(maker: Maker) -> Sample:
    shape, count = maker.shape(), maker.size(1, 3)
    partitions = maker.indices(shape[: maker.size(0, len(shape))], count)
    return maker.sample(maker.values(shape), partitions, num_partitions=count)


@sampler("DynamicStitch")
def dynamic_stitch(maker: Maker) -> Sample:
    # Places are all different: a row that another one replaced gets a gradient all the same, as in TensorFlow.
    leads = [maker.shape(max_rank=2) for _ in range(maker.size(1, 3))]
    sizes = [int(np.prod(lead)) for lead in leads]
    places = np.split(maker.rng.permutation(sum(sizes) + 2)[: sum(sizes)], np.cumsum(sizes)[:-1])
    rest = maker.shape(max_rank=2)
    indices = [
        part.reshape(lead).astype(maker.choose("int32", "int64")) for part, lead in zip(places, leads, strict=True)
    ]
    return maker.sample(*indices, *(maker.values((*lead, *rest)) for lead in leads))
