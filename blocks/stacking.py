"""Tensors put together along a new axis, taken apart again, and spread over grids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from gradwire.blocks.reduce import ReduceSum
from gradwire.blocks.shape import Reshape
from gradwire.engine.base.errors import MissingInputError, ShapeError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, normalize_axis, spec_of
from gradwire.engine.blocktypes.block_type import ANY, block
from gradwire.engine.blocktypes.parameters import Axes, Axis, IntList
from gradwire.engine.blocktypes.spelling import Spelling, documented


def _stacked(*values: TensorSpec, axis: int) -> TensorSpec:
    if not values:
        raise MissingInputError("it needs at least one tensor to stack")
    for index, value in enumerate(values):
        if value.shape != values[0].shape:
            found, expected = list(value.shape), list(values[0].shape)
            raise ShapeError(f"values_{index} {found} and values_0 {expected} must have the same shape")
    place = normalize_axis(axis, values[0].ndim + 1)
    shape = values[0].shape
    return TensorSpec((*shape[:place], len(values), *shape[place:]), values[0].dtype)


@block(
    "Shape",
    infer=_stacked,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_k = x_k",
    gradient_formula=r"\bar x_k = \bar y_k",
    source="tf.stack",
    spelling=Spelling(
        "np.stack([{values}], axis={axis})",
        "tf.stack([{values}], axis={axis})",
        "torch.stack([{values}], dim={axis})",
        "jnp.stack([{values}], axis={axis})",
    ),
)
def Stack(*values: Array, axis: Axis = 0) -> Array:
    """Tensors of one shape side by side along a new axis."""
    return np.stack(values, axis=axis)


@Stack.gradient
def stack_gradient(g: Any, values: Any, y: Any, *, axis: int) -> Any:
    return list(Unstack(g, axis=axis))


def _unstacked(x: TensorSpec, *, axis: int) -> tuple[TensorSpec, ...]:
    place = normalize_axis(axis, x.ndim)
    return (TensorSpec(x.shape[:place] + x.shape[place + 1 :], x.dtype),) * x.shape[place]


@block(
    "Shape",
    infer=_unstacked,
    outputs=("y*",),
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_k = x_k",
    gradient_formula=r"\bar x_k = \bar y_k",
    source="tf.unstack",
    spelling=Spelling(
        "np.moveaxis({x}, {axis}, 0)",
        "tf.unstack({x}, axis={axis})",
        "torch.unbind({x}, dim={axis})",
        "jnp.moveaxis({x}, {axis}, 0)",
    ),
)
def Unstack(x: Array, *, axis: Axis = 0) -> tuple[Array, ...]:
    """The parts of a tensor along one axis, which is gone from them; there are as many outputs as it is long."""
    return tuple(np.moveaxis(x, axis, 0))


@Unstack.gradient
def unstack_gradient(g: Any, x: Any, y: Any, *, axis: int) -> Any:
    return Stack(*g, axis=axis) if g else None


def _squeezed_in(module: str) -> Callable[..., str]:
    """Returns a line; an empty list of axes means none of them everywhere but in TensorFlow."""

    @documented(f"{module}.squeeze({{x}}, {{axis}})")
    def write(x: str, axis: Axes, specs: Sequence[TensorSpec]) -> str:
        named = (axis,) if isinstance(axis, int) else axis
        if not named:
            return f"{module}.squeeze({x})"
        places = tuple(sorted({normalize_axis(item, specs[0].ndim) for item in named}))
        return f"{module}.squeeze({x}, {places[0] if len(places) == 1 else places})"

    return write


def _squeezed(x: TensorSpec, *, axis: Axes) -> TensorSpec:
    ones = {place for place, size in enumerate(x.shape) if size == 1}
    chosen = {normalize_axis(item, x.ndim) for item in ((axis,) if isinstance(axis, int) else axis or ())} or ones
    for place in sorted(chosen - ones):
        raise ShapeError(f"axis {place} has {x.shape[place]} elements; only an axis of size 1 can be left out")
    return TensorSpec(tuple(size for place, size in enumerate(x.shape) if place not in chosen), x.dtype)


@block(
    "Shape",
    infer=_squeezed,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y = \mathrm{reshape}(x)",
    gradient_formula=r"\bar x = \mathrm{reshape}(\bar y)",
    source="tf.squeeze",
    spelling=Spelling(*map(_squeezed_in, ("np", "tf", "torch", "jnp"))),
)
def Squeeze(x: Array, *, axis: Axes = None) -> Array:
    """The tensor without these axes of size 1; without a choice, or with an empty one, without all of them."""
    return x.reshape(_squeezed(spec_of(x), axis=axis).shape)


@Squeeze.gradient
def squeeze_gradient(g: Any, x: Any, y: Any, *, axis: Axes) -> Any:
    return Reshape(g, shape=x.shape)


Indexing = Literal["xy", "ij"]


def _places(count: int, indexing: Indexing) -> list[int]:
    """Returns the axis of the grid along which each tensor runs."""
    swapped = indexing == "xy" and count > 1
    return [1, 0, *range(2, count)] if swapped else list(range(count))


def _grids(*values: TensorSpec, indexing: Indexing) -> tuple[TensorSpec, ...]:
    if not values:
        raise MissingInputError("it needs at least one tensor to make a grid of")
    for index, value in enumerate(values):
        if value.ndim > 1:
            raise ShapeError(f"values_{index} has shape {list(value.shape)}; a grid is made of vectors and scalars")
    sizes = dict(zip(_places(len(values), indexing), (value.size for value in values), strict=True))
    shape = tuple(sizes[place] for place in range(len(values)))
    return tuple(TensorSpec(shape, value.dtype) for value in values)


@documented("jnp.meshgrid({values}, indexing={indexing})")
def _grids_in_jax(values: list[str], indexing: Indexing, specs: Sequence[TensorSpec]) -> str:
    """Returns a line for JAX, which makes no grids of scalars."""
    vectors = [text if spec.ndim else f"{text}.reshape(1)" for text, spec in zip(values, specs, strict=True)]
    return f"jnp.meshgrid({', '.join(vectors)}, indexing={indexing!r})"


@block(
    "Shape",
    infer=_grids,
    outputs=("y*",),
    accepts=ANY,
    formula=r"(y_k)_{i_0 i_1 \dots} = (x_k)_{i_k}",
    gradient_formula=r"\bar x_k = \textstyle\sum_{\text{other axes}} \bar y_k",
    source="tf.meshgrid",
    spelling=Spelling(
        "np.meshgrid({values}, indexing={indexing})",
        "tf.meshgrid({values}, indexing={indexing})",
        "torch.meshgrid({values}, indexing={indexing})",
        _grids_in_jax,
    ),
)
def Meshgrid(*values: Array, indexing: Indexing = "xy") -> tuple[Array, ...]:
    """The coordinates of a grid: each vector along an axis of its own, repeated along all others.

    With `indexing` xy the first vector runs along the second axis and the second along the first, as in pictures.
    """
    return tuple(np.meshgrid(*values, indexing=indexing))


@Meshgrid.gradient
def meshgrid_gradient(g: Any, values: Any, y: Any, *, indexing: Indexing) -> Any:
    parts = []
    for place, part, value in zip(_places(len(values), indexing), g, values, strict=True):
        others = tuple(axis for axis in range(len(values)) if axis != place)
        parts.append(Reshape(ReduceSum(part, axis=others), shape=value.shape))
    return parts


def repeated_axes(shape: Shape, multiples: tuple[int, ...]) -> Shape:
    """Returns the shape in which every axis is split into its repetitions and the elements that they repeat."""
    return tuple(size for pair in zip(multiples, shape, strict=True) for size in pair)


def _tiled(x: TensorSpec, *, multiples: tuple[int, ...]) -> TensorSpec:
    if len(multiples) != x.ndim or min(multiples, default=0) < 0:
        raise ShapeError(
            f"multiples {list(multiples)} must hold a number of at least 0 for each axis of {list(x.shape)}"
        )
    return TensorSpec(tuple(size * times for size, times in zip(x.shape, multiples, strict=True)), x.dtype)


@block(
    "Shape",
    infer=_tiled,
    accepts=ANY,
    formula=r"y_i = x_{i \bmod n}",
    gradient_formula=r"\bar x = \textstyle\sum_{\text{copies}} \bar y",
    source="tf.tile",
    spelling=Spelling(
        "np.tile({x}, {multiples})",
        "tf.tile({x}, {multiples})",
        "torch.tile({x}, {multiples})",
        "jnp.tile({x}, {multiples})",
    ),
)
def Tile(x: Array, *, multiples: IntList) -> Array:
    """The tensor repeated as a whole along each axis as often as `multiples` says."""
    return np.tile(x, multiples)


@Tile.gradient
def tile_gradient(g: Any, x: Any, y: Any, *, multiples: tuple[int, ...]) -> Any:
    copies = Reshape(g, shape=repeated_axes(x.shape, multiples))
    return ReduceSum(copies, axis=tuple(range(0, 2 * x.ndim, 2)))
