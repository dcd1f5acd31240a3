"""Activation functions, element by element."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gradwire.blocks.comparison import Cast, Where
from gradwire.blocks.elementwise import Abs, Exp, Square, Tanh
from gradwire.blocks.shape import Split
from gradwire.blocks.special import Erf
from gradwire.blocks.support.extremes import first_of_equals
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import FLOAT, NUMBER, Declaration, Dtypes, block
from gradwire.engine.blocktypes.parameters import Axis
from gradwire.engine.blocktypes.spelling import Spelling, documented

SELU_SCALE = 1.0507009873554805
SELU_ALPHA = 1.6732632423543772


def rounded(number: float) -> float:
    """Returns the number after TensorFlow's detour through float32, so that our digits are its digits."""
    return float(np.float32(number))


ROOT_OF_HALF = rounded(math.sqrt(0.5))
ROOT_OF_2_BY_PI = rounded(math.sqrt(2 / math.pi))
CUBIC = rounded(0.044715)


def activation(
    formula: str, gradient_formula: str, spelling: Spelling, accepts: Dtypes = FLOAT, max_slope: float | None = None
) -> Declaration:
    """Returns the declaration that all activations share; `max_slope` for those that saturate."""
    how: dict[str, Any] = {"formula": formula, "gradient_formula": gradient_formula, "spelling": spelling}
    return block("Activations", accepts=accepts, max_slope=max_slope, **how)


def spelled(name: str, numpy: str = "", torch: str = "", jax: str = "", arguments: str = "") -> Spelling:
    """Returns an activation under one name in the neural-network modules of all frameworks."""
    torch_name, jax_name = torch or f"torch.nn.functional.{name}", jax or f"jax.nn.{name}"
    calls = [f"{function}({{x}}{arguments})" for function in (f"tf.nn.{name}", torch_name, jax_name)]
    return Spelling(numpy, *calls)


# In NumPy the second of equal numbers is taken, as in TensorFlow the element itself.
_ZERO_IN_JAX = "-0.0 becomes 0.0"


@activation(
    r"y = \max(x, 0)",
    r"\bar x = [x > 0]\,\bar y",
    spelled("relu", "np.maximum(0, {x})").noted(_ZERO_IN_JAX, "jax"),
    NUMBER,
)
def Relu(x: Array) -> Array:
    """The positive part. Its gradient is 0 at 0, and where the input is NaN."""
    return first_of_equals(np.maximum, x, x.dtype.type(0))


@Relu.gradient
def relu_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Cast(x > 0, dtype=g.dtype.name)


@activation(
    r"y = \min(\max(x, 0), 6)",
    r"\bar x = [0 < x < 6]\,\bar y",
    spelled("relu6", "np.clip({x}, 0, 6)").noted(_ZERO_IN_JAX, "jax"),
    NUMBER,
)
def Relu6(x: Array) -> Array:
    """The positive part, at most 6. Its gradient is 0 at both bounds, and where the input is NaN."""
    return np.minimum(first_of_equals(np.maximum, x, x.dtype.type(0)), x.dtype.type(6))


@Relu6.gradient
def relu6_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Cast(x > 0, dtype=g.dtype.name) * Cast(x < 6, dtype=g.dtype.name)


def _doubled(x: TensorSpec, *, axis: int) -> TensorSpec:
    if x.ndim == 0:
        raise ShapeError("a scalar has no axis to double")
    place = normalize_axis(axis, x.ndim)
    return TensorSpec((*x.shape[:place], 2 * x.shape[place], *x.shape[place + 1 :]), x.dtype)


@block(
    "Activations",
    infer=_doubled,
    accepts=Dtypes("a signed number", "fi"),
    formula=r"y = (\max(x, 0), \max(-x, 0))",
    gradient_formula=r"\bar x = [x > 0]\,\bar y_1 - [x < 0]\,\bar y_2",
    source="tf.nn.crelu; Shang et al., Understanding and Improving CNNs via Concatenated ReLUs, 2016",
    spelling=Spelling(
        "np.maximum(0, np.concatenate([{x}, -{x}], axis={axis}))",
        "tf.nn.crelu({x}, axis={axis})",
        "torch.relu(torch.cat([{x}, -{x}], dim={axis}))",
        "jax.nn.relu(jnp.concatenate([{x}, -{x}], axis={axis}))",
    ).noted(_ZERO_IN_JAX, "jax"),
)
def Crelu(x: Array, *, axis: Axis = -1) -> Array:
    """The positive part and, after it along `axis`, that of the opposite; both have the gradient 0 at 0."""
    return first_of_equals(np.maximum, np.concatenate([x, -x], axis=axis), x.dtype.type(0))


