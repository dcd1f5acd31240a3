"""Samplers for blocks that make tensors from a few numbers; importing it registers them."""

from __future__ import annotations

from tests.blocks.samplers.samples import Maker, Sample, sampler


@sampler("Fill")
def fill(maker: Maker) -> Sample:
    return maker.sample(maker.values(()), dims=maker.shape())


@sampler("Ones", "Zeros")
def of_one_number(maker: Maker) -> Sample:
    return maker.sample(shape=maker.shape(), dtype=maker.dtype.name)


@sampler("Range")
def steps(maker: Maker) -> Sample:
    # Halves are exact in every dtype, so that all frameworks count the same steps.
    numbers = maker.choose((3, 18, 3), (5, 0, -2), (0.5, 2.5, 0.5), (1.0, -1.0, -0.5), (4, None, 1), (2, 2, 1))
    is_whole = all(isinstance(number, int | None) for number in numbers)
    names = (None, "float16", "float32", "float64", *(("int32", "int64") if is_whole else ()))
    return maker.sample(**dict(zip(("start", "limit", "delta"), numbers, strict=True)), dtype=maker.choose(*names))


@sampler("LinSpace")
def line(maker: Maker) -> Sample:
    shape = maker.shape(max_rank=2)
    ends = [maker.values(shape), maker.values(maker.part_of(shape))]
    return maker.sample(*ends[:: maker.choose(1, -1)], num=maker.size(0, 5), axis=maker.axis(len(shape) + 1))


@sampler("SequenceMask")
def sequence_mask(maker: Maker) -> Sample:
    low = 0 if maker.dtype.kind == "u" else -1
    lengths = maker.integers(maker.shape(max_rank=2), low, 4, maker.dtype)
    dtype = maker.choose("bool", "float64", "int32")
    return maker.sample(lengths, maxlen=maker.choose(None, 0, 2, 5), dtype=dtype)
