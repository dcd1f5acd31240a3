"""The same elements in another arrangement: axes put in order, taken away and added."""

from __future__ import annotations

import math
from typing import Any

from gradwire.blocks.names.axes import counted_axis, is_whole
from gradwire.blocks.names.entry import named
from gradwire.blocks.names.promotion import Operand, Tensor, as_mask, as_tensor, cast
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library


def _apply(block: str, x: Tensor, **parameters: Any) -> Any:  # Any: a tensor of either kind
    return library[block](x, **parameters)


def _sizes(name: str, given: tuple[object, ...]) -> tuple[int, ...]:
    """Returns sizes or axes that are given one by one, or as one tuple."""
    items = given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given
    if not isinstance(items, list | tuple) or not all(is_whole(item) for item in items):
        raise CallError(f"{name} takes whole numbers, not {', '.join(map(str, given)) or 'nothing'}")
    return tuple(map(int, items))


_OF_RESHAPE = (
    "np.reshape(a, shape, order='C')",
    "jnp.reshape(a, shape, order='C')",
    "torch.reshape(input, shape)",
    "tf.reshape(tensor, shape)",
)


@named(
    "reshape",
    *_OF_RESHAPE,
    block="Reshape",
    methods=("Tensor.reshape(*shape)", "np.reshape|jnp.reshape(*shape, order='C')"),
)
def reshape(x: Operand, *shape: Any) -> Tensor:
    """The same elements in another shape; one size may be -1."""
    return _apply("Reshape", as_tensor(x), shape=_sizes("reshape", shape))


@named("view", block="Reshape", methods=("Tensor.view(*shape)",))
def view(x: Operand, *shape: Any) -> Tensor:
    """The same elements in another shape; one size may be -1."""
    return _apply("Reshape", as_tensor(x), shape=_sizes("view", shape))


