"""Samplers for the reductions of segments; importing it registers them."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from tests.blocks.samplers.samples import Maker, Range, Sample, sampler

AWAY_FROM_ZERO = Range()


def sorted_ids(maker: Maker, count: int) -> Array:
    """Returns segment ids that do not fall; some segments may be empty."""
    return np.sort(maker.indices((count,), 4))


@sampler("SegmentSum", "SegmentMean", "SegmentMin", "SegmentMax", "SegmentProd")
def segments(maker: Maker) -> Sample:
    shape = (maker.size(0, 5), *maker.shape(max_rank=2))
    return maker.sample(maker.values(shape, *AWAY_FROM_ZERO), sorted_ids(maker, shape[0]))


@sampler(
    "UnsortedSegmentSum",
    "UnsortedSegmentMean",
    "UnsortedSegmentSqrtN",
    "UnsortedSegmentProd",
)
def unsorted_segments(maker: Maker) -> Sample:
    lead, count = maker.shape(max_rank=2), maker.size(0, 3)
    ids = maker.integers(lead, -1, count, maker.choose("int32", "int64"))
    data = maker.values((*lead, *maker.shape(max_rank=2)), *AWAY_FROM_ZERO)
    return maker.sample(data, ids, num_segments=count)


@sampler("UnsortedSegmentMin", "UnsortedSegmentMax")
def extremes_of_segments(maker: Maker) -> Sample:
    # No segment is empty: central differences cannot see anything beside the greatest finite number.
    lead = maker.shape(max_rank=2)
    size = int(np.prod(lead))
    count = maker.size(min(size, 1), min(size, 3))
    ids = np.concatenate([np.arange(count), maker.integers((size - count,), -1, count)])
    ids = maker.rng.permutation(ids).reshape(lead).astype(maker.choose("int32", "int64"))
    return maker.sample(maker.values((*lead, *maker.shape(max_rank=2))), ids, num_segments=count)


@sampler("GatherSegments")
def gather_segments(maker: Maker) -> Sample:
    shape = (maker.size(), *maker.shape(max_rank=2))
    ids = maker.integers(maker.shape(max_rank=2), -1, shape[0], maker.choose("int32", "int64"))
    return maker.sample(maker.values(shape), ids)


@sampler("SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN")
def sparse_segments(maker: Maker) -> Sample:
    shape, count = (maker.size(1, 3), *maker.shape(max_rank=2)), maker.size(0, 4)
    ids = sorted_ids(maker, count)
    indices = maker.indices((count,), shape[0])
    return maker.sample(maker.values(shape), indices, ids, num_segments=maker.choose(None, 4, 6))
