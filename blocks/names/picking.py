"""Elements chosen by masks, by places and by size."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.names.axes import counted_axis
from gradwire.blocks.names.entry import named
from gradwire.blocks.names.places import counted_places
from gradwire.blocks.names.promotion import Operand, Tensor, as_mask, as_tensor, cast, is_number, together
from gradwire.blocks.names.reductions import sum_
from gradwire.engine.base.errors import CallError
from gradwire.engine.base.tensor_spec import broadcast_shapes
from gradwire.engine.blocktypes.library import library


@named(
    "where",
    "np.where(condition, x: x, y: y)",
    "torch.where(condition, input, other)",
    "tf.where|jnp.where(condition, x, y)",
    block="Where",
)
def where(condition: Operand, x: Operand, y: Operand) -> Tensor:
    """Elements of `x` where the condition is true, of `y` elsewhere."""
    found: Tensor = library["Where"](as_mask(condition), *together(x, y))
    return found


@named(
    "maximum",
    "np.maximum(x1, x2, out=None)",
    "torch.maximum(input, other)",
    "tf.maximum|jnp.maximum(x, y)",
    block="Maximum",
    is_method=True,
)
def maximum(x: Operand, y: Operand) -> Tensor:
    """The larger of two elements; of equal ones the first receives the gradient."""
    return _extreme("Maximum", "LogicalOr", x, y)


@named(
    "minimum",
    "np.minimum(x1, x2, out=None)",
    "torch.minimum(input, other)",
    "tf.minimum|jnp.minimum(x, y)",
    block="Minimum",
    is_method=True,
)
def minimum(x: Operand, y: Operand) -> Tensor:
    """The smaller of two elements; of equal ones the first receives the gradient."""
    return _extreme("Minimum", "LogicalAnd", x, y)


def _extreme(block: str, of_masks: str, x: Operand, y: Operand) -> Tensor:
    one, other = together(x, y)
    found: Tensor = library[of_masks if one.dtype.kind == "b" else block](one, other)
    return found


@named("masked_fill", "torch.masked_fill(input, mask, value: y)", block="Where", is_method=True)
def masked_fill(x: Operand, mask: Operand, y: Operand) -> Tensor:
    """The tensor with a value where a mask is true."""
    found = as_tensor(x)
    fill = np.asarray(y, found.dtype) if is_number(y) else cast(y, found.dtype)
    result: Tensor = library["Where"](as_mask(mask), fill, found)
    return result


@named("gather", "torch.gather(input, dim, index: places, *, sparse_grad=False)", is_method=True)
def gather(x: Operand, axis: int, places: Operand = None) -> Tensor:
    """The elements at `places` along an axis, one place for each element of the result, as in PyTorch."""
    if not isinstance(axis, int) or places is None:
        raise CallError("gather takes an axis and then the places, as in PyTorch: gather(x, 1, places)")
    found, index = as_tensor(x), as_tensor(places)
    along = counted_axis(axis, found.ndim, "gather")
    if index.ndim != found.ndim or any(
        size > whole
        for number, (size, whole) in enumerate(zip(index.shape, found.shape, strict=True))
        if number != along
    ):
        raise CallError(f"gather: places {list(index.shape)} must have the axes of x {list(found.shape)}, none larger")
    kept = tuple(
        whole if number == along else size
        for number, (size, whole) in enumerate(zip(index.shape, found.shape, strict=True))
    )
    part = found if kept == found.shape else library["Slice"](found, begin=(0,) * found.ndim, size=kept)
    return _along(part, index, along)


@named(
    "take_along_axis",
    "np.take_along_axis|jnp.take_along_axis(arr, indices: places, axis=-1)",
    "torch.take_along_dim(input, indices: places, dim=None)",
)
def take_along_axis(x: Operand, places: Operand, axis: int | None = -1) -> Tensor:
    """The elements at `places` along an axis; other axes broadcast."""
    found, index = as_tensor(x), as_tensor(places)
    if axis is None:
        return _along(library["Reshape"](found, shape=(-1,)), library["Reshape"](index, shape=(-1,)), 0)
    along = counted_axis(axis, found.ndim, "take_along_axis")
    if index.ndim != found.ndim:
        raise CallError(f"take_along_axis: places have {index.ndim} axes, but x has {found.ndim}")
    lead = list(broadcast_shapes(tuple(np.delete(item.shape, along)) for item in (found, index)))
    shapes = [tuple(map(int, np.insert(lead, along, item.shape[along]))) for item in (found, index)]
    wide = [
        item if item.shape == shape else library["BroadcastTo"](item, shape=shape)
        for item, shape in zip((found, index), shapes, strict=True)
    ]
    return _along(wide[0], wide[1], along)


def _along(x: Tensor, places: Tensor, axis: int) -> Tensor:
    """Returns elements of `x` at places along an axis; all other axes have the same sizes."""
    last, rank = axis == x.ndim - 1, x.ndim
    order = [*(item for item in range(rank) if item != axis), axis]
    sorted_x, index = (item if last else library["Transpose"](item, perm=order) for item in (x, places))
    counted = counted_places(index, x.shape[axis])
    found: Tensor = library["Gather"](sorted_x, counted, axis=rank - 1, batch_dims=rank - 1)
    return found if last else library["Transpose"](found, perm=np.argsort(order).tolist())


@named("take", "np.take|jnp.take(a, indices: places, axis=None)", "keras.ops.take(x, indices: places, axis=None)")
def take(x: Operand, places: Operand, axis: int | None = None) -> Tensor:
    """The slices at `places` along an axis; without one, the elements in order."""
    found = as_tensor(x)
    if axis is None:
        found, axis = library["Reshape"](found, shape=(-1,)), 0
    along = counted_axis(axis, found.ndim, "take")
    result: Tensor = library["Gather"](found, counted_places(as_tensor(places), found.shape[along]), axis=along)
    return result


@named("index_select", "torch.index_select(input, dim, index: places)", is_method=True)
def index_select(x: Operand, axis: int, places: Operand) -> Tensor:
    """The slices at `places` along an axis."""
    return take(x, places, axis)


@named(
    "one_hot",
    "torch.nn.functional.one_hot(tensor, num_classes=-1)",
    "jax.nn.one_hot(x, num_classes, *, dtype='float64', axis=-1)",
    "tf.one_hot(indices: x, depth: num_classes, on_value=1.0, off_value=0.0, axis=-1, dtype='float32')",
    "keras.ops.one_hot(x, num_classes, axis=-1, dtype='float32')",
    block="OneHot",
)
def one_hot(x: Operand, num_classes: int, axis: int = -1, dtype: object = "int64") -> Tensor:
    """For each class number a vector with a 1 at its place; integers, as in PyTorch, or another dtype."""
    if not isinstance(num_classes, int) or num_classes < 1:
        raise CallError("one_hot needs the number of classes: one_hot(x, 10)")
    found: Tensor = library["OneHot"](as_tensor(x), depth=num_classes, axis=axis, dtype=np.dtype(dtype).name)  # type: ignore[call-overload]
    return found


@named("tril", "np.tril|jnp.tril(m, k=0)", "torch.tril(input, diagonal: k=0)", is_method=True)
def tril(x: Operand, k: int = 0) -> Tensor:
    """Matrices with zeros above their `k`-th diagonal."""
    return _band(x, k, is_lower=True)


@named("triu", "np.triu|jnp.triu(m, k=0)", "torch.triu(input, diagonal: k=0)", is_method=True)
def triu(x: Operand, k: int = 0) -> Tensor:
    """Matrices with zeros below their `k`-th diagonal."""
    return _band(x, k, is_lower=False)


def _band(x: Operand, k: int, *, is_lower: bool) -> Tensor:
    found = as_tensor(x)
    if found.ndim < 2:
        raise CallError(f"tril and triu take matrices, not a tensor of {found.ndim} axes")
    rows, columns = np.arange(found.shape[-2])[:, None], np.arange(found.shape[-1])
    mask = columns - rows <= k if is_lower else columns - rows >= k
    result: Tensor = library["Where"](mask, found, np.zeros((), found.dtype))
    return result


@named(
    "diagonal",
    "np.diagonal|jnp.diagonal(a, offset=0, axis1=0, axis2=1)",
    "torch.diagonal(input, offset=0, dim1: axis1=0, dim2: axis2=1)",
    block="MatrixDiagPart",
    is_method=True,
)
def diagonal(x: Operand, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of two axes, as the last axis of the result."""
    found = as_tensor(x)
    if found.ndim < 2:
        raise CallError(f"diagonal takes matrices, not a tensor of {found.ndim} axes")
    first, second = (counted_axis(item, found.ndim, "diagonal") for item in (axis1, axis2))
    if first == second:
        raise CallError("diagonal takes two different axes")
    order = [*(item for item in range(found.ndim) if item not in (first, second)), first, second]
    turned = found if order == sorted(order) else library["Transpose"](found, perm=order)
    result: Tensor = library["MatrixDiagPart"](turned, k=offset)
    return result


