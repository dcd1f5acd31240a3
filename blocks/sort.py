"""Sorting along an axis, and the moves of elements that undo it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.blocks.indexing import check_indices
from gradwire.blocks.scan import along_axis
from gradwire.blocks.support.nan_order import GREATEST, with_nan
from gradwire.blocks.support.spelled_for import as_one_of
from gradwire.engine.base.errors import ParameterError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import ANY, INDEX, NUMBER, Observation, block
from gradwire.engine.blocktypes.parameters import Axis
from gradwire.engine.blocktypes.spelling import Spelling, documented

Direction = Literal["ASCENDING", "DESCENDING"]


def order_of(x: Array, axis: int, direction: str) -> Array:
    """Returns the places of the elements in sorted order; equal ones keep theirs, and NaN counts as the greatest."""
    if direction == "ASCENDING":
        return np.argsort(x, axis=axis, kind="stable")
    # The first of equal elements comes last from behind, so that turning the order back puts it first.
    backwards = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(backwards, axis)


def _observe_equal_neighbours(ordered: Array, axis: int, count: int) -> Observation | None:
    """Returns a note about equal elements, one of which has a place among the first `count` because it came first."""
    if ordered.dtype.kind != "f":
        return None
    rows = np.moveaxis(ordered, axis, 0)
    hit = rows[1:] == rows[:-1]
    tied = int(np.count_nonzero(hit[:count]))
    if not tied:
        return None
    none, pairs = np.zeros_like(hit[:1]), "pair" if tied == 1 else "pairs"
    is_tied = np.concatenate((hit, none)) | np.concatenate((none, hit))
    # Behind the last place only those that might as well have come before.
    is_tied[count:] &= rows[count:] == rows[count - 1]
    return Observation("tie", f"{tied} equal {pairs}: the first in x comes first.", int(np.count_nonzero(is_tied)))


def _directed(ascending: str, descending: str) -> Callable[..., str]:
    @documented(ascending)
    def write(x: str, axis: int, direction: str, **_: object) -> str:
        return (ascending if direction == "ASCENDING" else descending).format(x=x, axis=axis)

    return write


def _sorted_in_torch(part: int) -> Callable[..., str]:
    """Spells the sorted values (0) or their places (1)."""
    line = f"torch.sort({{x}}, dim={{axis}}, stable=True)[{part}]"
    return _directed(line, line.replace("stable", "descending=True, stable"))


@block(
    "Scan and sort",
    infer=along_axis,
    accepts=NUMBER,
    formula=r"y_i = x_{k_i} \text{ with } y_1 \le y_2 \le \dots",
    gradient_formula=r"\bar x_{k_i} = \bar y_i",
    source="tf.sort; NaN as in NumPy",
    spelling=Spelling(
        _directed("np.sort({x}, axis={axis})", "np.flip(np.sort({x}, axis={axis}), {axis})"),
        "tf.sort({x}, axis={axis}, direction={direction})",
        _sorted_in_torch(0),
        # Downwards jnp.sort turns equal elements around.
        _directed(
            "jnp.sort({x}, axis={axis})",
            "jnp.take_along_axis({x}, jnp.argsort({x}, axis={axis}, descending=True), axis={axis})",
        ),
    ),
)
def Sort(x: Array, *, axis: Axis = -1, direction: Direction = "ASCENDING") -> Array:
    """The elements sorted along `axis`; each gradient goes back to where its element came from.

    Of equal elements the first in x comes first, in either direction. NaN counts as the greatest number (TensorFlow
    puts it anywhere).
    """
    return np.take_along_axis(x, order_of(x, axis, direction), axis)


@Sort.gradient
def sort_gradient(g: Any, x: Any, y: Any, *, axis: int, direction: str) -> Any:
    places = ArgSort(x, axis=axis, direction=direction)
    return PutAlongAxis(g, places, axis=axis, size=x.shape[axis])


@Sort.observe
def observe_ties_of_sort(x: Array, y: Array, *, axis: int, direction: str) -> Observation | None:
    return with_nan(x, GREATEST) or _observe_equal_neighbours(y, axis, x.shape[axis])


def _places_spec(x: TensorSpec, *, axis: int, **_: object) -> TensorSpec:
    return TensorSpec(along_axis(x, axis=axis).shape, DTYPES["int32"])


@block(
    "Scan and sort",
    differentiable="never",
    infer=_places_spec,
    accepts=NUMBER,
    formula=r"y_i = k_i \text{ with } x_{k_1} \le x_{k_2} \le \dots",
    gradient_formula=NO_GRADIENT,
    source="tf.argsort; NaN as in NumPy",
    spelling=Spelling(
        _directed("np.argsort({x}, axis={axis}, kind='stable').astype('int32')", ""),
        "tf.argsort({x}, axis={axis}, direction={direction}, stable={stable})",
        _sorted_in_torch(1),
        _directed("jnp.argsort({x}, axis={axis})", "jnp.argsort({x}, axis={axis}, descending=True)"),
    ),
)
def ArgSort(x: Array, *, axis: Axis = -1, direction: Direction = "ASCENDING", stable: bool = False) -> Array:
    """The places along `axis` from which Sort takes the elements. No gradient passes.

    Equal elements keep their order, in either direction and also if it is not demanded with `stable`, as in TensorFlow.
    NaN counts as the greatest number (TensorFlow puts it anywhere).
    """
    return order_of(x, axis, direction).astype(np.int32)


@ArgSort.observe
def observe_nan_of_arg_sort(x: Array, y: Array, *, axis: int, direction: str, stable: bool) -> Observation | None:
    return with_nan(x, GREATEST)


def _top_spec(x: TensorSpec, *, k: int, sorted: bool, index_type: str) -> tuple[TensorSpec, TensorSpec]:
    if k < 0:
        raise ParameterError(f"k must be at least 0, not {k}")
    if x.ndim == 0 or x.shape[-1] < k:
        raise ShapeError(f"the last axis of {list(x.shape)} has no {k} elements")
    if x.shape[-1] > np.iinfo(index_type).max:
        raise ParameterError(f"index_type {index_type} is too narrow for {x.shape[-1]} places")
    shape = (*x.shape[:-1], k)
    return TensorSpec(shape, x.dtype), TensorSpec(shape, DTYPES[index_type])


@block(
    "Scan and sort",
    infer=_top_spec,
    outputs=("values", "indices"),
    accepts=NUMBER,
    formula=r"y_i = x_{k_i} \text{ with } y_1 \ge y_2 \ge \dots",
    gradient_formula=r"\bar x_{k_i} = \bar y_i, \text{ else } 0",
    source="tf.math.top_k; NaN as in PyTorch",
    spelling=Spelling(
        "",
        "tf.math.top_k({x}, {k}, index_type=tf.{index_type!s})",
        "[part[..., :{k}] for part in torch.sort({x}, dim=-1, descending=True, stable=True)]",
        "jax.lax.top_k({x}, {k})",
        # TensorFlow cannot differentiate it with wide indices.
    )
    .noted("0.0 comes before -0.0, in Gradwire they are equal", "jax")
    .only_where("tensorflow", lambda parameters, _: parameters["index_type"] == "int32"),
)
def TopK(
    x: Array, *, k: int = 1, sorted: bool = True, index_type: Literal["int32", "int64", "int16"] = "int32"
) -> tuple[Array, Array]:
    """The `k` largest elements of the last axis, largest first, and their places. All others receive a gradient of 0.

    Of equal elements the first in x comes first. NaN counts as the greatest number (in TensorFlow anything may happen
    to it). The elements are in order without `sorted` too, where TensorFlow promises none.
    """
    places = order_of(x, -1, "DESCENDING")[..., :k]
    return np.take_along_axis(x, places, -1), places.astype(index_type)


@TopK.gradient
def top_k_gradient(g: Any, x: Any, values: Any, indices: Any, *, k: int, sorted: bool, index_type: str) -> Any:
    return PutAlongAxis(g[0], indices, axis=-1, size=x.shape[-1])


@TopK.observe
def observe_ties_of_top_k(
    x: Array, values: Array, indices: Array, *, k: int, sorted: bool, index_type: str
) -> Observation | None:
    return with_nan(x, GREATEST) or _observe_equal_neighbours(Sort.function(x, direction="DESCENDING"), -1, k)


def _taken(x: TensorSpec, places: TensorSpec, *, axis: int) -> TensorSpec:
    at = normalize_axis(axis, x.ndim)
    if places.shape[:at] + places.shape[at + 1 :] != x.shape[:at] + x.shape[at + 1 :] or places.ndim != x.ndim:
        raise ShapeError(f"{list(x.shape)} and places {list(places.shape)} may differ only along axis {axis}")
    return TensorSpec(places.shape, x.dtype)


@block(
    "Gradient parts",
    infer=_taken,
    accepts={"x": ANY, "places": INDEX},
    formula=r"y_i = x_{k_i}",
    gradient_formula=r"\bar x_k = \textstyle\sum_{i : k_i = k} \bar y_i",
    spelling=Spelling(
        "np.take_along_axis({x}, {places}, {axis})",
        "",
        "torch.take_along_dim({x}, {places}.long(), {axis})",
        "jnp.take_along_axis({x}, {places}, {axis})",
    ),
)
def TakeAlongAxis(x: Array, places: Array, *, axis: Axis) -> Array:
    """The elements at the places, which stand in a tensor of the result's shape, along an axis."""
    return np.take_along_axis(x, check_indices(places, x.shape[axis], "place"), axis)