@Crelu.gradient
def crelu_gradient(g: Any, x: Any, y: Any, *, axis: int) -> Any:
    positive, negative = Split(relu_gradient(g, y, y), num_or_size_splits=2, axis=axis)
    return positive - negative


@activation(
    r"y = x > 0 \,?\, x : \alpha x",
    r"\bar x = x > 0 \,?\, \bar y : \alpha \bar y",
    Spelling(
        "np.where({x} > 0, {x}, np.float32({alpha}).item() * {x})",
        "tf.nn.leaky_relu({x}, alpha={alpha})",
        "torch.nn.functional.leaky_relu({x}, np.float32({alpha}).item())",
        "jnp.where({x} > 0, {x}, np.float32({alpha}).item() * {x})",
    ),
)
def LeakyRelu(x: Array, *, alpha: float = 0.2) -> Array:
    """The input where it is positive, else `alpha` times it; at 0 the gradient is that of the negative side.

    As in TensorFlow, `alpha` is rounded to float32 first.
    """
    return np.where(x > 0, x, x.dtype.type(rounded(alpha)) * x)


@LeakyRelu.gradient
def leaky_relu_gradient(g: Any, x: Any, y: Any, *, alpha: float) -> Any:
    return Where(x > 0, g, rounded(alpha) * g)


@activation(
    r"y = x < 0 \,?\, e^x - 1 : x",
    r"\bar x = x < 0 \,?\, (y + 1)\,\bar y : \bar y",
    spelled("elu", "np.where({x} < 0, np.expm1({x}), {x})"),
    max_slope=1.0,
)
def Elu(x: Array) -> Array:
    """The exponential linear unit; its gradient is 1 at 0, and where the input is NaN."""
    return np.where(x < 0, np.expm1(x), x)


@Elu.gradient
def elu_gradient(g: Any, x: Any, y: Any) -> Any:
    return Where(x < 0, g * (y + 1), g)


@activation(
    r"y = \lambda\,(x < 0 \,?\, \alpha (e^x - 1) : x)",
    r"\bar x = x < 0 \,?\, (y + \lambda\alpha)\,\bar y : \lambda\,\bar y",
    Spelling(
        "",
        "tf.nn.selu({x})",
        f"torch.where({{x}} < 0, torch.nn.functional.selu({{x}}), {SELU_SCALE} * {{x}})",
        f"jnp.where({{x}} < 0, jax.nn.selu({{x}}), {SELU_SCALE} * {{x}})",
    ),
    max_slope=SELU_SCALE * SELU_ALPHA,
)
def Selu(x: Array) -> Array:
    """The scaled exponential linear unit, scale 1.0507 and alpha 1.6733; its gradient at 0 is the scale.

    Source: Klambauer et al., Self-Normalizing Neural Networks, 2017.
    """
    scale, alpha = x.dtype.type(SELU_SCALE), x.dtype.type(SELU_SCALE * SELU_ALPHA)
    return np.where(x < 0, alpha * (np.exp(x) - 1), scale * x)


@Selu.gradient
def selu_gradient(g: Any, x: Any, y: Any) -> Any:
    # As in TensorFlow the output decides: a negative input so small that the output is 0 lies at the kink.
    return Where(y < 0, g * (y + SELU_SCALE * SELU_ALPHA), g * SELU_SCALE)


@activation(
    r"y = 1 / (1 + e^{-x})",
    r"\bar x = y (1 - y)\,\bar y",
    Spelling("1 / (1 + np.exp(-{x}))", "tf.sigmoid({x})", "torch.sigmoid({x})", "jax.nn.sigmoid({x})"),
    max_slope=0.25,
)
def Sigmoid(x: Array) -> Array:
    """The logistic function. Far out its gradient is too small to matter: the block is saturated."""
    # In float16 the exponential would overflow long before the quotient is too small for it.
    wide = x.astype(np.promote_types(x.dtype, np.float32), copy=False)
    return (1 / (1 + np.exp(-wide))).astype(x.dtype)


@Sigmoid.gradient
def sigmoid_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * y * (1 - y)


@activation(
    r"y = \ln(1 + e^x)",
    r"\bar x = \sigma(x)\,\bar y",
    spelled("softplus", "np.logaddexp(0, {x})"),
    max_slope=1.0,
)
def Softplus(x: Array) -> Array:
    """The smooth form of Relu, without overflow at large inputs."""
    return np.logaddexp(x.dtype.type(0), x)


@Softplus.gradient
def softplus_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Sigmoid(x)


