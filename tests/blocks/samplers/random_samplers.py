"""Samplers for random numbers; importing it registers them."""

from __future__ import annotations

from tests.blocks.samplers.samples import Maker, Range, Sample, sampler


@sampler("RandomNormal", "RandomUniform", "TruncatedNormal")
def noise(maker: Maker) -> Sample:
    shape = maker.shape()
    places = [maker.choose(None, maker.values(maker.part_of(shape), *limits)) for limits in (Range(), Range(3, 4))]
    return maker.sample(
        *places, shape=shape, seed=maker.seed, every=maker.choose("run", "step"), dtype=maker.dtype.name
    )


@sampler("RandomUniformInt")
def whole_numbers(maker: Maker) -> Sample:
    dtype = maker.choose("int32", "int64")
    every = maker.choose("run", "step")
    return maker.sample(
        shape=maker.shape(), minval=maker.choose(0, -3), maxval=4, seed=maker.seed, every=every, dtype=dtype
    )


@sampler("RandomShuffle")
def shuffle(maker: Maker) -> Sample:
    return maker.sample(maker.values(maker.shape(min_rank=1)), seed=maker.seed, every=maker.choose("run", "step"))


@sampler("RandomCategorical")
def categorical(maker: Maker) -> Sample:
    logits = maker.values((maker.size(), maker.size(1, 3)))
    every, dtype = maker.choose("run", "step"), maker.choose("int64", "int32")
    return maker.sample(logits, num_samples=maker.size(0, 3), seed=maker.seed, every=every, dtype=dtype)


@sampler("ClassesAtPlaces")
def classes_at_places(maker: Maker) -> Sample:
    logits = maker.values((maker.size(), maker.size(1, 3)))
    places = maker.rng.random((len(logits), maker.size(0, 3)))
    return maker.sample(logits, places, dtype=maker.choose("int64", "int32"))


@sampler("Dropout")
def dropout(maker: Maker) -> Sample:
    every = maker.choose("run", "step")
    return maker.sample(maker.values(maker.shape()), rate=maker.choose(0.0, 0.25, 0.5), seed=maker.seed, every=every)