@TakeAlongAxis.gradient
def take_along_axis_gradient(g: Any, x: Any, places: Any, y: Any, *, axis: int) -> Any:
    return PutAlongAxis(g, places, axis=axis, size=x.shape[axis]), None


def _put(updates: TensorSpec, places: TensorSpec, *, axis: int, size: int) -> TensorSpec:
    at = normalize_axis(axis, updates.ndim)
    if places.shape != updates.shape:
        raise ShapeError(f"updates {list(updates.shape)} and places {list(places.shape)} differ")
    if size < 0:
        raise ParameterError(f"size must be at least 0, not {size}")
    return TensorSpec((*updates.shape[:at], size, *updates.shape[at + 1 :]), updates.dtype)


@block(
    "Gradient parts",
    infer=_put,
    accepts={"updates": NUMBER, "places": INDEX},
    sums_products=True,
    formula=r"y_k = \textstyle\sum_{i : k_i = k} x_i",
    gradient_formula=r"\bar x_i = \bar y_{k_i}",
)
def PutAlongAxis(updates: Array, places: Array, *, axis: Axis, size: int) -> Array:
    """Zeros to which each update is added at its place along an axis: it undoes TakeAlongAxis."""
    whole = np.zeros((size, *np.moveaxis(updates, axis, 0).shape[1:]), updates.dtype)
    rows = np.moveaxis(check_indices(places, size, "place"), axis, 0)
    others = np.indices(rows.shape, sparse=True)[1:]
    np.add.at(whole, (rows, *others), np.moveaxis(updates, axis, 0))
    return np.moveaxis(whole, 0, axis)


