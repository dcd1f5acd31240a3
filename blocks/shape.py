"""Blocks that arrange elements without changing them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.errors import MissingInputError, ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import ANY, block
from gradwire.engine.blocktypes.parameters import Axis, IntList, Sizes
from gradwire.engine.blocktypes.spelling import Spelling, documented


def _reshaped(x: TensorSpec, *, shape: tuple[int, ...]) -> TensorSpec:
    if shape.count(-1) > 1 or any(size < -1 for size in shape):
        raise ParameterError(f"shape {list(shape)} may hold -1 once and otherwise sizes of at least 0")
    known = math.prod(size for size in shape if size != -1)
    if -1 in shape:
        if known == 0 or x.size % known:
            raise ShapeError(f"{x.size} elements cannot be arranged as {list(shape)}")
        shape = tuple(x.size // known if size == -1 else size for size in shape)
    elif known != x.size:
        raise ShapeError(f"{x.size} elements cannot be arranged as {list(shape)}, which holds {known}")
    return TensorSpec(shape, x.dtype)


@block(
    "Shape",
    infer=_reshaped,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y = \mathrm{reshape}(x)",
    gradient_formula=r"\bar x = \mathrm{reshape}(\bar y)",
    spelling=Spelling(
        "np.reshape({x}, {shape})",
        "tf.reshape({x}, {shape})",
        "torch.reshape({x}, {shape})",
        "jnp.reshape({x}, {shape})",
    ),
)
def Reshape(x: Array, *, shape: IntList) -> Array:
    """The same elements in another shape, the last axis fastest; one size may be -1 and is worked out.

    Also known as view and flatten.
    """
    return x.reshape(shape)


@Reshape.gradient
def reshape_gradient(g: Any, x: Any, y: Any, *, shape: tuple[int, ...]) -> Any:
    return Reshape(g, shape=x.shape)


def _permutation(perm: tuple[int, ...] | None, ndim: int) -> tuple[int, ...]:
    if perm is None:
        return tuple(reversed(range(ndim)))
    order = tuple(normalize_axis(axis, ndim) for axis in perm)
    if sorted(order) != list(range(ndim)):
        raise ShapeError(f"perm {list(perm)} must name each of the {ndim} axes once")
    return order


def _transposed(x: TensorSpec, *, perm: tuple[int, ...] | None) -> TensorSpec:
    return TensorSpec(tuple(x.shape[axis] for axis in _permutation(perm, x.ndim)), x.dtype)


def _permuted(x: str, perm: tuple[int, ...] | None, specs: Sequence[TensorSpec]) -> str:
    """torch.permute({x}, {perm})"""
    return f"torch.permute({x}, {perm or tuple(reversed(range(specs[0].ndim)))})"


@documented("tf.transpose({x}, {perm})")
def _transposed_in_tensorflow(x: str, perm: tuple[int, ...] | None) -> str:
    """Returns TensorFlow's line, whose gradient takes no axes from the end."""
    return f"tf.transpose({x}, {perm and tuple(axis % len(perm) for axis in perm)})"


@block(
    "Shape",
    infer=_transposed,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y = x^{\top}",
    gradient_formula=r"\bar x = \bar y^{\top}",
    spelling=Spelling(
        "np.transpose({x}, {perm})",
        _transposed_in_tensorflow,
        _permuted,
        "jnp.transpose({x}, {perm})",
    ),
)
def Transpose(x: Array, *, perm: IntList | None = None) -> Array:
    """The axes in another order; without `perm` they are reversed."""
    return x.transpose(_permutation(perm, x.ndim))


@Transpose.gradient
def transpose_gradient(g: Any, x: Any, y: Any, *, perm: tuple[int, ...] | None) -> Any:
    order = _permutation(perm, x.ndim)
    return Transpose(g, perm=tuple(order.index(axis) for axis in range(x.ndim)))


def _expanded(x: TensorSpec, *, axis: int) -> TensorSpec:
    place = normalize_axis(axis, x.ndim + 1)
    return TensorSpec((*x.shape[:place], 1, *x.shape[place:]), x.dtype)


@block(
    "Shape",
    infer=_expanded,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_{i 0 j} = x_{i j}",
    gradient_formula=r"\bar x = \mathrm{reshape}(\bar y)",
    spelling=Spelling(
        "np.expand_dims({x}, {axis})",
        "tf.expand_dims({x}, {axis})",
        "torch.unsqueeze({x}, {axis})",
        "jnp.expand_dims({x}, {axis})",
    ),
)
def ExpandDims(x: Array, *, axis: Axis) -> Array:
    """The same elements with a new axis of size 1 before `axis`; -1 puts it last."""
    return np.expand_dims(x, axis)


@ExpandDims.gradient
def expand_dims_gradient(g: Any, x: Any, y: Any, *, axis: int) -> Any:
    return Reshape(g, shape=x.shape)


def _reversed_axes(x: TensorSpec, *, axis: tuple[int, ...]) -> TensorSpec:
    axes = [normalize_axis(item, x.ndim) for item in axis]
    if len(set(axes)) < len(axes):
        raise ShapeError(f"axis {list(axis)} names the same axis twice")
    return x


@block(
    "Shape",
    infer=_reversed_axes,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_i = x_{n - 1 - i}",
    gradient_formula=r"\bar x = \mathrm{Reverse}(\bar y)",
    spelling=Spelling(
        "np.flip({x}, {axis})", "tf.reverse({x}, {axis})", "torch.flip({x}, {axis})", "jnp.flip({x}, {axis})"
    ),
)
def Reverse(x: Array, *, axis: IntList) -> Array:
    """The elements in opposite order along each of the axes."""
    return np.flip(x, axis)