@named("trace", "np.trace|jnp.trace(a, offset=0, axis1=0, axis2=1)", "torch.trace(input)", is_method=True)
def trace(x: Operand, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The sum of the diagonal."""
    return sum_(diagonal(x, offset, axis1, axis2), -1)


@named("msort", "torch.msort(input)", block="Sort", is_method=True)
def msort(x: Operand) -> Tensor:
    """The elements in ascending order along the first axis."""
    return sort_values(x, 0)


@named("_sort", "np.sort|jnp.sort(a, axis=-1)", "tf.sort(values, axis=-1, direction='ASCENDING')", block="Sort")
def sort_values(x: Operand, axis: int | None = -1, direction: str = "ASCENDING") -> Tensor:
    """The elements in order along an axis."""
    found = as_tensor(x)
    numbers = library["Reshape"](found, shape=(-1,)) if axis is None else found
    result: Tensor = library["Sort"](numbers, axis=-1 if axis is None else axis, direction=direction)
    return result


@named(
    "argsort",
    "np.argsort|jnp.argsort(a, axis=-1)",
    "torch.argsort(input, dim=-1, descending=False, stable=False)",
    "tf.argsort(values, axis=-1)",
    block="ArgSort",
    is_method=True,
)
def argsort(x: Operand, axis: int = -1, descending: bool = False) -> Tensor:
    """The places of the elements in ascending order along an axis, as int64."""
    how: Any = "DESCENDING" if descending else "ASCENDING"
    return cast(library["ArgSort"](as_tensor(x), axis=axis, direction=how), np.int64)


@named("diff", "np.diff|jnp.diff(a, n=1, axis=-1)", "torch.diff(input, n=1, dim=-1)", is_method=True)
def diff(x: Operand, n: int = 1, axis: int = -1) -> Tensor:
    """The difference of neighbours along an axis, `n` times."""
    found = as_tensor(x)
    along = counted_axis(axis, found.ndim, "diff")
    for _ in range(n):
        begin = [int(item == along) for item in range(found.ndim)]
        size = [length - (item == along) for item, length in enumerate(found.shape)]
        later = library["Slice"](found, begin=begin, size=size)
        found = library["Subtract"](later, library["Slice"](found, begin=[0] * found.ndim, size=size))
    return found
