"""Distances of elements from their mean along axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.elementwise import MultiplyNoNan
from gradwire.blocks.powers import Reciprocal
from gradwire.blocks.reduce import ReduceVariance, in_torch, reduce_variance_gradient, reducing, reduction
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.parameters import Axes
from gradwire.engine.blocktypes.spelling import Spelling


@reduction(
    r"y = \sqrt{\tfrac1n \textstyle\sum (x_i - \mu)^2}",
    r"\bar x_i = \tfrac1n (x_i - \mu)\,\bar y / y",
    Spelling(reducing("np.std"), reducing("tf.math.reduce_std"), in_torch("std", correction=0), reducing("jnp.std"))
    .noted("of equal elements the gradient is 0, in Gradwire NaN unless the incoming gradient is 0", "torch")
    .noted("of equal elements the gradient is NaN, in Gradwire 0 if the incoming gradient is 0", "jax"),
)
def ReduceStd(x: Array, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The standard deviation along `axis`: the root of ReduceVariance, with n as divisor and not n - 1.

    Of equal elements it is 0, and their gradient is NaN, as in TensorFlow (0 in PyTorch), or 0 if the incoming gradient
    is 0; add a small number to ReduceVariance before a Sqrt to avoid it. The standard deviation of nothing is NaN.
    """
    return np.sqrt(ReduceVariance.function(x, axis=axis, keepdims=keepdims))


@ReduceStd.gradient
def reduce_std_gradient(g: Any, x: Any, y: Any, *, axis: Axes, keepdims: bool) -> Any:
    # As TensorFlow goes through the root: nothing arriving stays nothing there, even where the deviation is 0.
    of_variance = MultiplyNoNan(Reciprocal(y) * 0.5, g)
    return reduce_variance_gradient(of_variance, x, y, axis=axis, keepdims=keepdims)
