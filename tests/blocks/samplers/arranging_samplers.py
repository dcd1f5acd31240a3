"""Samplers for blocks that slice, pad, stack and rearrange; importing it registers them."""

from __future__ import annotations

import numpy as np

from tests.blocks.samplers.samples import Maker, Sample, sampler
from tests.blocks.samplers.window_samplers import result_shape

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


@sampler("Stack")
def stack(maker: Maker) -> Sample:
    shape = maker.shape(max_rank=3)
    return maker.sample(*(maker.values(shape) for _ in range(maker.size(1, 3))), axis=maker.axis(len(shape) + 1))


@sampler("Unstack")
def unstack(maker: Maker) -> Sample:
    shape = list(maker.shape(min_rank=1))
    axis = maker.axis(len(shape))
    shape[axis] = max(shape[axis], 1)
    return maker.sample(maker.values(tuple(shape)), axis=axis)


@sampler("Squeeze")
def squeeze(maker: Maker) -> Sample:
    shape = tuple(maker.choose(1, size) for size in maker.shape())
    ones = [axis - len(shape) * (axis % 2) for axis, size in enumerate(shape) if size == 1]
    axis = maker.choose(None, (), tuple(ones), tuple(ones * 2), *ones[:1])
    return maker.sample(maker.values(shape), axis=axis)


@sampler("Meshgrid")
def meshgrid(maker: Maker) -> Sample:
    vectors = [maker.values(maker.choose((maker.size(),), ())) for _ in range(maker.size(1, 3))]
    return maker.sample(*vectors, indexing=maker.choose("xy", "ij"))


@sampler("Tile")
def tile(maker: Maker) -> Sample:
    shape = maker.shape(max_rank=3)
    return maker.sample(maker.values(shape), multiples=tuple(maker.size(high=2) for _ in shape))


