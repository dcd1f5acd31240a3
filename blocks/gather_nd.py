"""Picking slices by index vectors, and the adding of slices that undoes it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.blocks.comparison import Cast
from gradwire.blocks.indexing import check_indices
from gradwire.blocks.shape import Concat
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.blocks.support.tensorflow_kernels import has_elements
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, INDEX, block
from gradwire.engine.blocktypes.parameters import IntList
from gradwire.engine.blocktypes.spelling import Spelling


def slices_shape(shape: Shape, indices: Shape, batch: int = 0) -> Shape:
    """Returns the shape of all slices together that index vectors name in a tensor of this shape.

    Raises: ShapeError if the indices are no vectors, or longer than the tensor has axes behind the batch.
    """
    if not shape or not indices:
        raise ShapeError(f"the tensor {list(shape)} and the indices {list(indices)} must have at least one axis each")
    depth = batch + indices[-1]
    if depth > len(shape):
        raise ShapeError(f"index vectors of length {indices[-1]} are too long for a tensor of shape {list(shape)}")
    return indices[:-1] + shape[depth:]


def rows_of(tensor: Array, depth: int) -> Array:
    """Returns the slices of the tensor behind its first `depth` axes, one after another along one axis."""
    return tensor.reshape(math.prod(tensor.shape[:depth]), *tensor.shape[depth:])


def row_numbers(indices: Array, shape: Shape, batch: int = 0) -> Array:
    """Returns, for each index vector, the number of the slice that it names, behind its own place in the batch.

    Raises: ValueProblem for an index out of range.
    """
    lead, own = shape[:batch], [1] * (indices.ndim - 1 - batch)
    numbers = np.arange(math.prod(lead)).reshape((*lead, *own))
    for axis in range(indices.shape[-1]):
        size = shape[batch + axis]
        numbers = numbers * size + check_indices(indices[..., axis], size, "index")
    return np.broadcast_to(numbers, indices.shape[:-1])


# How index vectors stand in square brackets.
TORCH_INDEX = "tuple({indices}.long().movedim(-1, 0))"
JAX_INDEX = "tuple(jnp.moveaxis({indices}, -1, 0))"


def name_parts(tensor: TensorSpec, indices: TensorSpec, *_: TensorSpec) -> bool:
    """Returns whether index vectors name parts of a tensor: in square brackets empty ones would not name the whole."""
    return indices.shape[-1] > 0


def _picked(params: TensorSpec, indices: TensorSpec, *, batch_dims: int) -> TensorSpec:
    if not 0 <= batch_dims < min(params.ndim, indices.ndim):
        raise ParameterError(
            f"batch_dims {batch_dims} must be at least 0 and below the ranks of params {list(params.shape)} and of "
            f"indices {list(indices.shape)}"
        )
    if params.shape[:batch_dims] != indices.shape[:batch_dims]:
        raise ShapeError(f"params {list(params.shape)} and indices {list(indices.shape)} differ in the batch axes")
    return TensorSpec(slices_shape(params.shape, indices.shape, batch_dims), params.dtype)


def _are_vectors(indices: TensorSpec | None) -> bool:
    """Returns whether there are several index vectors: TensorFlow has no gradient for a single one."""
    return indices is not None and indices.ndim > 1


def _with_batch(indices: Any, batch_dims: int) -> Any:
    """Returns the index vectors preceded by their own places in the batch."""
    places = np.indices(indices.shape[:-1], np.int64)[:batch_dims]
    return Concat(np.moveaxis(places, 0, -1), Cast(indices, dtype="int64"), axis=-1)


@block(
    "Indexing",
    infer=_picked,
    accepts={"params": ANY, "indices": INDEX},
    formula=r"y_{i \dots} = x_{k_{i 1}, \dots, k_{i n}, \dots}",
    gradient_formula=r"\bar x_k = \textstyle\sum_{i : k_i = k} \bar y_i",
    source="tf.gather_nd",
    spelling=Spelling(
        "",
        "tf.gather_nd({params}, {indices}, batch_dims={batch_dims})",
        spelled_for(f"{{params}}[{TORCH_INDEX}]", name_parts, batch_dims=0),
        spelled_for(f"{{params}}[{JAX_INDEX}]", name_parts, batch_dims=0),
    ).only_where("tensorflow", lambda parameters, specs: has_elements(parameters, specs) and _are_vectors(specs[1])),
)
def GatherNd(params: Array, indices: Array, *, batch_dims: int = 0) -> Array:
    """The elements or slices of `params` that index vectors name: the last axis of the indices holds the vectors.

    A vector as long as `params` has axes names one element, a shorter one the whole slice behind it. A slice that is
    named twice receives both gradients. The first `batch_dims` axes are matched with those of the indices. An index out
    of range is an error.
    """
    rows = rows_of(params, batch_dims + indices.shape[-1])
    return np.take(rows, row_numbers(indices, params.shape, batch_dims), 0)


@GatherNd.gradient
def gather_nd_gradient(g: Any, params: Any, indices: Any, y: Any, *, batch_dims: int) -> Any:
    vectors = _with_batch(indices, batch_dims) if batch_dims else indices
    return ScatterNd(vectors, g, shape=params.shape), None


def check_updates(shape: Shape, indices: TensorSpec, updates: TensorSpec) -> None:
    """Checks the updates of a tensor of this shape.

    Raises: ShapeError if they are not one slice for each index vector.
    """
    expected = slices_shape(shape, indices.shape)
    if updates.shape != expected:
        raise ShapeError(f"updates {list(updates.shape)} do not fit; {list(expected)} would")


def combined(ufunc: np.ufunc, tensor: Array, indices: Array, updates: Array) -> Array:
    """Returns the tensor after each update was combined with the slice that its index vector names, in order."""
    whole = tensor.copy()
    ufunc.at(rows_of(whole, indices.shape[-1]), row_numbers(indices, tensor.shape), updates)
    return whole


def _scattered(indices: TensorSpec, updates: TensorSpec, *, shape: tuple[int, ...]) -> TensorSpec:
    if min(shape, default=0) < 0:
        raise ParameterError(f"shape {list(shape)} must hold sizes of at least 0")
    check_updates(shape, indices, updates)
    return TensorSpec(shape, updates.dtype)


def _are_rows(indices: TensorSpec, updates: TensorSpec) -> bool:
    return indices.ndim > 1 and name_parts(updates, indices)


@block(
    "Indexing",
    infer=_scattered,
    accepts={"indices": INDEX, "updates": ANY},
    sums_products=True,
    formula=r"y_k = \textstyle\sum_{i : k_i = k} x_i",
    gradient_formula=r"\bar x_i = \bar y_{k_i}",
    source="tf.scatter_nd",
    spelling=Spelling(
        "",
        spelled_for("tf.scatter_nd({indices}, {updates}, {shape})", _are_rows),
        spelled_for(
            f"torch.zeros({{shape}}, dtype={{updates}}.dtype).index_put({TORCH_INDEX}, {{updates}}, accumulate=True)",
            _are_rows,
        ),
        spelled_for(f"jnp.zeros({{shape}}, {{updates}}.dtype).at[{JAX_INDEX}].add({{updates}})", _are_rows),
    ),
)
def ScatterNd(indices: Array, updates: Array, *, shape: IntList) -> Array:
    """Zeros of this shape to which each update is added where its index vector says; it undoes GatherNd.

    The last axis of the indices holds the vectors. Updates of the same place add up (of booleans one true is enough).
    An index out of range is an error.
    """
    return combined(np.add, np.zeros_like(updates, order="C", shape=shape), indices, updates)


@ScatterNd.gradient
def scatter_nd_gradient(g: Any, indices: Any, updates: Any, y: Any, *, shape: tuple[int, ...]) -> Any:
    return None, GatherNd(g, indices)
