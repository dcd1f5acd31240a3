"""Samplers for numbers that say how good predictions are; importing it registers them."""

from __future__ import annotations

import numpy as np

from tests.blocks.samplers.samples import Maker, Sample, sampler


@sampler("Accuracy")
def accuracy(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1, max_rank=3)
    shape = (*shape[:-1], max(shape[-1], 1))
    predictions = maker.values(shape)
    numbers = maker.rng.integers(0, shape[-1], shape[:-1])
    one_hot = np.eye(shape[-1], dtype=predictions.dtype)[numbers]
    return maker.sample(maker.choose(numbers, one_hot), predictions, threshold=maker.choose(0.5, 0.0))


@sampler("ConfusionMatrix")
def confusion_matrix(maker: Maker) -> Sample:
    length, classes = maker.size(0, 6), maker.size(1, 4)
    labels, predictions = (maker.rng.integers(0, classes, length) for _ in range(2))
    scores = maker.floats((length, classes), dtype=np.dtype(np.float64) if maker.dtype.kind != "f" else None)
    one_hot = np.eye(classes, dtype=scores.dtype)[labels]
    rows = maker.choose((labels, predictions), (labels, scores), (one_hot, scores))
    has_axis = rows[1] is scores
    count = maker.choose(None, max(classes, 2)) if has_axis else max(classes, 2)
    return maker.sample(*rows, num_classes=count, dtype=maker.choose("int32", "int64"))


@sampler("R2")
def r2(maker: Maker) -> Sample:
    shape = tuple(max(size, 2) for size in maker.shape(min_rank=1, max_rank=2))
    return maker.sample(maker.values(shape), maker.values(shape))
