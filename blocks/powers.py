"""Powers of one tensor by another, the reciprocal, and the cube root."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.blocks.comparison import Greater, Where
from gradwire.blocks.elementwise import Log, MultiplyNoNan
from gradwire.engine.base.errors import ValueProblem
from gradwire.engine.base.tensor_spec import Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import NUMBER, block
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.spelling import Spelling, documented
from gradwire.engine.executors.recordable import holds


@block(
    "Elementwise",
    formula=r"y = 1 / x",
    gradient_formula=r"\bar x = -y^2\,\bar y",
    source="tf.raw_ops.ReciprocalGrad",
    spelling=Spelling("1 / {x}", "tf.math.reciprocal({x})", "torch.reciprocal({x})", "jnp.reciprocal({x})").noted(
        "at 0 with an incoming gradient of 0, NaN and not 0 as in Gradwire", "torch", "jax"
    ),
    is_arithmetic=True,
)
def Reciprocal(x: Array) -> Array:
    """One divided by each element.

    At 0 the value is infinite and the gradient minus infinity. Where the incoming gradient is 0 the gradient is 0 even
    there (NaN in PyTorch and JAX), so a Where that avoids those elements is enough.
    """
    return np.reciprocal(x)


@Reciprocal.gradient
def reciprocal_gradient(g: Any, x: Any, y: Any) -> Any:
    return -MultiplyNoNan(y, MultiplyNoNan(y, g))


def _power(of_integers: str, of_floats: str) -> Callable[..., str]:
    """Spells it; the logarithm of a number that is not positive `{counts}` only where the power is NaN."""
    of_floats = of_floats.replace("{counts}", "({x} > 0) | ({x} < 0) & ({y} % 1 != 0)")

    @documented(of_floats)
    def write(x: str, y: str, specs: Sequence[TensorSpec]) -> str:
        return (of_floats if specs[0].is_differentiable else of_integers).format(x=x, y=y)

    return write


@block(
    "Elementwise",
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = x^y",
    gradient_formula=r"\bar x = y\,x^{y-1}\,\bar z,\quad \bar y = z\,(x > 0 \,?\, \ln x : 0)\,\bar z",
    source="tf.pow",
    zero_cause=Cause.ZERO_FACTOR,
    is_penalty=True,
    spelling=Spelling(
        "{x} ** {y}",
        "tf.pow({x}, {y})",
        _power("torch.pow({x}, {y})", "torch.pow({x}, torch.where({counts}, {y}, {y}.detach()))"),
        _power("jnp.power({x}, {y})", "jnp.power({x}, jnp.where({counts}, {y}, jax.lax.stop_gradient({y})))"),
    ).noted("where both are 0, the gradient of x is 0, in Gradwire NaN", "torch"),
    is_arithmetic=True,
)
def Pow(x: Array, y: Array) -> Array:
    """The power of x, the base, to y, the exponent; anything to the power of 0 is 1.

    A negative base gives NaN unless the exponent is whole. Where the base is not positive, the exponent receives a
    gradient of 0, or NaN if the power is infinite or NaN; at 0 to the power of 0 the base receives NaN. Integers wrap
    around, and cannot be taken to a negative power.
    """
    if y.dtype.kind == "i" and 0 not in broadcast_shapes((x.shape, y.shape)) and not holds(y >= 0):
        raise ValueProblem("an integer cannot be taken to a negative power; insert a Cast to floating point")
    # NumPy refuses what a recording only checks afterwards.
    return np.power(x, np.maximum(y, y.dtype.type(0)) if y.dtype.kind == "i" else y)


@Pow.gradient
def pow_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    is_positive = Greater(x, 0)
    # Both choices are needed: without the inner one, the logarithm's own derivative at 0 would come back as NaN.
    log = Where(is_positive, Log(Where(is_positive, x, 1)), 0)
    return g * y * Pow(x, y - 1), g * z * log


@block(
    "Elementwise",
    formula=r"y = \sqrt[3]{x}",
    gradient_formula=r"\bar x = \frac{1}{3 y^2}\,\bar y",
    spelling=Spelling(
        # The gradients of what other libraries have are NaN at 0.
        "np.cbrt({x})",
    ),
)
def Cbrt(x: Array) -> Array:
    """The cube root, which a negative number has too.

    At 0 the gradient is infinite. Where the incoming gradient is 0 the gradient is 0 even there, so a Where that avoids
    those elements is enough.
    """
    return np.cbrt(x)


@Cbrt.gradient
def cbrt_gradient(g: Any, x: Any, y: Any) -> Any:
    # A chain instead of y * y: no factor underflows before the result does, and a zero g stays zero at any order.
    slope = Reciprocal(y)
    return MultiplyNoNan(slope, MultiplyNoNan(slope, g)) / 3
