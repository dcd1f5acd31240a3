"""Writing slices into a tensor by index vectors: added, subtracted, put in place, or the smaller or greater kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradwire.blocks.comparison import Cast, Equal, ZerosLike
from gradwire.blocks.gather_nd import (
    JAX_INDEX,
    TORCH_INDEX,
    GatherNd,
    ScatterNd,
    check_updates,
    combined,
    name_parts,
    row_numbers,
    rows_of,
)
from gradwire.blocks.indexing import last_of_each
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, INDEX, NUMBER, Declaration, Dtypes, Observation, block
from gradwire.engine.blocktypes.spelling import Spelling


def _written(tensor: TensorSpec, indices: TensorSpec, updates: TensorSpec) -> TensorSpec:
    check_updates(tensor.shape, indices, updates)
    return tensor


def _are_rows(tensor: TensorSpec, indices: TensorSpec, updates: TensorSpec) -> bool:
    # TensorFlow takes a single index vector for several indices.
    return indices.ndim > 1 and name_parts(tensor, indices)


def scattering(
    name: str, formula: str, gradient_formula: str, jax: str, torch: str = "", accepts: Dtypes = NUMBER, note: str = ""
) -> Declaration:
    """Returns the declaration that all of them share; `name` is the end of TensorFlow's name, `note` a word on JAX."""
    return block(
        "Indexing",
        infer=_written,
        accepts={"tensor": accepts, "indices": INDEX, "updates": accepts},
        formula=formula,
        gradient_formula=gradient_formula,
        source=f"tf.tensor_scatter_nd_{name}",
        spelling=Spelling(
            "",
            spelled_for(f"tf.tensor_scatter_nd_{name}({{tensor}}, {{indices}}, {{updates}})", _are_rows),
            torch and spelled_for(f"{{tensor}}.index_put({TORCH_INDEX}, {torch})", name_parts),
            spelled_for(f"{{tensor}}.at[{JAX_INDEX}].{jax}", name_parts),
        ).noted(note, *(("jax",) if note else ())),
    )


@scattering(
    "add",
    r"y_k = x_k + \textstyle\sum_{i : k_i = k} u_i",
    r"\bar x = \bar y,\quad \bar u_i = \bar y_{k_i}",
    "add({updates})",
    "{updates}, accumulate=True",
)
def TensorScatterNdAdd(tensor: Array, indices: Array, updates: Array) -> Array:
    """The tensor with each update added to the slice that its index vector names; updates of the same place add up.

    The last axis of the indices holds the vectors. An index out of range is an error.
    """
    return combined(np.add, tensor, indices, updates)


@TensorScatterNdAdd.gradient
def tensor_scatter_nd_add_gradient(g: Any, tensor: Any, indices: Any, updates: Any, y: Any) -> Any:
    return g, None, GatherNd(g, indices)


@scattering(
    "sub",
    r"y_k = x_k - \textstyle\sum_{i : k_i = k} u_i",
    r"\bar x = \bar y,\quad \bar u_i = -\bar y_{k_i}",
    "add(-{updates})",
    "-{updates}, accumulate=True",
)
def TensorScatterNdSub(tensor: Array, indices: Array, updates: Array) -> Array:
    """The tensor with each update subtracted from the slice that its index vector names; several of one place add up.

    The last axis of the indices holds the vectors. An index out of range is an error.
    """
    return combined(np.subtract, tensor, indices, updates)


@TensorScatterNdSub.gradient
def tensor_scatter_nd_sub_gradient(g: Any, tensor: Any, indices: Any, updates: Any, y: Any) -> Any:
    return g, None, -GatherNd(g, indices)


def placed(tensor: Array, indices: Array, updates: Array) -> Array:
    """Returns the tensor with each update in place of the slice that its index vector names; the last one stays."""
    whole = tensor.copy()
    rows_of(whole, indices.shape[-1])[row_numbers(indices, tensor.shape)] = updates
    return whole


@scattering(
    "update",
    r"y_{k_i} = u_i,\quad y_k = x_k \text{ elsewhere}",
    r"\bar u_i = \bar y_{k_i},\quad \bar x_k = \bar y_k \text{ where no update came, else } 0",
    "set({updates})",
    "{updates}",
    ANY,
    "an update that is replaced receives 0, in Gradwire the gradient of the last one",
)
def TensorScatterNdUpdate(tensor: Array, indices: Array, updates: Array) -> Array:
    """The tensor with each update in place of the slice that its index vector names.

    Of several updates of one place the last counts; yet all of them receive its gradient, as in TensorFlow. The last
    axis of the indices holds the vectors. An index out of range is an error.
    """
    return placed(tensor, indices, updates)