@activation(
    r"y = -\ln(1 + e^{-x})",
    r"\bar x = \sigma(-x)\,\bar y",
    Spelling(
        "-np.logaddexp(0, -{x})",
        "tf.math.log_sigmoid({x})",
        "torch.nn.functional.logsigmoid({x})",
        "jax.nn.log_sigmoid({x})",
    ),
    max_slope=1.0,
)
def LogSigmoid(x: Array) -> Array:
    """The logarithm of the logistic function, exact also far out."""
    return -np.logaddexp(x.dtype.type(0), -x)


@LogSigmoid.gradient
def log_sigmoid_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Sigmoid(-x)


@activation(
    r"y = x / (1 + |x|)",
    r"\bar x = \bar y / (1 + |x|)^2",
    spelled("softsign", "{x} / (1 + np.abs({x}))", jax="jax.nn.soft_sign").noted(
        "an infinite gradient becomes NaN, in Gradwire it stays infinite", "torch", "jax"
    ),
    max_slope=1.0,
)
def Softsign(x: Array) -> Array:
    """A bounded, slowly saturating function. At infinity the value is NaN and the gradient 0, as in TensorFlow."""
    return x / (1 + np.abs(x))


@Softsign.gradient
def softsign_gradient(g: Any, x: Any, y: Any) -> Any:
    return g / Square(1 + Abs(x))


@activation(
    r"y = x\,\sigma(\beta x)",
    r"\bar x = \sigma(\beta x)\,(1 + \beta x (1 - \sigma(\beta x)))\,\bar y",
    Spelling(
        "{x} / (1 + np.exp(-{beta} * {x}))",
        "tf.nn.silu({x}, beta={beta})",
        "{x} * torch.sigmoid({beta} * {x})",
        "{x} * jax.nn.sigmoid({beta} * {x})",
    ),
    max_slope=1.1,
)
def Silu(x: Array, *, beta: float = 1.0) -> Array:
    """The input times the logistic function of `beta` times it, also known as swish.

    As in TensorFlow, `beta` is rounded to float32 first.
    """
    return x * Sigmoid.function(x.dtype.type(rounded(beta)) * x)


@Silu.gradient
def silu_gradient(g: Any, x: Any, y: Any, *, beta: float) -> Any:
    beta = rounded(beta)
    s = Sigmoid(beta * x)
    return g * (s * (1 + beta * x * (1 - s)))


def _gelu(erf: str, tanh: str) -> Callable[..., str]:
    """Spells it with TensorFlow's constants: those of other libraries are not rounded to float32."""

    @documented(f"0.5 * {{x}} * (1 + {erf}({ROOT_OF_HALF} * {{x}}))")
    def write(x: str, approximate: bool) -> str:
        inner = (
            f"{tanh}({ROOT_OF_2_BY_PI} * ({x} + {CUBIC} * {x} ** 3))" if approximate else f"{erf}({ROOT_OF_HALF} * {x})"
        )
        return f"0.5 * {x} * (1 + {inner})"

    return write


@activation(
    r"y = x\,\Phi(x)",
    r"\bar x = (\Phi(x) + x\,\varphi(x))\,\bar y",
    Spelling(
        "",
        "tf.nn.gelu({x}, approximate={approximate})",
        _gelu("torch.erf", "torch.tanh"),
        _gelu("jax.scipy.special.erf", "jnp.tanh"),
    ),
    max_slope=1.13,
)
def Gelu(x: Array, *, approximate: bool = False) -> Array:
    """The input times the normal distribution function of it; `approximate` replaces that by a hyperbolic tangent.

    As in TensorFlow, the constants are rounded to float32 first.
    Source: Hendrycks and Gimpel, Gaussian Error Linear Units, 2016.
    """
    half = x.dtype.type(0.5)
    if approximate:
        return half * x * (1 + np.tanh(_inner(x)))
    return half * x * (1 + Erf.function(x * x.dtype.type(ROOT_OF_HALF)))


def _inner(x: Any) -> Any:
    """Returns the argument of the tangent, for arrays and expressions; a Python number takes their dtype."""
    return ROOT_OF_2_BY_PI * (x + CUBIC * (x * x * x))


@Gelu.gradient
def gelu_gradient(g: Any, x: Any, y: Any, *, approximate: bool) -> Any:
    if approximate:
        t = Tanh(_inner(x))
        slope = ROOT_OF_2_BY_PI * (1 + 3 * CUBIC * Square(x))
        return g * (0.5 * (1 + t) + 0.5 * x * (1 - Square(t)) * slope)
    u = x * ROOT_OF_HALF
    density = Exp(-Square(u)) * (ROOT_OF_HALF / math.sqrt(math.pi))
    return g * (0.5 * (1 + Erf(u)) + x * density)
