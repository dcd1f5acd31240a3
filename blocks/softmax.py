"""Softmax and its logarithm along one axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.elementwise import Exp
from gradwire.blocks.reduce import ReduceSum
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.parameters import Axis
from gradwire.engine.blocktypes.spelling import Spelling


def along_axis(x: TensorSpec, *, axis: int) -> TensorSpec:
    """Infers the spec of blocks that work along one axis and keep the shape.

    Raises: ShapeError if there is no such axis.
    """
    if x.ndim == 0:
        raise ShapeError("a scalar has no axis to work along")
    normalize_axis(axis, x.ndim)
    return x


def shifted(x: Array, axis: int) -> Array:
    """Returns the elements less the largest along the axis, so that no exponential overflows."""
    return x - np.max(x, axis=axis, keepdims=True, initial=-np.inf)


def log_softmax(x: Array, axis: int) -> Array:
    """Returns the logarithm of the softmax of an array, exact also where the softmax itself would round to 0."""
    z = shifted(x, axis)
    return z - np.log(np.sum(np.exp(z), axis=axis, keepdims=True, dtype=x.dtype))


@block(
    "Activations",
    infer=along_axis,
    formula=r"y_i = e^{x_i} / \textstyle\sum_j e^{x_j}",
    gradient_formula=r"\bar x = y\,(\bar y - \textstyle\sum_j \bar y_j y_j)",
    spelling=Spelling(
        "scipy.special.softmax({x}, axis={axis})",
        "tf.nn.softmax({x}, axis={axis})",
        "torch.softmax({x}, dim={axis})",
        "jax.nn.softmax({x}, axis={axis})",
    ),
    max_slope=0.25,
)
def Softmax(x: Array, *, axis: Axis = -1) -> Array:
    """Positive numbers that add up to 1 along `axis`. The maximum is subtracted first, so that nothing overflows.

    Plus infinity, and a row of nothing but minus infinity, give NaN.
    """
    e = np.exp(shifted(x, axis))
    return e / np.sum(e, axis=axis, keepdims=True, dtype=x.dtype)


@Softmax.gradient
def softmax_gradient(g: Any, x: Any, y: Any, *, axis: int) -> Any:
    return (g - ReduceSum(g * y, axis=axis, keepdims=True)) * y


@block(
    "Activations",
    infer=along_axis,
    formula=r"y_i = x_i - \ln \textstyle\sum_j e^{x_j}",
    gradient_formula=r"\bar x = \bar y - e^y \textstyle\sum_j \bar y_j",
    spelling=Spelling(
        "scipy.special.log_softmax({x}, axis={axis})",
        "tf.nn.log_softmax({x}, axis={axis})",
        "torch.log_softmax({x}, dim={axis})",
        "jax.nn.log_softmax({x}, axis={axis})",
    ),
    max_slope=1.0,
)
def LogSoftmax(x: Array, *, axis: Axis = -1) -> Array:
    """The logarithm of Softmax, exact also where the softmax would round to 0."""
    return log_softmax(x, axis)


@LogSoftmax.gradient
def log_softmax_gradient(g: Any, x: Any, y: Any, *, axis: int) -> Any:
    return g - ReduceSum(g, axis=axis, keepdims=True) * Exp(y)
