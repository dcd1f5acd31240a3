"""Choosing slices by the values of a tensor: masks, partitions, and the stitching that undoes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.blocks.indexing import Gather, ScatterGradient, check_indices, last_of_each
from gradwire.blocks.segments import check_room
from gradwire.blocks.shape import Concat, Reshape
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.engine.base.errors import DtypeError, MissingInputError, ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import ANY, BOOLEAN, INDEX, UNSHARED, Observation, block
from gradwire.engine.blocktypes.parameters import Axis
from gradwire.engine.blocktypes.spelling import Spelling


@block(
    "Indexing",
    differentiable="never",
    infer=None,
    accepts=ANY,
    formula=r"y = (i : x_i \ne 0)",
    gradient_formula=NO_GRADIENT,
    source="tf.where with one argument",
    spelling=Spelling(
        "np.argwhere({condition})", "tf.where({condition})", "torch.argwhere({condition})", "jnp.argwhere({condition})"
    ),
)
def WhereIndices(condition: Array) -> Array:
    """The places of the elements that are true or not 0, each an index vector, in order; NaN counts as true."""
    if condition.ndim == 0:
        raise ShapeError("condition must have at least one axis: a single element has no place")
    return np.argwhere(condition).astype(np.int64)


def _masked_axes(tensor: Any, mask: Any, axis: int | None) -> tuple[int, Shape]:
    """Returns the first masked axis, and the shape of the tensor with all masked axes as one.

    Raises: ShapeError if the mask does not have their shape.
    """
    first = normalize_axis(axis or 0, tensor.ndim)
    behind = first + mask.ndim
    if not mask.ndim or tensor.shape[first:behind] != mask.shape:
        raise ShapeError(
            f"mask {list(mask.shape)} must have at least one axis, and the sizes of tensor {list(tensor.shape)} from "
            f"axis {first} on"
        )
    return first, (*tensor.shape[:first], math.prod(mask.shape), *tensor.shape[behind:])


def _tensorflow_mask(tensor: str, mask: str, axis: int | None) -> str:
    """tf.boolean_mask({tensor}, {mask}, axis={axis})"""
    return "" if axis is not None and axis < 0 else f"tf.boolean_mask({tensor}, {mask}, axis={axis})"


def _bracket_mask(tensor: str, mask: str, axis: int | None) -> str:
    """{tensor}[{mask}]"""
    return "" if axis is not None and axis < 0 else f"{tensor}[{':, ' * (axis or 0)}{mask}]"


@block(
    "Indexing",
    infer=None,
    accepts={"tensor": ANY, "mask": BOOLEAN},
    formula=r"y = (x_i : m_i)",
    gradient_formula=r"\bar x_i = m_i \,?\, \text{its part of } \bar y : 0",
    source="tf.boolean_mask",
    spelling=Spelling(_bracket_mask, _tensorflow_mask, _bracket_mask, _bracket_mask),
)
def BooleanMask(tensor: Array, mask: Array, *, axis: Axis | None = None) -> Array:
    """The slices of the tensor for which the mask is true, one after another.

    The axes of the mask are matched with those of the tensor from `axis` on, by default the first, and become one. A
    negative axis counts from the end (TensorFlow refuses -1). Slices that are left out receive a gradient of 0.

    Also known as masked_select.
    """
    first, shape = _masked_axes(tensor, mask, axis)
    return np.compress(mask.reshape(-1), tensor.reshape(shape), axis=first)


@BooleanMask.gradient
def boolean_mask_gradient(g: Any, tensor: Any, mask: Any, y: Any, *, axis: int | None) -> Any:
    first, shape = _masked_axes(tensor, mask, axis)
    places = Reshape(WhereIndices(Reshape(mask, shape=(-1,))), shape=(y.shape[first],))
    return Reshape(ScatterGradient(g, places, shape=shape, axis=first), shape=tensor.shape), None


def _int32(text: str, spec: TensorSpec | None) -> str:
    """Returns the source of indices as the only dtype that TensorFlow takes here."""
    return text if spec is None or spec.dtype == np.int32 else f"tf.cast({text}, tf.int32)"


def _tensorflow_partition(
    data: str, partitions: str, num_partitions: int, specs: Sequence[TensorSpec | None] = ()
) -> str:
    """tf.dynamic_partition({data}, {partitions}, {num_partitions})"""
    places = _int32(partitions, specs[1] if specs else None)
    return f"tf.dynamic_partition({data}, {places}, {num_partitions})"


_PARTS = "[{data}[{partitions} == part] for part in range({num_partitions})]"


@block(
    "Indexing",
    infer=None,
    outputs=("y*",),
    accepts={"data": ANY, "partitions": INDEX},
    formula=r"y_p = (x_i : k_i = p)",
    gradient_formula=r"\bar x_i = \text{its part of } \bar y_{k_i}",
    source="tf.dynamic_partition",
    spelling=Spelling(
        _PARTS,
        _tensorflow_partition,
        _PARTS,
        # JAX has no single booleans in square brackets.
        spelled_for(_PARTS, lambda _, partitions: partitions.ndim > 0),
    ),
)
def DynamicPartition(data: Array, partitions: Array, *, num_partitions: int) -> tuple[Array, ...]:
    """The rows of the data sorted into parts: `partitions` names the part of each row, from 0 to `num_partitions` - 1.

    Within a part rows keep their order. Partitions of several axes stand for as many leading axes of the data.
    """
    if num_partitions < 1:
        raise ParameterError(f"num_partitions must be at least 1, not {num_partitions}")
    if data.shape[: partitions.ndim] != partitions.shape:
        raise ShapeError(f"data {list(data.shape)} must start with the shape of partitions {list(partitions.shape)}")
    check_indices(partitions, num_partitions, "partition")
    return tuple(data[partitions == part] for part in range(num_partitions))


@DynamicPartition.gradient
def dynamic_partition_gradient(g: Any, data: Any, partitions: Any, y: Any, *, num_partitions: int) -> Any:
    count, rest = math.prod(partitions.shape), data.shape[partitions.ndim :]
    places = np.arange(count).reshape(partitions.shape)
    order = Concat(*DynamicPartition(places, partitions, num_partitions=num_partitions), axis=0)
    rows = ScatterGradient(Concat(*g, axis=0), order, shape=(count, *rest), axis=0)
    return Reshape(rows, shape=data.shape), None


def _halves(values: Any) -> tuple[Any, Any]:
    """Returns the indices and the data, which share one variadic port.

    Raises: MissingInputError for an odd number of values, or none.
    """
    if not values or len(values) % 2:
        raise MissingInputError(f"it needs as many indices as data, the indices first, but has {len(values)} inputs")
    return values[: len(values) // 2], values[len(values) // 2 :]


def _stitched_rest(indices: Any, data: Any) -> Shape:
    """Returns the shape of one stitched row.

    Raises: DtypeError or ShapeError if indices and data do not belong together.
    """
    rest: Shape = data[0].shape[indices[0].ndim :]
    for number, (places, rows) in enumerate(zip(indices, data, strict=True)):
        if places.dtype.kind not in "iu":
            raise DtypeError(f"values_{number} takes indices, which are integers, not {places.dtype.name}")
        if rows.dtype != data[0].dtype:
            raise DtypeError(f"the data are {data[0].dtype.name} and {rows.dtype.name}; insert a Cast")
        if rows.shape != places.shape + rest:
            raise ShapeError(
                f"indices {list(places.shape)} and data {list(rows.shape)} do not fit; data of shape "
                f"{list(places.shape + rest)} would"
            )
    return rest


def _tensorflow_stitch(values: list[str], specs: Sequence[TensorSpec | None] = ()) -> str:
    """tf.dynamic_stitch([indices], [data])"""
    indices, data = _halves(values)
    known = specs or [None] * len(values)
    places = [_int32(text, spec) for text, spec in zip(indices, known, strict=False)]
    return f"tf.dynamic_stitch([{', '.join(places)}], [{', '.join(data)}])"


@block(
    "Indexing",
    infer=None,
    accepts=UNSHARED,
    formula=r"y_{k_{m i}} = x_{m i}",
    gradient_formula=r"\bar x_{m i} = \bar y_{k_{m i}}",
    source="tf.dynamic_stitch",
    spelling=Spelling("", _tensorflow_stitch, "", ""),
)
def DynamicStitch(*values: Array) -> Array:
    """Rows put together from several tensors: the first half of the inputs are indices, the second half the data.

    Each index says where its row goes; the largest one decides how many rows there are. Of several rows for one place
    the last counts, yet all of them receive its gradient, as in TensorFlow; a place without a row is 0.
    """
    indices, data = _halves(values)
    rest = _stitched_rest(indices, data)
    largest = max(int(places.max(initial=-1)) for places in indices)
    count = check_room(max(largest + 1, 0), data[0], indices[0].ndim)
    whole = np.zeros((count, *rest), data[0].dtype)
    for places, rows in zip(indices, data, strict=True):
        whole[check_indices(places, count, "index")] = rows
    return whole


@DynamicStitch.gradient
def dynamic_stitch_gradient(g: Any, values: Any, y: Any) -> Any:
    indices, _ = _halves(values)
    return [*(None for _ in indices), *(Gather(g, places, axis=0) for places in indices)]


def _place_of_several(values: list[Array], y: Array) -> Observation:
    places, counts = np.unique(np.concatenate([part.ravel() for part in _halves(values)[0]]), return_counts=True)
    place = places[np.argmax(counts)]
    return Observation(
        "not_the_derivative",
        f"puts {counts.max()} rows at {place}, but each receives the gradient of the last one",
    )


@DynamicStitch.deviates(_place_of_several, "PyTorch and JAX have no such function.")
def dynamic_stitch_derivative(g: Array, values: list[Array], y: Array) -> list[Array | None]:
    """Returns the rule's gradients, but nothing for a row that a later one replaces."""
    indices, _ = _halves(values)
    stays = last_of_each(np.concatenate([places.ravel() for places in indices]))
    starts = np.cumsum([0, *(places.size for places in indices)])
    found = []
    for places, start in zip(indices, starts[:-1], strict=True):
        own = stays[start : start + places.size].reshape(places.shape)
        rows = g[places]
        found.append(np.where(own.reshape(own.shape + (1,) * (rows.ndim - own.ndim)), rows, 0))
    return [*(None for _ in indices), *found]