@Reverse.gradient
def reverse_gradient(g: Any, x: Any, y: Any, *, axis: tuple[int, ...]) -> Any:
    return Reverse(g, axis=axis)


def _joined(*values: TensorSpec, axis: int) -> TensorSpec:
    if not values:
        raise MissingInputError("it needs at least one tensor to join")
    first = values[0]
    if first.ndim == 0:
        raise ShapeError("scalars cannot be joined; expand them to vectors first")
    place = normalize_axis(axis, first.ndim)
    for index, value in enumerate(values):
        others = (value.shape[:place], value.shape[place + 1 :])
        if value.ndim != first.ndim or others != (first.shape[:place], first.shape[place + 1 :]):
            found, expected = list(value.shape), list(first.shape)
            raise ShapeError(f"values_{index} {found} and values_0 {expected} may differ only along axis {place}")
    size = sum(value.shape[place] for value in values)
    return TensorSpec((*first.shape[:place], size, *first.shape[place + 1 :]), first.dtype)


@block(
    "Shape",
    infer=_joined,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y = (x_0, x_1, \dots)",
    gradient_formula=r"\bar x_i = \text{the part of } \bar y \text{ that came from } x_i",
    spelling=Spelling(
        "np.concatenate([{values}], axis={axis})",
        "tf.concat([{values}], axis={axis})",
        "torch.cat([{values}], dim={axis})",
        "jnp.concatenate([{values}], axis={axis})",
    ),
)
def Concat(*values: Array, axis: Axis) -> Array:
    """Tensors one after another along an axis; all other sizes must agree."""
    return np.concatenate(values, axis=axis)


@Concat.gradient
def concat_gradient(g: Any, values: Any, y: Any, *, axis: int) -> Any:
    sizes = tuple(value.shape[axis] for value in values)
    return list(Split(g, num_or_size_splits=sizes, axis=axis))


def _split_sizes(total: int, splits: int | tuple[int, ...]) -> tuple[int, ...]:
    """Returns the sizes of the parts: `splits` equal ones, or as listed, where one may be -1 for the rest."""
    if isinstance(splits, int):
        if splits < 1:
            raise ParameterError(f"num_or_size_splits must be at least 1, not {splits}")
        if total % splits:
            raise ShapeError(f"{total} elements cannot be split into {splits} equal parts")
        return (total // splits,) * splits
    if splits.count(-1) > 1 or any(size < -1 for size in splits):
        raise ParameterError(f"num_or_size_splits {list(splits)} may hold -1 once and otherwise sizes of at least 0")
    known = sum(size for size in splits if size != -1)
    sizes = tuple(total - known if size == -1 else size for size in splits)
    if sum(sizes) != total or min(sizes, default=0) < 0:
        raise ShapeError(f"parts of sizes {list(splits)} do not add up to {total}")
    return sizes


def _parts(x: TensorSpec, *, num_or_size_splits: int | tuple[int, ...], axis: int) -> tuple[TensorSpec, ...]:
    place = normalize_axis(axis, x.ndim)
    sizes = _split_sizes(x.shape[place], num_or_size_splits)
    return tuple(TensorSpec((*x.shape[:place], size, *x.shape[place + 1 :]), x.dtype) for size in sizes)


def _split_at(function: str) -> Callable[..., str]:
    """Spells Split where the places of the cuts are asked for, not the sizes of the parts."""

    @documented(f"{function}({{x}}, {{num_or_size_splits}}, axis={{axis}})")
    def write(x: str, num_or_size_splits: int | tuple[int, ...], axis: int) -> str:
        if isinstance(num_or_size_splits, int):
            return f"{function}({x}, {num_or_size_splits}, axis={axis})"
        return f"{function}({x}, {list(itertools.accumulate(num_or_size_splits[:-1]))}, axis={axis})"

    return write


def _split_in_torch(x: str, num_or_size_splits: int | tuple[int, ...], axis: int) -> str:
    """torch.split({x}, {num_or_size_splits}, dim={axis})"""
    function = "tensor_split" if isinstance(num_or_size_splits, int) else "split"
    return f"torch.{function}({x}, {num_or_size_splits}, dim={axis})"


@block(
    "Shape",
    infer=_parts,
    outputs=("y*",),
    accepts=ANY,
    only_moves_data=True,
    formula=r"(y_0, y_1, \dots) = x",
    gradient_formula=r"\bar x = (\bar y_0, \bar y_1, \dots)",
    spelling=Spelling(
        _split_at("np.split"),
        "tf.split({x}, {num_or_size_splits}, axis={axis})",
        _split_in_torch,
        _split_at("jnp.split"),
    ),
)
def Split(x: Array, *, num_or_size_splits: Sizes, axis: Axis = 0) -> tuple[Array, ...]:
    """The parts of a tensor along an axis: a number of equal ones, or a list of sizes, where one may be -1.

    An output that nothing uses counts as a gradient of zero.

    Also known as chunk.
    """
    sizes = _split_sizes(x.shape[axis], num_or_size_splits)
    return tuple(np.split(x, np.cumsum(sizes)[:-1], axis=axis)) if sizes else ()


@Split.gradient
def split_gradient(g: Any, x: Any, y: Any, *, num_or_size_splits: int | tuple[int, ...], axis: int) -> Any:
    return Concat(*g, axis=axis) if g else None
