"""Samplers for sorting, searching and counting; importing it registers them."""

from __future__ import annotations

import numpy as np

from tests.blocks.samplers.samples import Maker, Sample, sampler


@sampler("TopK")
def top_k(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    return maker.sample(
        maker.values(shape),
        k=maker.size(0, shape[-1]),
        sorted=maker.choose(True, False),
        index_type=maker.choose("int32", "int64", "int16"),
    )


@sampler("TakeAlongAxis")
def take_along_axis(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    axis = maker.axis(len(shape))
    places = list(shape)
    places[axis] = maker.size(0, 4) if shape[axis] else 0
    return maker.sample(maker.values(shape), maker.indices(tuple(places), max(shape[axis], 1)), axis=axis)


@sampler("PutAlongAxis")
def put_along_axis(maker: Maker) -> Sample:
    shape, size = maker.shape(min_rank=1), maker.size(1, 4)
    return maker.sample(maker.values(shape), maker.indices(shape, size), axis=maker.axis(len(shape)), size=size)


@sampler("InvertPermutation")
def invert_permutation(maker: Maker) -> Sample:
    return maker.sample(maker.rng.permutation(maker.size(0, 5)).astype(maker.dtype))


@sampler("InTopK")
def in_top_k(maker: Maker) -> Sample:
    rows, classes = maker.size(), maker.size()
    targets = maker.integers((rows,), 0, classes + 1, maker.choose("int32", "int64"))
    return maker.sample(targets, maker.values((rows, classes)), k=maker.size(0, 3))


@sampler("SearchSorted")
def search_sorted(maker: Maker) -> Sample:
    lead = maker.shape(max_rank=2)
    sequence = np.sort(maker.values((*lead, maker.size(0, 4))), axis=-1)
    values = maker.values((*lead, maker.size(0, 3)))
    side, out_type = maker.choose("left", "right"), maker.choose("int32", "int64")
    return maker.sample(sequence, values, side=side, out_type=out_type)


@sampler("Bucketize")
def bucketize(maker: Maker) -> Sample:
    # Halves and their halves: float32 and integers hold them exactly.
    boundaries = sorted(float(number) / 4 for number in maker.rng.integers(-8, 9, maker.size(0, 4)))
    return maker.sample(maker.values(maker.shape()), boundaries=tuple(boundaries))


@sampler("Bincount")
def bincount(maker: Maker) -> Sample:
    # Every number counts: what is left out, or counted once only, has no effect for a difference to see.
    shape = maker.shape(max_rank=2)
    x = maker.integers(shape, 0, 5, maker.dtype if maker.dtype.kind in "iu" else "int32")
    counts = {"minlength": maker.choose(None, 0, 3, 7), "axis": maker.choose(None, 0, -1)}
    if maker.dtype.kind != "f":
        maxlength, is_binary = maker.choose(None, 0, 2, 9), maker.choose(False, True)
        return maker.sample(x, None, **counts, maxlength=maxlength, binary_output=is_binary)
    return maker.sample(maker.choose(x, x + maker.dtype.type(0.5)), maker.values(shape), **counts)


@sampler("Unique")
def unique(maker: Maker) -> Sample:
    # Numbers that a difference can move apart do not come twice.
    return maker.sample(maker.values((maker.size(),)), out_idx=maker.choose("int32", "int64"))
