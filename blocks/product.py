"""The product along axes, and its derivative without division, so that zeros are exact."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.blocks.comparison import Where
from gradwire.blocks.reduce import ReduceSum, axes_of, keep_axes, reduced, reducing
from gradwire.blocks.shape import ExpandDims, Reshape, Transpose
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import NUMBER, block
from gradwire.engine.blocktypes.parameters import Axes
from gradwire.engine.blocktypes.primitives import BroadcastTo
from gradwire.engine.blocktypes.spelling import Spelling, call


def _product_in_torch(x: str, axis: Axes, keepdims: bool) -> str:
    """torch.prod({x}, dim={axis}, keepdim={keepdims})"""
    axis = axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis
    return (
        ""
        if isinstance(axis, tuple) or (axis is None and keepdims)
        else call("torch.prod", x, dim=axis, keepdim=keepdims)
    )


@block(
    "Reduce",
    infer=reduced,
    accepts=NUMBER,
    formula=r"y = \textstyle\prod x_i",
    gradient_formula=r"\bar x_i = \bar y \textstyle\prod_{j \ne i} x_j",
    spelling=Spelling(reducing("np.prod"), reducing("tf.reduce_prod"), _product_in_torch, reducing("jnp.prod")),
)
def ReduceProd(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The product along `axis`; the product of nothing is 1. The gradient multiplies the others, so zeros are exact.

    Second derivatives do so too. TensorFlow's divide by the elements, and lack terms where one is 0.
    """
    return np.prod(x, axis=axis, keepdims=keepdims, dtype=x.dtype)


@ReduceProd.gradient
def reduce_prod_gradient(g: Any, x: Any, y: Any, *, axis: Axes, keepdims: bool) -> Any:
    flat, order = _flat(x, axis)
    return keep_axes(g, x, axis, keepdims) * _unflat(ProductOfOthers(flat), x, order)


def _flat(x: Any, axis: Axes) -> tuple[Any, tuple[int, ...]]:
    """Returns `x` with the reduced axes as one last axis, and the order of its axes for that."""
    axes = axes_of(axis, x.ndim)
    order = (*(item for item in range(x.ndim) if item not in axes), *axes)
    kept = [x.shape[item] for item in range(x.ndim) if item not in axes]
    return Reshape(Transpose(x, perm=order), shape=(*kept, math.prod(x.shape[item] for item in axes))), order


def _unflat(flat: Any, x: Any, order: tuple[int, ...]) -> Any:
    shape = tuple(x.shape[item] for item in order)
    return Transpose(Reshape(flat, shape=shape), perm=tuple(order.index(item) for item in range(x.ndim)))


def _rows(x: TensorSpec) -> TensorSpec:
    if x.ndim == 0:
        raise ShapeError("a scalar has no axis with other elements")
    return x


@block(
    "Gradient parts",
    infer=_rows,
    accepts=NUMBER,
    formula=r"y_i = \textstyle\prod_{j \ne i} x_j",
    gradient_formula=r"\bar x_k = \textstyle\sum_{i \ne k} \bar y_i \textstyle\prod_{j \ne i, k} x_j",
)
def ProductOfOthers(x: Array) -> Array:
    """For each element of the last axis the product of all others: those before it times those after it."""
    ones = np.ones((*x.shape[:-1], 1), x.dtype)
    before = np.cumprod(np.concatenate([ones, x[..., :-1]], axis=-1), axis=-1, dtype=x.dtype)
    after = np.cumprod(np.concatenate([ones, x[..., :0:-1]], axis=-1), axis=-1, dtype=x.dtype)[..., ::-1]
    return before * after if x.shape[-1] else x


@ProductOfOthers.gradient
def product_of_others_gradient(g: Any, x: Any, y: Any) -> Any:
    """Returns the gradient by a matrix whose row i holds x with a 1 at i: the products of the others of that row leave
    out i and k.
    """
    size = x.shape[-1]
    is_own = np.eye(size, dtype=bool)
    rows = Where(is_own, 1, BroadcastTo(ExpandDims(x, axis=-2), shape=(*x.shape, size)))
    without_two = Where(is_own, 0, ProductOfOthers(rows))
    return ReduceSum(ExpandDims(g, axis=-1) * without_two, axis=-2)
