"""Samplers for index vectors and for updates of rows; importing it registers them."""

from __future__ import annotations

import math

import numpy as np

from gradwire.engine.base.tensor_spec import Array, Shape
from tests.blocks.samplers.indexing_samplers import filled_shape
from tests.blocks.samplers.samples import Maker, Range, Sample, sampler

AWAY_FROM_ZERO = Range()


def vectors(maker: Maker, shape: Shape, lead: Shape) -> tuple[Array, Shape]:
    """Returns index vectors, one for each element of `lead`, of any length that fits, and the shape of their slices."""
    depth = maker.size(0, len(shape))
    parts = [maker.integers(lead, 0, size) for size in shape[:depth]]
    indices = np.stack(parts, axis=-1) if parts else np.zeros((*lead, 0), int)
    return indices.astype(maker.choose("int32", "int64")), (*lead, *shape[depth:])


def different_vectors(maker: Maker, shape: Shape) -> tuple[Array, Shape]:
    """Returns index vectors that all differ, and the shape of their slices."""
    depth = maker.size(1, len(shape))
    places = maker.rng.permutation(math.prod(shape[:depth]))[: maker.size(0, 3)]
    indices = np.stack(np.unravel_index(places, shape[:depth]), axis=-1)
    return indices.astype(maker.choose("int32", "int64")), (len(places), *shape[depth:])


@sampler("GatherNd")
def gather_nd(maker: Maker) -> Sample:
    shape = filled_shape(maker)
    batch = maker.size(0, len(shape) - 1)
    indices, _ = vectors(maker, shape[batch:], (*shape[:batch], *maker.shape(max_rank=2)))
    return maker.sample(maker.values(shape), indices, batch_dims=batch)


@sampler("ScatterNd")
def scatter_nd(maker: Maker) -> Sample:
    shape = filled_shape(maker)
    indices, picked = vectors(maker, shape, maker.shape(max_rank=2))
    return maker.sample(indices, maker.values(picked), shape=shape)


@sampler("TensorScatterNdAdd", "TensorScatterNdSub", "TensorScatterNdMin", "TensorScatterNdMax")
def tensor_scatter_nd(maker: Maker) -> Sample:
    shape = filled_shape(maker)
    indices, picked = vectors(maker, shape, maker.shape(max_rank=2))
    return maker.sample(maker.values(shape), indices, maker.values(picked))


@sampler("TensorScatterNdUpdate")
def tensor_scatter_nd_update(maker: Maker) -> Sample:
    # An update that another one replaced gets a gradient all the same, as in TensorFlow.
    shape = filled_shape(maker)
    indices, picked = different_vectors(maker, shape)
    return maker.sample(maker.values(shape), indices, maker.values(picked))


@sampler("Assign", "AssignAdd", "AssignSub")
def assignment(maker: Maker) -> Sample:
    shape = maker.shape()
    return maker.sample(maker.values(shape), maker.values(shape))


@sampler("ScatterAdd", "ScatterSub", "ScatterMul", "ScatterDiv", "ScatterUpdate")
def row_update(maker: Maker) -> Sample:
    shape = filled_shape(maker)
    indices = maker.indices(maker.shape(max_rank=2), shape[0])
    picked = maker.choose((*indices.shape, *shape[1:]), ())
    return maker.sample(maker.values(shape), indices, maker.values(picked, *AWAY_FROM_ZERO))
