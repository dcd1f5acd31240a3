"""Picking elements by index, and the scattering that undoes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.blocks.comparison import Where
from gradwire.blocks.elementwise import Sqrt, Square
from gradwire.blocks.reduce import ReduceSum
from gradwire.engine.base.errors import DtypeError, ParameterError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import ANY, INDEX, NUMBER, block
from gradwire.engine.blocktypes.parameters import Axis, DtypeName, IntList
from gradwire.engine.blocktypes.spelling import Spelling, documented
from gradwire.engine.executors.recordable import holds


def last_of_each(numbers: Array) -> Array:
    """Returns which elements are the last with their number: what is written there stays.

    Shapes: [n] gives [n] of bool. Cost: O(n log n).
    """
    stays = np.zeros(len(numbers), bool)
    stays[len(numbers) - 1 - np.unique(numbers[::-1], return_index=True)[1]] = True
    return stays


def check_indices(indices: Array, size: int, what: str) -> Array:
    """Returns the indices, ready for NumPy.

    Raises: ValueProblem for one that is negative or not below `size`, as TensorFlow does on a processor.
    """
    is_inside = (indices >= 0) & (indices < size)
    if not holds(is_inside):
        wrong = indices[~is_inside]
        allowed = f"must be from 0 to {size - 1}" if size else "has nothing to point at"
        raise ValueProblem(f"{what} {wrong.flat[0]} {allowed}")
    return indices.astype(np.intp)


def _places(params: Any, indices: Any, axis: int | None, batch_dims: int) -> tuple[int, int]:
    """Returns the axis and the number of batch axes, counted from the front."""
    axis = normalize_axis(batch_dims if axis is None else axis, params.ndim)
    if not -indices.ndim <= batch_dims <= indices.ndim:
        raise ParameterError(f"batch_dims {batch_dims} is out of range for indices of rank {indices.ndim}")
    batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
    if batch > axis:
        raise ParameterError(f"batch_dims {batch} must not be above axis {axis}")
    if params.shape[:batch] != indices.shape[:batch]:
        raise ShapeError(f"params {list(params.shape)} and indices {list(indices.shape)} differ in the batch axes")
    return axis, batch


def _gathered(params: TensorSpec, indices: TensorSpec, *, axis: int | None, batch_dims: int) -> TensorSpec:
    axis, batch = _places(params, indices, axis, batch_dims)
    return TensorSpec((*params.shape[:axis], *indices.shape[batch:], *params.shape[axis + 1 :]), params.dtype)


def _rows(shape: Shape, indices: Array, axis: int, batch: int) -> tuple[Shape, Array]:
    """Returns the shape of `params` as (batch, outer, picked, inner), and the indices of each batch in one row."""
    split = [shape[:batch], shape[batch:axis], shape[axis : axis + 1], shape[axis + 1 :]]
    flat = tuple(math.prod(part) for part in split)
    return flat, indices.reshape(flat[0], math.prod(indices.shape[batch:]))


def _taken(function: str) -> Callable[..., str]:
    @documented(f"{function}({{params}}, {{indices}}, axis={{axis}})")
    def write(params: str, indices: str, axis: int | None, batch_dims: int) -> str:
        return "" if batch_dims else f"{function}({params}, {indices}, axis={axis or 0})"

    return write


def _selected_in_torch(
    params: str, indices: str, axis: int | None, batch_dims: int, specs: Sequence[TensorSpec]
) -> str:
    """{params}[{indices}]"""
    leading = ":, " * ((axis or 0) % max(specs[0].ndim, 1))
    return "" if batch_dims else f"{params}[{leading}{indices}]"


@block(
    "Indexing",
    infer=_gathered,
    accepts={"params": ANY, "indices": INDEX},
    formula=r"y_{i \dots} = x_{k_i \dots}",
    gradient_formula=r"\bar x_k = \textstyle\sum_{i : k_i = k} \bar y_i",
    spelling=Spelling(
        _taken("np.take"),
        "tf.gather({params}, {indices}, axis={axis}, batch_dims={batch_dims})",
        _selected_in_torch,
        _taken("jnp.take"),
    ),
)
def Gather(params: Array, indices: Array, *, axis: Axis | None = None, batch_dims: int = 0) -> Array:
    """The slices of `params` that the indices name, along an axis. An index out of range is an error.

    A slice that is named twice receives both gradients. The first `batch_dims` axes are matched with those of the
    indices; without `axis` the one after them is meant.
    """
    axis, batch = _places(params, indices, axis, batch_dims)
    picked = check_indices(indices, params.shape[axis], "index")
    flat, rows = _rows(params.shape, picked, axis, batch)
    found = np.take_along_axis(params.reshape(flat), rows[:, None, :, None], axis=2) if params.size else params
    return found.reshape(params.shape[:axis] + indices.shape[batch:] + params.shape[axis + 1 :])


@Gather.gradient
def gather_gradient(g: Any, params: Any, indices: Any, y: Any, *, axis: int | None, batch_dims: int) -> Any:
    return ScatterGradient(g, indices, shape=params.shape, axis=axis, batch_dims=batch_dims), None


def _scattered(
    updates: TensorSpec, indices: TensorSpec, *, shape: tuple[int, ...], axis: int | None, batch_dims: int
) -> TensorSpec:
    if min(shape, default=0) < 0:
        raise ParameterError(f"shape {list(shape)} must hold sizes of at least 0")
    target = TensorSpec(shape, updates.dtype)
    expected = _gathered(target, indices, axis=axis, batch_dims=batch_dims)
    if expected.shape != updates.shape:
        raise ShapeError(f"updates {list(updates.shape)} do not fit; {list(expected.shape)} would")
    return target


@block(
    "Gradient parts",
    infer=_scattered,
    accepts={"updates": NUMBER, "indices": INDEX},
    sums_products=True,
    formula=r"y_k = \textstyle\sum_{i : k_i = k} x_i",
    gradient_formula=r"\bar x_i = \bar y_{k_i}",
)
def ScatterGradient(
    updates: Array, indices: Array, *, shape: IntList, axis: Axis | None = None, batch_dims: int = 0
) -> Array:
    """Zeros to which each slice of the updates is added where its index says: it undoes Gather."""
    whole = np.zeros_like(updates, shape=shape, order="C")
    axis, batch = _places(whole, indices, axis, batch_dims)
    picked = check_indices(indices, shape[axis], "index")
    flat, rows = _rows(shape, picked, axis, batch)
    target = whole.reshape(flat)
    parts = updates.reshape(flat[0], flat[1], rows.shape[1], flat[3])
    for number, row in enumerate(rows):
        np.add.at(target[number].swapaxes(0, 1), row, parts[number].swapaxes(0, 1))
    return whole


@ScatterGradient.gradient
def scatter_gradient(
    g: Any, updates: Any, indices: Any, y: Any, *, shape: tuple[int, ...], axis: int | None, batch_dims: int
) -> Any:
    return Gather(g, indices, axis=axis, batch_dims=batch_dims), None


def _check_range(number: float, dtype: np.dtype[Any]) -> None:
    if dtype.kind in "iu" and not np.iinfo(dtype).min <= number <= np.iinfo(dtype).max:
        raise ParameterError(f"{number:g} is beyond the range of {dtype.name}")


def _one_hot_spec(
    indices: TensorSpec, *, depth: int, on_value: float, off_value: float, axis: int, dtype: str
) -> TensorSpec:
    if depth < 0:
        raise ParameterError(f"depth must be at least 0, not {depth}")
    for number in (on_value, off_value):
        _check_range(number, DTYPES[dtype])
    place = normalize_axis(axis, indices.ndim + 1)
    return TensorSpec((*indices.shape[:place], depth, *indices.shape[place:]), DTYPES[dtype])


def _one_hot(template: str) -> Callable[..., str]:
    """Spells OneHot with the two numbers as the dtype has them."""

    @documented(template.format(depth="{depth}", on="{on_value}", off="{off_value}", axis="{axis}", dtype="{dtype}"))
    def write(
        indices: str,
        depth: int,
        on_value: float,
        off_value: float,
        axis: int,
        dtype: str,
        specs: Sequence[TensorSpec],
    ) -> str:
        axis = axis % (specs[0].ndim + 1)
        on, off = (DTYPES[dtype].type(number).item() for number in (on_value, off_value))
        return template.format(depth=depth, on=on, off=off, axis=axis, dtype=dtype).format(indices=indices)

    return write


@block(
    "Indexing",
    differentiable="never",
    infer=_one_hot_spec,
    accepts=INDEX,
    formula=r"y_{i k} = [k = x_i]",
    gradient_formula=r"\text{none: indices have no gradient}",
    spelling=Spelling(
        "",
        _one_hot("tf.one_hot({{indices}}, {depth}, {on}, {off}, {axis}, tf.{dtype})"),
        _one_hot(
            "torch.where({{indices}}.unsqueeze(-1) == torch.arange({depth}), {on}, {off})"
            ".movedim(-1, {axis}).to(torch.{dtype})"
        ),
        _one_hot("jnp.where(jax.nn.one_hot({{indices}}, {depth}, axis={axis}) == 1, {on}, {off}).astype('{dtype}')"),
    ),
)
def OneHot(
    indices: Array,
    *,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    axis: Axis = -1,
    dtype: DtypeName = "float64",
) -> Array:
    """For each index a vector along a new axis: `on_value` at the index, `off_value` elsewhere.

    An index outside the depth gives a vector of nothing but `off_value`.
    """
    place = axis % (indices.ndim + 1)
    classes = np.arange(depth).reshape(-1, *[1] * (indices.ndim - place))
    hit = np.expand_dims(indices, place) == classes
    kind = DTYPES[dtype].type
    return np.where(hit, kind(on_value), kind(off_value))


def _looked_up(params: TensorSpec, ids: TensorSpec, *, max_norm: float | None) -> TensorSpec:
    if params.ndim == 0:
        raise ShapeError("params must have at least one axis to look rows up in")
    if max_norm is not None and max_norm < 0:
        raise ParameterError(f"max_norm must be at least 0, not {max_norm:g}")
    if max_norm is not None and not params.is_differentiable:
        raise DtypeError(f"max_norm needs floating-point params, not {params.dtype.name}")
    return TensorSpec(ids.shape + params.shape[1:], params.dtype)


def _squares(rows: Any, ids: Any, max_norm: float) -> tuple[Any, Any]:
    """Returns the squared norm of each row, and whether the row stays as it is; a row with NaN does not."""
    squares = _summed(Square(rows), ids)
    return squares, Sqrt(squares) < max_norm


def _summed(rows: Any, ids: Any) -> Any:
    return ReduceSum(rows, axis=tuple(range(ids.ndim, rows.ndim)), keepdims=True)


def _rows_taken(params: str, ids: str, max_norm: float | None) -> str:
    """{params}[{ids}]"""
    return f"{params}[{ids}]" if max_norm is None else ""


@block(
    "Indexing",
    infer=_looked_up,
    accepts={"params": ANY, "ids": INDEX},
    formula=r"y_i = x_{k_i} \min(1, m / \lVert x_{k_i} \rVert)",
    gradient_formula=r"\bar x_k = \textstyle\sum_{i : k_i = k} \bar y_i \text{, through the clipping}",
    source="tf.nn.embedding_lookup",
    spelling=Spelling(
        _rows_taken, "tf.nn.embedding_lookup({params}, {ids}, max_norm={max_norm})", _rows_taken, _rows_taken
    ),
)
def EmbeddingLookup(params: Array, ids: Array, *, max_norm: float | None = None) -> Array:
    """The rows of a table that the ids name; rows longer than `max_norm`, if it is given, are shortened to it.

    A row that is looked up twice receives both gradients. A row of exactly that norm counts as shortened, as in
    TensorFlow.
    """
    rows = params[check_indices(ids, params.shape[0], "id")]
    if max_norm is None:
        return rows
    squares, is_short = _squares(rows, ids, max_norm)
    clipped: Array = Where(is_short, rows, rows * (max_norm / Sqrt(squares)))
    return clipped


@EmbeddingLookup.gradient
def embedding_lookup_gradient(g: Any, params: Any, ids: Any, y: Any, *, max_norm: float | None) -> Any:
    if max_norm is not None:
        rows = Gather(params, ids)
        g = _clipped_gradient(g, rows, ids, max_norm)
    return ScatterGradient(g, ids, shape=params.shape), None


def _clipped_gradient(g: Any, rows: Any, ids: Any, max_norm: float) -> Any:
    """Returns the gradient behind shortening to `max_norm`: the part along a row that was shortened is lost."""
    squares, is_short = _squares(rows, ids, max_norm)
    safe = Where(is_short, 1.0, squares)
    along = _summed(g * rows, ids) / safe
    return Where(is_short, g, (g - rows * along) * (max_norm / Sqrt(safe)))
