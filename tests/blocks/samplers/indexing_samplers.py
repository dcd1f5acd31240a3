"""Samplers for picking and scattering by index; importing it registers them."""

from __future__ import annotations

from gradwire.engine.base.tensor_spec import Array, Shape
from tests.blocks.samplers.samples import Maker, Sample, sampler


def filled_shape(maker: Maker, max_rank: int = 3) -> Shape:
    """Returns a shape of at least one axis without empty ones, so that there is something to point at."""
    return tuple(max(size, 1) for size in maker.shape(min_rank=1, max_rank=max_rank))


def places(maker: Maker) -> tuple[Shape, Array, Shape, dict[str, int]]:
    """Returns the arguments of Gather: the shape of `params`, indices, the shape of the result, axis and batch axes."""
    shape = filled_shape(maker)
    at = maker.size(0, len(shape) - 1)
    batch = maker.size(0, at)
    own = maker.shape(max_rank=2)
    indices = maker.indices((*shape[:batch], *own), shape[at])
    axis = at - len(shape) * maker.choose(0, 1)
    return shape, indices, (*shape[:at], *own, *shape[at + 1 :]), {"axis": axis, "batch_dims": batch}


@sampler("Gather")
def gather(maker: Maker) -> Sample:
    shape, indices, _, where = places(maker)
    return maker.sample(maker.values(shape), indices, **where)


@sampler("ScatterGradient")
def scatter_gradient(maker: Maker) -> Sample:
    shape, indices, picked, where = places(maker)
    return maker.sample(maker.values(picked), indices, shape=shape, **where)


@sampler("EmbeddingLookup")
def embedding_lookup(maker: Maker) -> Sample:
    shape = filled_shape(maker)
    ids = maker.indices(maker.shape(max_rank=2), shape[0])
    max_norm = maker.choose(None, 1.0) if maker.dtype.kind == "f" else None
    return maker.sample(maker.values(shape), ids, max_norm=max_norm)


@sampler("OneHot")
def one_hot(maker: Maker) -> Sample:
    indices = maker.integers(maker.shape(max_rank=3), -1, 4, maker.choose("int32", "int64"))
    axis = maker.axis(indices.ndim + 1) if maker.choose(True, False) else -1
    dtype = maker.choose("float16", "float32", "float64", "int32", "bool")
    return maker.sample(indices, depth=maker.size(0, 3), axis=axis, dtype=dtype)
