"""Block types that the engine itself builds with; the library offers them like any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.sums import added_up
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, broadcast_axes, spec_of
from gradwire.engine.blocktypes.block_type import ANY, NUMBER, Role, block
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.parameters import IntList, Tensor
from gradwire.engine.blocktypes.spelling import Spelling


@block(
    "Sources",
    differentiable="never",
    infer=lambda *, value: spec_of(value),
    role=Role.SOURCE,
    formula=r"y = \mathrm{value}",
    gradient_formula=r"\text{shown, and passed to nothing}",
    spelling=Spelling("{value}", "tf.constant({value})", "torch.tensor({value})", "jnp.array({value})"),
)
def Constant(*, value: Tensor) -> Array:
    """A fixed tensor. Its gradient is shown, but training never changes it."""
    return value


Expression.operators["constant"] = Constant


def _repeats_to(small: Shape, large: Shape) -> bool:
    """Returns whether a tensor of shape `small`, repeated along axes of size 1 and new ones, fills `large`."""
    pairs = zip(small[::-1], large[::-1], strict=False)
    return len(small) <= len(large) and min(large, default=0) >= 0 and all(size in (1, whole) for size, whole in pairs)


def _reduced_to(x: TensorSpec, *, shape: tuple[int, ...]) -> TensorSpec:
    if not _repeats_to(shape, x.shape):
        raise ShapeError(f"{list(x.shape)} cannot be summed down to {list(shape)}")
    return TensorSpec(shape, x.dtype)


def _summed(call: str, axes_name: str, keep_name: str) -> Callable[..., str]:
    """Returns a spelling that undoes broadcasting with a framework's sum and its argument names."""

    def write(x: str, shape: Shape, specs: Sequence[TensorSpec]) -> str:
        """sum of {x} over the axes that {shape} repeats"""
        whole = specs[0].shape
        axes = broadcast_axes(shape, whole)
        if len(axes) == len(whole) > 0 and not shape:
            return f"{call}({x})"
        if len(shape) == len(whole):
            return f"{call}({x}, {axes_name}={axes}, {keep_name}=True)" if axes else x
        summed = f"{call}({x}, {axes_name}={axes})"
        return summed if len(axes) == len(whole) - len(shape) else f"{call.split('.')[0]}.reshape({summed}, {shape})"

    return write


@block(
    "Gradient parts",
    infer=_reduced_to,
    accepts=NUMBER,
    sums_products=True,
    formula=r"y = \sum_{\text{repeated axes}} x",
    gradient_formula=r"\bar x = \mathrm{BroadcastTo}(\bar y)",
    spelling=Spelling(
        _summed("np.sum", "axis", "keepdims"),
        _summed("tf.reduce_sum", "axis", "keepdims"),
        _summed("torch.sum", "dim", "keepdim"),
        _summed("jnp.sum", "axis", "keepdims"),
    ),
)
def SumTo(x: Array, *, shape: IntList) -> Array:
    """The sum over the axes along which a tensor of this shape would be repeated: it undoes broadcasting."""
    axes = broadcast_axes(shape, x.shape)
    return added_up(x, axes).reshape(shape) if axes else x


@SumTo.gradient
def sum_to_gradient(g: Any, x: Any, y: Any, *, shape: tuple[int, ...]) -> Any:
    return BroadcastTo(g, shape=x.shape)


def _broadcast(x: TensorSpec, *, shape: tuple[int, ...]) -> TensorSpec:
    if not _repeats_to(x.shape, shape):
        raise ShapeError(f"{list(x.shape)} cannot be broadcast to {list(shape)}")
    return TensorSpec(shape, x.dtype)


@block(
    "Shape",
    infer=_broadcast,
    accepts=ANY,
    only_moves_data=True,
    formula=r"y_{i j} = x_j",
    gradient_formula=r"\bar x = \sum_{\text{repeated axes}} \bar y",
    spelling=Spelling(
        "np.broadcast_to({x}, {shape})",
        "tf.broadcast_to({x}, {shape})",
        "torch.broadcast_to({x}, {shape})",
        "jnp.broadcast_to({x}, {shape})",
    ),
)
def BroadcastTo(x: Array, *, shape: IntList) -> Array:
    """The tensor repeated along new axes and axes of size 1 until it has this shape."""
    return np.broadcast_to(x, shape)


@BroadcastTo.gradient
def broadcast_to_gradient(g: Any, x: Any, y: Any, *, shape: tuple[int, ...]) -> Any:
    return SumTo(g, shape=x.shape)


@block(
    "Control",
    accepts=ANY,
    only_moves_data=True,
    formula=r"y = x",
    gradient_formula=r"\bar x = \bar y",
    spelling=Spelling("{x}", "tf.identity({x})", "{x}", "{x}"),
)
def Identity(x: Array) -> Array:
    """The input, unchanged; its gradient passes unchanged too."""
    return x


@Identity.gradient
def identity_gradient(g: Any, x: Any, y: Any) -> Any:
    return g