@named("flatten", "torch.flatten(input, start_dim=0, end_dim=-1)", is_method=True)
def flatten(x: Operand, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """All axes as one, or those from `start_dim` to `end_dim`."""
    found = as_tensor(x)
    if not found.ndim:
        return _apply("Reshape", found, shape=(1,))
    first, last = (counted_axis(item, found.ndim, "flatten") for item in (start_dim, end_dim))
    merged = math.prod(found.shape[first : last + 1])
    return _apply("Reshape", found, shape=(*found.shape[:first], merged, *found.shape[last + 1 :]))


@named("ravel", "np.ravel|jnp.ravel(a, order='C')", "torch.ravel(input)", is_method=True)
def ravel(x: Operand) -> Tensor:
    """All elements along one axis."""
    return _apply("Reshape", as_tensor(x), shape=(-1,))


@named("unsqueeze", "torch.unsqueeze(input, dim)", block="ExpandDims", is_method=True)
def unsqueeze(x: Operand, axis: int) -> Tensor:
    """A new axis of size 1."""
    return _apply("ExpandDims", as_tensor(x), axis=axis)


@named("expand_dims", "np.expand_dims|jnp.expand_dims(a, axis)", "tf.expand_dims(input, axis)", block="ExpandDims")
def expand_dims(x: Operand, axis: int | tuple[int, ...]) -> Tensor:
    """New axes of size 1."""
    found = as_tensor(x)
    axes = axis if isinstance(axis, list | tuple) else (axis,)
    rank = found.ndim + len(axes)
    for place in sorted(counted_axis(item, rank, "expand_dims") for item in axes):
        found = _apply("ExpandDims", found, axis=place)
    return found


@named(
    "squeeze",
    "np.squeeze|jnp.squeeze(a, axis=None)",
    "tf.squeeze(input, axis=None)",
    block="Squeeze",
    is_method=True,
)
def squeeze(x: Operand, axis: Any = None) -> Tensor:
    """The tensor without axes of size 1, or without those that are given.

    Raises: CallError for an axis of another size, which PyTorch leaves and NumPy refuses.
    """
    found = as_tensor(x)
    if axis is None:
        return _apply("Squeeze", found)
    axes = tuple(
        counted_axis(item, found.ndim, "squeeze") for item in (axis if isinstance(axis, list | tuple) else (axis,))
    )
    for item in axes:
        if found.shape[item] != 1:
            raise CallError(f"squeeze: axis {item} has size {found.shape[item]}; only an axis of size 1 can go")
    return _apply("Squeeze", found, axis=axes)


@named("_squeeze", "torch.squeeze(input, dim=None)", block="Squeeze")
def squeeze_ones(x: Operand, axis: Any = None) -> Tensor:
    """The tensor without axes of size 1 among those that are given; others stay, as in PyTorch."""
    found = as_tensor(x)
    if axis is None:
        return squeeze(found)
    axes = [counted_axis(item, found.ndim, "squeeze") for item in (axis if isinstance(axis, list | tuple) else (axis,))]
    ones = tuple(item for item in axes if found.shape[item] == 1)
    return squeeze(found, ones) if ones else found


def _permuted(x: Tensor, order: tuple[int, ...]) -> Tensor:
    return x if order == tuple(range(x.ndim)) else _apply("Transpose", x, perm=order)


def _swapped(x: Tensor, one: int, other: int, name: str) -> Tensor:
    order = list(range(x.ndim))
    first, second = counted_axis(one, x.ndim, name), counted_axis(other, x.ndim, name)
    order[first], order[second] = order[second], order[first]
    return _permuted(x, tuple(order))


def _all_axes(x: Tensor, axes: tuple[int, ...], name: str) -> tuple[int, ...]:
    order = tuple(counted_axis(item, x.ndim, name) for item in axes)
    if sorted(order) != list(range(x.ndim)):
        raise CallError(f"{name}: {list(axes)} does not name each of the {x.ndim} axes once")
    return order


@named("t", "torch.t(input)", is_method=True)
def t(x: Operand) -> Tensor:
    """A matrix with its rows as columns; a vector as it is."""
    found = as_tensor(x)
    if found.ndim > 2:
        raise CallError(f"t takes at most 2 axes, not {found.ndim}; use transpose or permute")
    return found if found.ndim < 2 else _swapped(found, 0, 1, "t")


@named("transpose", is_method=True, block="Transpose")
def transpose(x: Operand, *axes: Any) -> Tensor:
    """All axes in the opposite order, two of them exchanged as in PyTorch, or in the order that is given."""
    found, given = as_tensor(x), axes[0] if len(axes) == 1 else axes
    if given is None or given == ():
        return _permuted(found, tuple(reversed(range(found.ndim))))
    if len(axes) == 2:
        return _swapped(found, *axes, name="transpose")
    return _permuted(found, _all_axes(found, _sizes("transpose", axes), "transpose"))


named(
    "swapaxes",
    "torch.transpose(input, dim0: one, dim1: other)",
    "np.swapaxes|jnp.swapaxes(a, axis1: one, axis2: other)",
    "torch.swapaxes(input, axis0: one, axis1: other)",
    block="Transpose",
    methods=("Tensor.transpose(dim0: one, dim1: other)",),
    is_method=True,
)(lambda x, one, other: _swapped(as_tensor(x), one, other, "swapaxes"))


@named(
    "permute",
    "torch.permute(input, dims)",
    "np.transpose|jnp.transpose(a, axes=None)",
    "tf.transpose(a, perm: axis=None)",
    block="Transpose",
    methods=("Tensor.permute(*dims)", "np.transpose|jnp.transpose(*axes)"),
)
def permute(x: Operand, *axis: Any) -> Tensor:
    """The axes in another order."""
    found = as_tensor(x)
    if not axis or axis == (None,):
        return _permuted(found, tuple(reversed(range(found.ndim))))
    return _permuted(found, _all_axes(found, _sizes("permute", axis), "permute"))


@named(
    "movedim",
    "torch.movedim|torch.moveaxis(input, source, destination)",
    "np.moveaxis|jnp.moveaxis(a, source, destination)",
    is_method=True,
)
def movedim(x: Operand, source: Any, destination: Any) -> Tensor:
    """Axes put to other places; the rest keep their order."""
    found = as_tensor(x)
    moved, places = (
        [counted_axis(item, found.ndim, "movedim") for item in (given if isinstance(given, list | tuple) else (given,))]
        for given in (source, destination)
    )
    order = [item for item in range(found.ndim) if item not in moved]
    for place, item in sorted(zip(places, moved, strict=True)):
        order.insert(place, item)
    return _permuted(found, tuple(order))


@named(
    "broadcast_to",
    "np.broadcast_to(array, shape)",
    "jnp.broadcast_to(arr: x, shape)",
    "torch.broadcast_to(input, size: shape)",
    "tf.broadcast_to(input, shape)",
    block="BroadcastTo",
)
def broadcast_to(x: Operand, *shape: Any) -> Tensor:
    """The tensor repeated along new axes and axes of size 1 until it has a shape."""
    return _apply("BroadcastTo", as_tensor(x), shape=_sizes("broadcast_to", shape))


@named("expand", block="BroadcastTo", methods=("Tensor.expand(*size: shape)",))
def expand(x: Operand, *shape: Any) -> Tensor:
    """The tensor repeated along axes of size 1; -1 stands for the size that an axis has."""
    found, sizes = as_tensor(x), _sizes("expand", shape)
    lead = len(sizes) - found.ndim
    whole = tuple(
        found.shape[index - lead] if size == -1 and index >= lead else size for index, size in enumerate(sizes)
    )
    return _apply("BroadcastTo", found, shape=whole)


@named(
    "flip",
    "np.flip|jnp.flip(m, axis=None)",
    "torch.flip(input, dims)",
    "tf.reverse(tensor, axis)",
    block="Reverse",
    methods=("Tensor.flip(*dims)",),
)
def flip(x: Operand, *axis: Any) -> Tensor:
    """The elements in the opposite order along axes."""
    found = as_tensor(x)
    axes = tuple(range(found.ndim)) if not axis or axis == (None,) else _sizes("flip", axis)
    return _apply("Reverse", found, axis=axes)


def _cast_method(name: str, dtype: str, *more: str) -> None:
    def to(x: Operand) -> Tensor:
        return cast(x, dtype)

    to.__doc__ = f"The tensor as {dtype}."
    named(name, *more, block="Cast", methods=(f"Tensor.{name}()",))(to)


for _name, _dtype in (
    ("double", "float64"),
    ("float", "float32"),
    ("half", "float16"),
    ("long", "int64"),
    ("int", "int32"),
):
    _cast_method(_name, _dtype)


@named(
    "astype",
    "tf.cast(x, dtype)",
    "np.astype|jnp.astype(x, dtype)",
    "keras.ops.cast(x, dtype)",
    block="Cast",
    methods=("np.astype|jnp.astype(dtype, copy=True)",),
    is_method=True,
)
def astype(x: Operand, dtype: object) -> Tensor:
    """The tensor in another dtype."""
    return cast(x, dtype)


@named("clone", "torch.clone(input)", methods=("Tensor.clone()",))
@named("contiguous", methods=("Tensor.contiguous()",))
def clone(x: Operand) -> Tensor:
    """The tensor itself: nothing is ever overwritten."""
    return as_tensor(x)


@named("numel", "torch.numel(input)", is_method=True)
def numel(x: Operand) -> int:
    """The number of elements, as a number of Python."""
    return math.prod(as_tensor(x).shape)


@named("bool", block="Cast", methods=("Tensor.bool()",))
def bool_(x: Operand) -> Tensor:
    """True where an element is not 0."""
    return as_mask(x)


@named("to", block="Cast", methods=("Tensor.to(dtype)", "Tensor.type(dtype)"))
def to(x: Operand, dtype: object) -> Tensor:
    """The tensor in another dtype, or in that of another tensor."""
    return cast(x, dtype.dtype if isinstance(dtype, Expression) else dtype)
