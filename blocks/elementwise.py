"""Functions of one tensor, element by element, and the few of two that belong to them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.comparison import ZerosLike
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import NUMBER, block
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.spelling import Spelling


def called(numpy: str, tensorflow: str = "", torch: str = "", jax: str = "", arguments: str = "{x}") -> Spelling:
    """Returns the spelling of a function that all frameworks have, by default under the name that NumPy gives it."""
    return Spelling(
        f"np.{numpy}({arguments})",
        f"tf.{tensorflow or numpy}({arguments})",
        f"torch.{torch or numpy}({arguments})",
        f"jnp.{jax or numpy}({arguments})",
    )


@block(
    "Elementwise",
    formula=r"y = e^x",
    gradient_formula=r"\bar x = y\,\bar y",
    spelling=called("exp"),
    zero_cause=Cause.UNDERFLOW,
    overflow_margin=0.0,
)
def Exp(x: Array) -> Array:
    """The exponential function.

    It overflows to infinity above about 709 in float64, 88 in float32 and 11 in float16; so does its gradient.
    """
    return np.exp(x)


@Exp.gradient
def exp_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * y


@block(
    "Elementwise",
    formula=r"y = e^x - 1",
    gradient_formula=r"\bar x = e^x\,\bar y",
    spelling=called("expm1", "math.expm1"),
    zero_cause=Cause.UNDERFLOW,
    overflow_margin=0.0,
)
def Expm1(x: Array) -> Array:
    """The exponential function minus 1, exact also where x is so small that its exponential would round to 1."""
    return np.expm1(x)


@Expm1.gradient
def expm1_gradient(g: Any, x: Any, y: Any) -> Any:
    # Not y + 1, which rounds to zero for a large negative x.
    return g * Exp(x)


@block(
    "Elementwise",
    formula=r"y = \ln x",
    gradient_formula=r"\bar x = \bar y / x",
    spelling=called("log", "math.log"),
)
def Log(x: Array) -> Array:
    """The natural logarithm.

    It is minus infinity at 0, where the gradient is infinite (NaN if the incoming gradient is 0). A negative number
    gives NaN, yet its gradient is still the incoming one divided by x, as in TensorFlow.
    """
    return np.log(x)


@Log.gradient
def log_gradient(g: Any, x: Any, y: Any) -> Any:
    return g / x


@block(
    "Elementwise",
    formula=r"y = \ln(1 + x)",
    gradient_formula=r"\bar x = \bar y / (1 + x)",
    spelling=called("log1p", "math.log1p"),
)
def Log1p(x: Array) -> Array:
    """The natural logarithm of 1 + x, exact also where 1 + x would round to 1.

    It is minus infinity at -1, where the gradient is infinite (NaN if the incoming gradient is 0). A number below -1
    gives NaN, yet its gradient follows the formula, as in TensorFlow.
    """
    return np.log1p(x)


@Log1p.gradient
def log1p_gradient(g: Any, x: Any, y: Any) -> Any:
    return g / (x + 1)


@block(
    "Elementwise",
    accepts=NUMBER,
    formula=r"y = x^2",
    gradient_formula=r"\bar x = 2 x\,\bar y",
    spelling=called("square"),
    is_penalty=True,
    is_arithmetic=True,
)
def Square(x: Array) -> Array:
    """Each element times itself."""
    return np.square(x)


@Square.gradient
def square_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * (x * 2)


@block(
    "Elementwise",
    outputs=("z",),
    accepts=NUMBER,
    formula=r"z = (x - y)^2",
    gradient_formula=r"\bar x = 2 (x - y)\,\bar z,\quad \bar y = -\bar x",
    spelling=Spelling(
        "np.square({x} - {y})",
        "tf.math.squared_difference({x}, {y})",
        "torch.square({x} - {y})",
        "jnp.square({x} - {y})",
    ),
    is_penalty=True,
    is_arithmetic=True,
)
def SquaredDifference(x: Array, y: Array) -> Array:
    """The square of the difference of two tensors. Equal infinities give NaN."""
    difference: Array = x - y
    return np.square(difference)


@SquaredDifference.gradient
def squared_difference_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    part = g * 2 * (x - y)
    return part, -part


@block(
    "Elementwise",
    outputs=("z",),
    formula=r"z = y = 0 \,?\, 0 : x\,y",
    gradient_formula=r"\bar x = y = 0 \,?\, 0 : y\,\bar z,\quad \bar y = \bar z = 0 \,?\, 0 : x\,\bar z",
    source="tf.math.multiply_no_nan",
    spelling=Spelling(
        "np.where({y} == 0, 0, {x} * {y})",
        "tf.math.multiply_no_nan({x}, {y})",
    ),
)
def MultiplyNoNan(x: Array, y: Array) -> Array:
    """The product of two tensors, but 0 wherever y is 0, even if x is infinite or NaN there.

    Where the incoming gradient is 0, y receives none, whatever x is.
    """
    return np.where(y == 0, np.zeros((), x.dtype), x * y)


@MultiplyNoNan.gradient
def multiply_no_nan_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return MultiplyNoNan(g, y), MultiplyNoNan(x, g)


@block(
    "Elementwise",
    formula=r"y = 1 / \sqrt{x}",
    gradient_formula=r"\bar x = -\tfrac12 y^3\,\bar y",
    source="tf.raw_ops.RsqrtGrad",
    spelling=Spelling("1 / np.sqrt({x})", "tf.math.rsqrt({x})", "torch.rsqrt({x})", "jax.lax.rsqrt({x})").noted(
        "at 0 with an incoming gradient of 0, NaN and not 0 as in Gradwire", "torch", "jax"
    ),
)
def Rsqrt(x: Array) -> Array:
    """One divided by the square root.

    At 0 the value and the gradient are infinite, and a negative number gives NaN for both. Where the incoming gradient
    is 0 the gradient is 0 even there, so a Where that avoids those elements is enough.
    """
    return np.reciprocal(np.sqrt(x))


@Rsqrt.gradient
def rsqrt_gradient(g: Any, x: Any, y: Any) -> Any:
    # A chain instead of y * y * y: no factor overflows before the result does, and a zero g stays zero at any order.
    return MultiplyNoNan(y, MultiplyNoNan(y, MultiplyNoNan(y, g))) * -0.5


@block(
    "Elementwise",
    formula=r"y = \sqrt{x}",
    gradient_formula=r"\bar x = \bar y / (2 y)",
    source="tf.raw_ops.SqrtGrad",
    spelling=called("sqrt").noted("at 0 with an incoming gradient of 0, NaN and not 0 as in Gradwire", "torch", "jax"),
)
def Sqrt(x: Array) -> Array:
    """The square root.

    At 0 the gradient is infinite, and a negative number gives NaN for value and gradient. Where the incoming gradient
    is 0 the gradient is 0 even there, so a Where that avoids those elements is enough. The same holds for second
    derivatives, where TensorFlow gives NaN.
    """
    return np.sqrt(x)


@Sqrt.gradient
def sqrt_gradient(g: Any, x: Any, y: Any) -> Any:
    # Dividing by y would give NaN in the second derivative at a zero that no gradient reaches.
    return MultiplyNoNan(Rsqrt(x) * 0.5, g)


@block(
    "Elementwise",
    accepts=NUMBER,
    formula=r"y = \mathrm{sign}(x)",
    gradient_formula=r"\bar x = 0",
    spelling=called("sign").noted("no gradient; the zeros of Gradwire are NaN behind infinite slopes", "jax"),
)
def Sign(x: Array) -> Array:
    """1 for a positive number, -1 for a negative one, 0 for both zeros, NaN for NaN.

    Its gradient is zero everywhere, also at the jump and at NaN: it passes zeros, while Round and Floor pass nothing.
    """
    return np.sign(x)


@Sign.gradient
def sign_gradient(g: Any, x: Any, y: Any) -> Any:
    return ZerosLike(x)


@block(
    "Elementwise",
    accepts=NUMBER,
    formula=r"y = |x|",
    gradient_formula=r"\bar x = \mathrm{sign}(x)\,\bar y",
    spelling=Spelling("np.abs({x})", "tf.abs({x})", "torch.abs({x})", "{x} * jnp.sign({x})"),
    is_penalty=True,
)
def Abs(x: Array) -> Array:
    """The distance of each element from zero.

    At the kink, x = 0, the gradient is 0 (JAX gives 1); NaN gives NaN for both.
    """
    return np.abs(x)


@Abs.gradient
def abs_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Sign(x)


@block(
    "Elementwise",
    formula=r"y = \tanh x",
    gradient_formula=r"\bar x = (1 - y^2)\,\bar y",
    spelling=called("tanh"),
    max_slope=1.0,
)
def Tanh(x: Array) -> Array:
    """The hyperbolic tangent, between -1 and 1; far from zero it is exactly 1 or -1 and its gradient exactly 0."""
    return np.tanh(x)


@Tanh.gradient
def tanh_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * (1 - Square(y))
