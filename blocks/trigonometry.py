"""Functions of angles, the hyperbolic ones, and their inverses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.blocks.elementwise import Exp, Rsqrt, Square, called
from gradwire.blocks.powers import Reciprocal
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.spelling import Spelling


@block(
    "Trigonometry",
    formula=r"y = \sin x",
    gradient_formula=r"\bar x = \cos(x)\,\bar y",
    spelling=called("sin"),
)
def Sin(x: Array) -> Array:
    """The sine of an angle in radians; NaN at infinity."""
    return np.sin(x)


@Sin.gradient
def sin_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Cos(x)


@block(
    "Trigonometry",
    formula=r"y = \cos x",
    gradient_formula=r"\bar x = -\sin(x)\,\bar y",
    spelling=called("cos"),
)
def Cos(x: Array) -> Array:
    """The cosine of an angle in radians; NaN at infinity."""
    return np.cos(x)


@Cos.gradient
def cos_gradient(g: Any, x: Any, y: Any) -> Any:
    return -g * Sin(x)


@block(
    "Trigonometry",
    formula=r"y = \arctan x",
    gradient_formula=r"\bar x = \bar y / (1 + x^2)",
    spelling=called("arctan", "atan", "atan"),
    max_slope=1.0,
)
def Atan(x: Array) -> Array:
    """The angle in radians whose tangent is x, between -π/2 and π/2, which infinities reach."""
    return np.arctan(x)


@Atan.gradient
def atan_gradient(g: Any, x: Any, y: Any) -> Any:
    return g / (Square(x) + 1)


@block(
    "Trigonometry",
    outputs=("z",),
    formula=r"z = \operatorname{atan2}(x, y), \quad \tan z = x / y",
    gradient_formula=r"\bar x = \frac{y\,\bar z}{x^2 + y^2},\quad \bar y = \frac{-x\,\bar z}{x^2 + y^2}",
    spelling=called("arctan2", "atan2", "atan2", arguments="{x}, {y}").noted(
        "at the origin the gradients are 0, in Gradwire NaN", "torch"
    ),
)
def Atan2(x: Array, y: Array) -> Array:
    """The angle in radians, from -π to π, of the point at height x (the first input) and width y.

    The signs of both choose the quadrant, also those of zeros. At the origin both gradients are NaN (0 in PyTorch),
    and so is that of an infinite input.
    """
    return np.arctan2(x, y)


@Atan2.gradient
def atan2_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    part = g / (Square(x) + Square(y))
    return y * part, -x * part


@block(
    "Trigonometry",
    formula=r"y = \operatorname{arsinh} x = \ln(x + \sqrt{x^2 + 1})",
    gradient_formula=r"\bar x = \bar y / \cosh y = \bar y / \sqrt{x^2 + 1}",
    spelling=called("arcsinh", "asinh", "asinh"),
)
def Asinh(x: Array) -> Array:
    """The number whose hyperbolic sine is x; infinities stay infinite and receive a gradient of 0."""
    return np.arcsinh(x)


@Asinh.gradient
def asinh_gradient(g: Any, x: Any, y: Any) -> Any:
    # cosh y in a form that overflows no earlier than cosh itself; the square of x would, already at half the range.
    half = math.log(2)
    return g / (Exp(y - half) + Exp(-y - half))


@block(
    "Trigonometry",
    formula=r"y = \tan x",
    gradient_formula=r"\bar x = \bar y / \cos^2 x",
    spelling=called("tan"),
)
def Tan(x: Array) -> Array:
    """The tangent of an angle in radians; NaN at infinity.

    It is never infinite, as no floating-point number is an odd multiple of π/2; near those it is huge.
    """
    return np.tan(x)


@Tan.gradient
def tan_gradient(g: Any, x: Any, y: Any) -> Any:
    return Square(Reciprocal(Cos(x))) * g


@block(
    "Trigonometry",
    formula=r"y = \sinh x = (e^x - e^{-x}) / 2",
    gradient_formula=r"\bar x = \cosh(x)\,\bar y",
    spelling=called("sinh"),
    overflow_margin=math.log(2),
)
def Sinh(x: Array) -> Array:
    """The hyperbolic sine. It overflows to an infinity of the sign of x, where the gradient is infinite too."""
    return np.sinh(x)


@Sinh.gradient
def sinh_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Cosh(x)


@block(
    "Trigonometry",
    formula=r"y = \cosh x = (e^x + e^{-x}) / 2",
    gradient_formula=r"\bar x = \sinh(x)\,\bar y",
    spelling=called("cosh"),
    overflow_margin=math.log(2),
)
def Cosh(x: Array) -> Array:
    """The hyperbolic cosine, at least 1. It overflows to infinity on both sides, where the gradient is infinite too."""
    return np.cosh(x)


@Cosh.gradient
def cosh_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Sinh(x)


@block(
    "Trigonometry",
    formula=r"y = \arcsin x",
    gradient_formula=r"\bar x = \bar y / \sqrt{1 - x^2}",
    spelling=called("arcsin", "asin", "asin"),
)
def Asin(x: Array) -> Array:
    """The angle in radians, from -π/2 to π/2, whose sine is x.

    At -1 and 1 the gradient is infinite (NaN if the incoming gradient is 0); outside value and gradient are NaN.
    """
    return np.arcsin(x)


@Asin.gradient
def asin_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Rsqrt(1 - Square(x))


@block(
    "Trigonometry",
    formula=r"y = \arccos x",
    gradient_formula=r"\bar x = -\bar y / \sqrt{1 - x^2}",
    spelling=called("arccos", "acos", "acos"),
)
def Acos(x: Array) -> Array:
    """The angle in radians, from 0 to π, whose cosine is x.

    At -1 and 1 the gradient is minus infinity (NaN if the incoming gradient is 0); outside value and gradient are NaN.
    """
    return np.arccos(x)


@Acos.gradient
def acos_gradient(g: Any, x: Any, y: Any) -> Any:
    return -asin_gradient(g, x, y)


@block(
    "Trigonometry",
    formula=r"y = \operatorname{arcosh} x = \ln(x + \sqrt{x^2 - 1})",
    gradient_formula=r"\bar x = \bar y / \sinh y = \bar y / \sqrt{x^2 - 1}",
    # PyTorch and JAX have a gradient below -1, where there is no number.
    spelling=Spelling("np.arccosh({x})", "tf.acosh({x})"),
)
def Acosh(x: Array) -> Array:
    """The number, at least 0, whose hyperbolic cosine is x.

    At 1 the gradient is infinite (NaN if the incoming gradient is 0); below 1 value and gradient are NaN.
    """
    return np.arccosh(x)


@Acosh.gradient
def acosh_gradient(g: Any, x: Any, y: Any) -> Any:
    return g / Sinh(y)


@block(
    "Trigonometry",
    formula=r"y = \operatorname{artanh} x = \tfrac12 \ln \frac{1 + x}{1 - x}",
    gradient_formula=r"\bar x = \bar y / (1 - x^2)",
    spelling=called("arctanh", "atanh", "atanh"),
)
def Atanh(x: Array) -> Array:
    """The number whose hyperbolic tangent is x: infinite at -1 and 1, and NaN outside.

    At -1 and 1 the gradient is infinite (NaN if the incoming gradient is 0); outside it follows the formula, as in
    TensorFlow.
    """
    return np.arctanh(x)


@Atanh.gradient
def atanh_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Reciprocal(1 - Square(x))