@PutAlongAxis.gradient
def put_along_axis_gradient(g: Any, updates: Any, places: Any, y: Any, *, axis: int, size: int) -> Any:
    return TakeAlongAxis(g, places, axis=axis), None


def _vector(x: TensorSpec) -> TensorSpec:
    if x.ndim != 1:
        raise ShapeError(f"x must have one axis, not {x.ndim}")
    return x


def _inverted_in_tensorflow(x: str, specs: Sequence[TensorSpec]) -> str:
    """tf.math.invert_permutation({x})"""
    return f"tf.math.invert_permutation({as_one_of(('int32', 'int64'), x, specs[0])})"


@block(
    "Scan and sort",
    differentiable="never",
    infer=_vector,
    accepts=INDEX,
    formula=r"y_{x_i} = i",
    gradient_formula=NO_GRADIENT,
    source="tf.math.invert_permutation",
    spelling=Spelling(
        "np.argsort({x}).astype({x}.dtype)", _inverted_in_tensorflow, "torch.argsort({x})", "jnp.argsort({x})"
    ),
)
def InvertPermutation(x: Array) -> Array:
    """The inverse of a permutation of the whole numbers from 0 on: the place of each number in it.

    A number that is missing, out of range or there twice is an error.
    """
    places = check_indices(x, x.size, "number")
    if np.unique(places).size < places.size:
        raise ValueProblem("x is no permutation: it holds a number twice")
    y = np.empty_like(x)
    y[places] = np.arange(x.size)
    return y
