"""Powers of one tensor by another, and the reciprocal."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.comparison import Greater, Where
from blocks.elementwise import Log, MultiplyNoNan
from engine.block_type import NUMBER, block
from engine.cause import Cause
from engine.errors import ValueProblem
from engine.expression import Expression
from engine.spelling import Spelling
from engine.tensor_spec import Array


@block(
    "Elementwise",
    formula=r"y = 1 / x",
    gradient_formula=r"\bar x = -y^2\,\bar y",
    source="tf.raw_ops.ReciprocalGrad",
    spelling=Spelling("1 / {x}", "tf.math.reciprocal({x})", "torch.reciprocal({x})", "jnp.reciprocal({x})"),
)
def Reciprocal(x: Array) -> Array:
    """One divided by each element.

    At 0 the value is infinite and the gradient minus infinity. Where no gradient arrives the gradient is 0 even there
    (NaN in PyTorch and JAX), so a Where that avoids those elements is enough.
    """
    return np.reciprocal(x)


@Reciprocal.gradient
def reciprocal_gradient(g: Any, x: Any, y: Any) -> Any:
    return -MultiplyNoNan(y, MultiplyNoNan(y, g))


@block(
    "Elementwise",
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = x^y",
    gradient_formula=r"\bar x = y\,x^{y-1}\,\bar z,\quad \bar y = z\,(x > 0 \,?\, \ln x : 0)\,\bar z",
    source="tf.pow",
    vanishes=Cause.ZERO_FACTOR,
    is_penalty=True,
    spelling=Spelling("{x} ** {y}", "tf.pow({x}, {y})", "torch.pow({x}, {y})", "jnp.power({x}, {y})"),
)
def Pow(x: Array, y: Array) -> Array:
    """The power of x, the base, to y, the exponent; anything to the power of 0 is 1.

    A negative base gives NaN unless the exponent is whole. Where the base is not positive, the exponent gets a
    gradient of 0, or NaN if the power is infinite or NaN; at 0 to the power of 0 the base gets NaN. Integers wrap
    around, and cannot be taken to a negative power.
    """
    if y.dtype.kind == "i" and np.broadcast(x, y).size and np.any(y < 0):
        raise ValueProblem("an integer cannot be taken to a negative power; insert a Cast to floating point")
    return np.power(x, y)


@Pow.gradient
def pow_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    is_positive = Greater(x, 0)
    # Both choices are needed: without the inner one, the logarithm's own derivative at 0 would come back as NaN.
    log = Where(is_positive, Log(Where(is_positive, x, 1)), 0)
    return g * y * Pow(x, y - 1), g * z * log


Expression.operators |= {"power": Pow}
