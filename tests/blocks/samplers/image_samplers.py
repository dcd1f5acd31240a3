"""Samplers for the normalizations with a learned scale, and for images; importing it registers them."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.tensor_spec import DTYPES, Shape
from tests.blocks.samplers.samples import Maker, Range, Sample, sampler

POSITIVE = Range(signed=False)


@sampler("LayerNormalization")
def layer_normalization(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1)
    several = tuple(range(-maker.size(1, len(shape)), 0))
    axis = maker.choose(maker.axis(len(shape)), several)
    axes = sorted({item % len(shape) for item in (several if axis == several else (axis,))})
    own = tuple(shape[item] for item in axes)
    return maker.sample(
        maker.values(shape), maker.values(own), maker.values(own), axis=axis, epsilon=maker.choose(0.001, 1.0)
    )


@sampler("FusedBatchNorm")
def fused_batch_norm(maker: Maker) -> Sample:
    # In training only: a given mean and variance get no gradient, as in TensorFlow.
    layout = maker.choose("NHWC", "NCHW", "NDHWC", "NCDHW")
    sizes = tuple(maker.size(high=2) for _ in layout)
    channels = (sizes[layout.index("C")],)
    given = maker.choose(False, True)
    statistics = [maker.values(channels, *POSITIVE) if given else None for _ in range(2)]
    return maker.sample(
        maker.values(sizes),
        maker.values(channels),
        maker.values(channels),
        *statistics,
        epsilon=maker.choose(0.001, 1.0),
        data_format=layout,
        exponential_avg_factor=1.0,
    )


def batch(maker: Maker) -> Shape:
    """Returns the shape of an image, or of a batch of images."""
    lead = maker.choose((), (maker.size(high=2),))
    return (*lead, maker.size(1, 3), maker.size(1, 4), maker.size(1, 2))


@sampler("ResizeBicubic", "ResizeBilinear", "ResizeNearest")
def resize(maker: Maker) -> Sample:
    # With the aspect preserved the size must leave at least one row and one column.
    is_kept = maker.choose(False, True)
    size = (4, maker.size(4, 5)) if is_kept else (maker.size(1, 4), maker.size(1, 4))
    return maker.sample(maker.values(batch(maker)), size=size, preserve_aspect_ratio=is_kept)


@sampler("Resample")
def resample(maker: Maker) -> Sample:
    size, method = (maker.size(1, 4), maker.size(1, 4)), maker.choose("nearest", "bilinear", "bicubic")
    return maker.sample(maker.values(batch(maker)), size=size, method=method)


@sampler("UndoResize")
def undo_resize(maker: Maker) -> Sample:
    new, method = batch(maker), maker.choose("nearest", "bilinear", "bicubic")
    shape = (*new[:-3], maker.size(1, 4), maker.size(1, 4), new[-1])
    return maker.sample(maker.values(new), shape=shape, method=method, dtype=maker.dtype.name)


@sampler("FlipLeftRight", "TotalVariation")
def image(maker: Maker) -> Sample:
    # No two pixels are equal: whole numbers apart, which have no gradient.
    lead = maker.choose((), (maker.size(high=2),))
    return maker.sample(maker.values((*lead, maker.size(), maker.size(), maker.size())))


@sampler("AdjustContrast")
def adjust_contrast(maker: Maker) -> Sample:
    factor = maker.floats((), dtype=maker.dtype if maker.dtype.kind == "f" else DTYPES["float32"])
    return maker.sample(maker.values((*maker.shape(max_rank=1), *batch(maker))), factor)


@sampler("HSVToRGB")
def hsv(maker: Maker) -> Sample:
    # Away from the six corners of the hue, and from black, white and grey.
    shape = (*maker.shape(max_rank=3), 1)
    hue = (maker.integers(shape, 0, 6) + maker.floats(shape, 0.1, 0.9, False)) / 6
    others = (maker.floats(shape, 0.2, 0.9, False) for _ in range(2))
    return maker.sample(np.concatenate([hue, *others], axis=-1).astype(maker.dtype))


@sampler("RGBToGrayscale", "RGBToHSV")
def colors(maker: Maker) -> Sample:
    # Channels of different sizes, each a multiple of a third above the other.
    shape = maker.shape(max_rank=3)
    pixels = maker.floats((*shape, 3), 0.1, 0.4, False) + maker.rng.permuted(
        np.broadcast_to(np.arange(3) / 3, (*shape, 3)), axis=-1
    )
    return maker.sample(pixels.astype(maker.dtype) if maker.dtype.kind == "f" else maker.values((*shape, 3)))
