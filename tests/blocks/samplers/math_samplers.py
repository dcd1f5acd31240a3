"""Samplers for arithmetic, powers and trigonometry; importing it registers them."""

from __future__ import annotations

from tests.blocks.samplers.samples import RANGES, Maker, Range, Sample, sampler

POSITIVE = Range(signed=False)
INSIDE = Range(0.1, 0.8)

RANGES.update(
    {
        "Acos": {"x": INSIDE},
        "Acosh": {"x": Range(1.2, 3.0, signed=False)},
        "Asin": {"x": INSIDE},
        "Atanh": {"x": INSIDE},
        "DivNoNan": {"y": Range()},
        "Reciprocal": {"x": Range()},
        "Tan": {"x": Range(0.3, 1.2)},
        "Xdivy": {"y": Range()},
        "Xlog1py": {"y": Range(-0.7, 2.5, signed=False)},
        "Xlogy": {"y": POSITIVE},
    }
)


@sampler("Pow")
def power(maker: Maker) -> Sample:
    shape = maker.shape()
    return maker.sample(maker.values(shape, *POSITIVE), maker.values(maker.part_of(shape), *POSITIVE))


@sampler("FloorDiv", "FloorMod", "TruncateDiv", "TruncateMod")
def whole_quotient(maker: Maker) -> Sample:
    # The quotients, of sizes 2.1 to 2.9, stay away from whole numbers, where they jump.
    shape = maker.shape()
    if maker.dtype.kind != "f":
        return maker.sample(maker.values(shape), maker.values(maker.part_of(shape), *POSITIVE))
    return maker.sample(maker.values(shape, 2.4, 2.8), maker.values(maker.part_of(shape), 0.97, 1.14))


@sampler("ReduceStd")
def deviation(maker: Maker) -> Sample:
    # At least two elements along each axis, as the deviation of a single one is 0, where it has no derivative.
    shape = tuple(max(size, 2) for size in maker.shape(min_rank=1, max_rank=3)) if maker.smallest else maker.shape()
    axis = maker.axes(len(shape))
    return maker.sample(maker.values(shape), axis=None if axis == () else axis, keepdims=maker.choose(True, False))