def parts_of(maker: Maker, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the begin of a part of a tensor, and its size."""
    begin = tuple(maker.size(0, size) for size in shape)
    size = tuple(maker.choose(-1, maker.size(0, whole - start)) for whole, start in zip(shape, begin, strict=True))
    return begin, size


@sampler("Slice")
def cut(maker: Maker) -> Sample:
    shape = maker.shape(max_rank=3)
    begin, size = parts_of(maker, shape)
    return maker.sample(maker.values(shape), begin=begin, size=size)


def strided(maker: Maker, shape: tuple[int, ...]) -> dict[str, object]:
    """Returns a part as StridedSlice takes it: entries about the first axes, masks that fit."""
    count = maker.size(0, len(shape))
    how: dict[str, object] = {
        "begin": tuple(maker.size(-3, 3) for _ in range(count)),
        "end": tuple(maker.size(-3, 4) for _ in range(count)),
        "strides": maker.choose(None, tuple(maker.choose(1, 2, -1) for _ in range(count))),
    }
    how |= {name: maker.size(0, 2**count - 1) for name in MASKS[:2]}
    if count:
        how |= {"ellipsis_mask": maker.choose(0, 1 << maker.size(0, count - 1))}
        how |= {"new_axis_mask": maker.choose(0, 1 << maker.size(0, count - 1))}
    return how


@sampler("StridedSlice")
def strided_slice(maker: Maker) -> Sample:
    shape = maker.shape(max_rank=3)
    if shape and maker.choose(True, False, False):
        place = maker.size(0, max(shape[0] - 1, 0))
        if shape[0]:
            return maker.sample(maker.values(shape), begin=(place,), end=(place + 1,), shrink_axis_mask=1)
    return maker.sample(maker.values(shape), **strided(maker, shape))


@sampler("SliceIntoZeros")
def slice_into_zeros(maker: Maker) -> Sample:
    shape = maker.shape(max_rank=3)
    how = strided(maker, shape)
    return maker.sample(maker.values(result_shape("StridedSlice", shape, **how)), shape=shape, **how)


def borders(maker: Maker, shape: tuple[int, ...]) -> dict[str, object]:
    """Widths of a border that its mode allows."""
    mode = maker.choose("CONSTANT", "SYMMETRIC", *(("REFLECT",) if all(shape) else ()))
    most = [2 if mode == "CONSTANT" else max(size - (mode == "REFLECT"), 0) for size in shape]
    return {"paddings": tuple((maker.size(0, high), maker.size(0, high)) for high in most), "mode": mode}


@sampler("Pad")
def pad(maker: Maker) -> Sample:
    shape = maker.shape(max_rank=3)
    return maker.sample(maker.values(shape), **borders(maker, shape), constant_values=maker.choose(0.0, 1.0))


@sampler("FoldBorders")
def fold_borders(maker: Maker) -> Sample:
    shape = maker.shape(max_rank=3)
    how = borders(maker, shape)
    whole = tuple(size + sum(pair) for size, pair in zip(shape, how["paddings"], strict=True))
    return maker.sample(maker.values(whole), **how)


@sampler("Roll")
def roll(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1, max_rank=3)
    if maker.choose(True, False):
        return maker.sample(maker.values(shape), shift=maker.size(-4, 4), axis=maker.axis(len(shape)))
    axes = tuple(maker.axis(len(shape)) for _ in range(maker.size(1, 2)))
    return maker.sample(maker.values(shape), shift=tuple(maker.size(-4, 4) for _ in axes), axis=axes)


@sampler("Repeat")
def repeat(maker: Maker) -> Sample:
    shape = maker.shape(max_rank=3)
    axis = maker.choose(None, *range(-max(len(shape), 1), max(len(shape), 1)))
    size = int(np.prod(shape)) if axis is None or not shape else shape[axis]
    return maker.sample(
        maker.values(shape), repeats=maker.choose(2, tuple(maker.size(0, 2) for _ in range(size))), axis=axis
    )


@sampler("ReverseSequence")
def reverse_sequence(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=2, max_rank=4)
    along, batch = (int(axis) for axis in maker.rng.permutation(len(shape))[:2])
    lengths = maker.integers((shape[batch],), 0, shape[along] + 1, maker.choose("int32", "int64"))
    return maker.sample(maker.values(shape), lengths, seq_axis=along - len(shape) * (along % 2), batch_axis=batch)


@sampler("SpaceToDepth")
def space_to_depth(maker: Maker) -> Sample:
    shape = (maker.size(high=2), 2 * maker.size(high=2), 2 * maker.size(high=2), maker.size(high=2))
    return maker.sample(maker.values(shape), block_size=2)


@sampler("DepthToSpace")
def depth_to_space(maker: Maker) -> Sample:
    shape = (maker.size(high=2), maker.size(high=2), maker.size(high=2), 4 * maker.size(high=2))
    return maker.sample(maker.values(shape), block_size=2)


@sampler("SpaceToBatch")
def space_to_batch(maker: Maker) -> Sample:
    block_shape = maker.choose((2,), (2, 1), (2, 2))
    paddings = tuple(maker.choose((0, 0), (1, 1), (2, 0)) for _ in block_shape)
    space = tuple(2 * maker.size(high=2) for _ in block_shape)
    shape = (maker.size(high=2), *space, *maker.choose((), (2,)))
    return maker.sample(maker.values(shape), block_shape=block_shape, paddings=paddings)


@sampler("BatchToSpace")
def batch_to_space(maker: Maker) -> Sample:
    block_shape = maker.choose((2,), (2, 1), (2, 2))
    crops = tuple(maker.choose((0, 0), (1, 0)) for _ in block_shape)
    space = tuple(maker.size(1, 2) for _ in block_shape)
    shape = (int(np.prod(block_shape)) * maker.size(high=2), *space, *maker.choose((), (2,)))
    return maker.sample(maker.values(shape), block_shape=block_shape, crops=crops)


def patches(maker: Maker) -> dict[str, object]:
    """Returns windows over images of at least three rows and columns."""
    return {
        "sizes": (1, maker.size(1, 2), maker.size(1, 2), 1),
        "strides": (1, maker.size(1, 3), maker.size(1, 2), 1),
        "rates": maker.choose((1, 1, 1, 1), (1, 2, 1, 1)),
        "padding": maker.choose("SAME", "VALID"),
    }


@sampler("ExtractPatches")
def extract_patches(maker: Maker) -> Sample:
    shape = (maker.size(high=2), maker.size(3, 4), maker.size(3, 4), maker.size(high=2))
    return maker.sample(maker.values(shape), **patches(maker))


@sampler("PatchesIntoImages")
def patches_into_images(maker: Maker) -> Sample:
    shape, how = (maker.size(high=2), maker.size(3, 4), maker.size(3, 4), maker.size(high=2)), patches(maker)
    return maker.sample(maker.values(result_shape("ExtractPatches", shape, **how)), shape=shape, **how)
