"""Derivatives of each element by each other: Jacobians and Hessians, as values to build on.

Each of their rows is a backward pass of its own: for large tensors, ask for products with Gradients instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gradwire.blocks.filled import Zeros
from gradwire.blocks.shape import Reshape
from gradwire.blocks.stacking import Stack
from gradwire.engine.base.errors import ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import FLOAT, Dtypes, Role, block
from gradwire.engine.blocktypes.parameters import PortNames

_ACCEPTS = {"y": FLOAT, "xs": Dtypes("floating point", "f", shared=False)}
_SECOND = r"\text{higher derivatives, shown as inner parts of the ports that were read}"
_NO_ARRAYS = "it needs expressions: arrays do not know how they were computed"


def _by_all(y: TensorSpec, *xs: TensorSpec, stop_gradients: tuple[str, ...]) -> tuple[TensorSpec, ...]:
    return tuple(TensorSpec(y.shape + x.shape, x.dtype) for x in xs)


@block(
    "Control",
    infer=_by_all,
    outputs=("j*",),
    accepts=_ACCEPTS,
    role=Role.GRADIENTS,
    formula=r"(j_i)_{k l} = \partial y_k / \partial (x_i)_l",
    gradient_formula=_SECOND,
    source="tf.GradientTape.jacobian with unconnected_gradients=ZERO",
)
def Jacobian(y: Array, *xs: Array, stop_gradients: PortNames = ()) -> tuple[Array, ...]:
    """The derivative of each element of y by each element of the tensors: the shape of y, then that of the tensor.

    A tensor on which y does not depend gives zeros. `stop_gradients` lists ports of the same page that count as
    constants for this block only. It walks back once for each element of y.

    Also known as derivative matrix, jacrev, sensitivities.
    """
    raise ValueProblem(_NO_ARRAYS)


@Jacobian.differentiates(passes=lambda y, *_: y.size)
def jacobian_parts(walk: Any, y: Any, xs: Any) -> list[Any]:
    return _stacked(([*map(walk(y, seed), xs)] for seed in _one_by_one(y)), 0, [y.shape + x.shape for x in xs], xs)


def _by_all_of_the_example(y: TensorSpec, *xs: TensorSpec, stop_gradients: tuple[str, ...]) -> tuple[TensorSpec, ...]:
    for place, x in enumerate(xs):
        if not y.ndim or not x.ndim or y.shape[0] != x.shape[0]:
            raise ShapeError(
                f"y {list(y.shape)} and xs_{place} {list(x.shape)} must have the same first axis: "
                "the examples of a batch"
            )
    return tuple(TensorSpec(y.shape + x.shape[1:], x.dtype) for x in xs)


@block(
    "Control",
    infer=_by_all_of_the_example,
    outputs=("j*",),
    accepts=_ACCEPTS,
    role=Role.GRADIENTS,
    formula=r"(j_i)_{b k l} = \partial y_{b k} / \partial (x_i)_{b l}",
    gradient_formula=_SECOND,
    source="tf.GradientTape.batch_jacobian with unconnected_gradients=ZERO",
)
def BatchJacobian(y: Array, *xs: Array, stop_gradients: PortNames = ()) -> tuple[Array, ...]:
    """The Jacobian of each example of a batch, along the first axis: y of an example by the tensors of that example.

    It is right only where the examples do not depend on each other, and walks back once for each element of an
    example's y. `stop_gradients` lists ports of the same page that count as constants for this block only.

    Also known as per-example derivative, vmap of jacrev.
    """
    raise ValueProblem(_NO_ARRAYS)


@BatchJacobian.differentiates(passes=lambda y, *_: y.size // max(1, y.shape[0]))
def batch_jacobian_parts(walk: Any, y: Any, xs: Any) -> list[Any]:
    example = np.zeros(y.shape[1:], y.dtype)
    seeds = (np.broadcast_to(seed, y.shape) for seed in _one_by_one(example))
    return _stacked(([*map(walk(y, seed), xs)] for seed in seeds), 1, [y.shape + x.shape[1:] for x in xs], xs)


def _by_itself_twice(y: TensorSpec, *xs: TensorSpec, stop_gradients: tuple[str, ...]) -> tuple[TensorSpec, ...]:
    return tuple(TensorSpec(x.shape + x.shape, x.dtype) for x in xs)


@block(
    "Control",
    infer=_by_itself_twice,
    outputs=("h*",),
    accepts=_ACCEPTS,
    role=Role.GRADIENTS,
    formula=r"(h_i)_{k l} = \partial^2 \textstyle\sum y / \partial (x_i)_k\, \partial (x_i)_l",
    gradient_formula=_SECOND,
    source="tf.hessians",
)
def Hessian(y: Array, *xs: Array, stop_gradients: PortNames = ()) -> tuple[Array, ...]:
    """The second derivatives of the sum of y by the elements of each tensor: the shape of the tensor, twice.

    A tensor on which y does not depend gives zeros. `stop_gradients` lists ports of the same page that count as
    constants for this block only. It walks back once for each element of the tensors.

    Also known as hessians, curvature, second derivatives.
    """
    raise ValueProblem(_NO_ARRAYS)


@Hessian.differentiates(passes=lambda _, *xs: 1 + sum(x.size for x in xs))
def hessian_parts(walk: Any, y: Any, xs: Any) -> list[Any]:
    slopes = walk(y, np.broadcast_to(np.ones((), y.dtype), y.shape))
    found: list[Any] = []
    for x in xs:
        slope = slopes(x)
        rows = [] if slope is None else ([walk(slope, seed)(x)] for seed in _one_by_one(x))
        found += [None] if slope is None else _stacked(rows, 0, [x.shape + x.shape], [x])
    return found


def _one_by_one(like: Any) -> Iterable[Array]:
    """Yields arrays of zeros with a one at each place in turn."""
    for place in range(int(np.prod(like.shape))):
        seed = np.zeros(like.shape, like.dtype)
        seed.flat[place] = 1
        yield seed


def _stacked(rows: Iterable[list[Any]], axis: int, shapes: list[Shape], xs: Any) -> list[Any]:
    """Returns for each tensor its rows side by side, None if one is unknown."""
    columns = list(zip(*rows, strict=True))
    if not columns:
        return [Zeros(shape=shape, dtype=x.dtype.name) for shape, x in zip(shapes, xs, strict=True)]
    return [
        None if any(item is None for item in column) else Reshape(Stack(*column, axis=axis), shape=shape)
        for column, shape in zip(columns, shapes, strict=True)
    ]