@TensorScatterNdUpdate.gradient
def tensor_scatter_nd_update_gradient(g: Any, tensor: Any, indices: Any, updates: Any, y: Any) -> Any:
    return TensorScatterNdUpdate(g, indices, ZerosLike(updates)), None, GatherNd(g, indices)


def _written_twice(tensor: Array, indices: Array, updates: Array, y: Array) -> Observation:
    places, counts = np.unique(indices.reshape(-1, indices.shape[-1]), axis=0, return_counts=True)
    place = places[np.argmax(counts)].tolist()
    times = {2: "twice", 3: "three times"}.get(int(counts.max()), f"{counts.max()} times")
    return Observation(
        "not_the_derivative",
        f"writes index {place} {times}, but each update receives the gradient of the last one",
    )


@TensorScatterNdUpdate.deviates(_written_twice, "PyTorch does so, too; JAX gives the derivative.")
def tensor_scatter_nd_update_derivative(g: Array, tensor: Array, indices: Array, updates: Array, y: Array) -> Any:
    """Returns the rule's gradients, but nothing for an update that a later one replaces."""
    of_tensor, _, of_updates = tensor_scatter_nd_update_gradient(g, tensor, indices, updates, y)
    rows = row_numbers(indices, tensor.shape).ravel()
    stays = last_of_each(rows).reshape(indices.shape[:-1])
    return of_tensor, None, np.where(stays.reshape(stays.shape + (1,) * (updates.ndim - stays.ndim)), of_updates, 0)


def _extreme(name: str) -> Declaration:
    return scattering(
        name,
        rf"y_k = \{name}(x_k, \{name}_{{i : k_i = k}} u_i)",
        r"\text{divided evenly among those that equal } y_k",
        f"{name}({{updates}})",
        note="a NaN among the updates stays, in Gradwire it is left out",
    )


def _kept_nan(ufunc: np.ufunc, tensor: Array, indices: Array, updates: Array) -> Array:
    """Returns the extremes by a function that leaves NaN out; only where the tensor has one does it stay."""
    return np.where(np.isnan(tensor), tensor, combined(ufunc, tensor, indices, updates))


@_extreme("min")
def TensorScatterNdMin(tensor: Array, indices: Array, updates: Array) -> Array:
    """The tensor with each element replaced by an update of its place that is smaller, the smallest if several are.

    The element and the updates that equal the result share the gradient evenly. A NaN among the updates is left out;
    one in the tensor stays, and makes the gradient NaN. The last axis of the indices holds index vectors; an index out
    of range is an error.
    """
    return _kept_nan(np.fmin, tensor, indices, updates)


@_extreme("max")
def TensorScatterNdMax(tensor: Array, indices: Array, updates: Array) -> Array:
    """The tensor with each element replaced by an update of its place that is greater, the greatest if several are.

    The element and the updates that equal the result share the gradient evenly. A NaN among the updates is left out;
    one in the tensor stays, and makes the gradient NaN. The last axis of the indices holds index vectors; an index out
    of range is an error.
    """
    return _kept_nan(np.fmax, tensor, indices, updates)


def _hits(tensor: Any, indices: Any, updates: Any, y: Any) -> tuple[Any, Any, Any]:
    """Returns masks of the elements and the updates that equal the result, and their number at each place."""
    own = Cast(Equal(tensor, y), dtype=y.dtype.name)
    others = Cast(Equal(updates, GatherNd(y, indices)), dtype=y.dtype.name)
    return own, others, own + ScatterNd(indices, others, shape=tensor.shape)


def _shared_among_equals(g: Any, tensor: Any, indices: Any, updates: Any, y: Any) -> Any:
    own, others, count = _hits(tensor, indices, updates, y)
    share = g / count
    return share * own, None, GatherNd(share, indices) * others


def _tied(what: str) -> Callable[..., Observation | None]:
    def observe(tensor: Array, indices: Array, updates: Array, y: Array) -> Observation | None:
        _, _, count = _hits(tensor, indices, updates, y)
        tied = int(count[count > 1].sum(dtype=np.float64)) if y.dtype.kind == "f" else 0
        return Observation("tie", f"{tied} equal {what} share the gradient.", tied) if tied else None

    return observe


for _type, _what in ((TensorScatterNdMin, "minima"), (TensorScatterNdMax, "maxima")):
    _type.gradient(_shared_among_equals)
    _type.observe(_tied(_what))
