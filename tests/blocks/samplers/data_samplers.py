"""Samplers for examples to learn from; importing it registers them."""

from __future__ import annotations

from tests.blocks.samplers.samples import Maker, Sample, sampler

SETS = ("xor", "circles", "moons", "spirals", "blobs", "checkerboard", "line", "sine", "step")
SETS += ("iris", "digits", "glyphs", "file")


@sampler("Data")
def data(maker: Maker) -> Sample:
    rows = maker.size(20, 25)
    targets = maker.rng.integers(0, 3, rows) if maker.choose(True, False) else maker.rng.normal(size=rows)
    return maker.sample(
        set=maker.choose(*SETS),
        n=maker.size(9, 20),
        noise=maker.choose(0.0, 0.25),
        turns=maker.choose(1.0, 0.75),
        classes=maker.choose(2, 3),
        seed=maker.seed,
        batch=maker.choose(0, 1, 2),
        order=maker.choose("shuffled", "in_order"),
        test=maker.choose(0.0, 0.125),
        scale=maker.choose("none", "standard", "unit"),
        labels=maker.choose("one_hot", "index", "value"),
        dtype=maker.choose("float64", "float32"),
        step=maker.size(0, 30),
        inputs=maker.rng.normal(size=(rows, 3)),
        targets=targets,
    )
