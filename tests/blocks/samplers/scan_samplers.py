"""Samplers for running totals; importing it registers them."""

from __future__ import annotations

from typing import Any

from tests.blocks.samplers.samples import Maker, Range, Sample, sampler

AWAY_FROM_ZERO = Range()


def directions(maker: Maker, rank: int) -> dict[str, Any]:
    return {
        "axis": maker.axis(rank),
        "exclusive": maker.choose(False, True),
        "reverse": maker.choose(False, True),
    }


@sampler("Cumsum", "Cumprod")
def running_totals(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    return maker.sample(maker.values(shape, *AWAY_FROM_ZERO), **directions(maker, len(shape)))


@sampler("CumulativeLogsumexp")
def running_logarithms(maker: Maker) -> Sample:
    # The exclusive ones start with minus infinity, beside which no difference can be seen.
    shape = maker.shape(min_rank=1)
    return maker.sample(maker.values(shape), **directions(maker, len(shape)) | {"exclusive": False})


@sampler("CumsumOfExponentials")
def sums_of_exponentials(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    inputs = [maker.values(shape) for _ in range(3)]
    return maker.sample(*inputs, **directions(maker, len(shape)))
