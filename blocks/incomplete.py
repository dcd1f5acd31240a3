"""The incomplete gamma and beta functions: distribution functions of gamma and beta variables."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.elementwise import Exp, Log
from gradwire.blocks.special import Lgamma, digamma, special
from gradwire.blocks.support.tensorflow_kernels import is_of_whole_shape
from gradwire.blocks.zero_safe import Xlog1py, Xlogy
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import Role, block
from gradwire.engine.blocktypes.spelling import Spelling

TERMS_AT_MOST = 20_000


def outside(a: Array, x: Array) -> Array:
    """Returns a mask of the points at which the incomplete gamma functions are not defined."""
    return ~((a > 0) & (x >= 0))


@special(
    r"z = \frac{1}{\Gamma(x)} \int_0^y t^{x - 1} e^{-t}\,dt",
    r"\bar x = \frac{\partial z}{\partial x}\,\bar z,\quad \bar y = e^{-y + (x - 1) \ln y - \ln \Gamma(x)}\,\bar z",
    Spelling(tensorflow="tf.math.igamma({x}, {y})"),
    "tf.math.igamma",
    outputs=("z",),
    differentiable="once",
)
def Igamma(x: Array, y: Array) -> Array:
    """The probability of a gamma variable of shape x below y: the regularized lower incomplete gamma function.

    It is 0 at y = 0 whatever x is, and otherwise NaN for an x that is not positive or a negative y. Both inputs receive
    gradients; that of x cannot be differentiated again, as in TensorFlow.
    """
    from scipy.special import gammainc

    inside = np.where(np.isposinf(x), 0, gammainc(x, y))
    return np.where(y == 0, 0, np.where(outside(x, y), np.nan, inside)).astype(x.dtype, copy=False)


@Igamma.gradient
def igamma_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return g * IgammaGradA(x, y), g * Exp((x - 1) * Log(y) - y - Lgamma(x))


@special(
    r"z = \frac{1}{\Gamma(x)} \int_y^{\infty} t^{x - 1} e^{-t}\,dt",
    r"\bar x = \frac{\partial z}{\partial x}\,\bar z,\quad \bar y = -e^{-y + (x - 1) \ln y - \ln \Gamma(x)}\,\bar z",
    Spelling(tensorflow="tf.math.igammac({x}, {y})"),
    "tf.math.igammac",
    outputs=("z",),
    differentiable="once",
)
def Igammac(x: Array, y: Array) -> Array:
    """The probability of a gamma variable of shape x above y: one minus Igamma, with all its digits also far out.

    It is NaN for an x that is not positive or a negative y. Both inputs receive gradients; that of x cannot be
    differentiated again, as in TensorFlow.
    """
    from scipy.special import gammaincc

    inside = np.where(np.isposinf(x), np.where(np.isposinf(y), 0, 1), gammaincc(x, y))
    return np.where(outside(x, y), np.nan, inside).astype(x.dtype, copy=False)


@Igammac.gradient
def igammac_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    of_x, of_y = igamma_gradient(g, x, y, z)
    return -of_x, -of_y


@block(
    "Gradient parts",
    differentiable="cut",
    role=Role.PREVENT,
    formula=r"y = \frac{\partial}{\partial a} \frac{1}{\Gamma(a)} \int_0^x t^{a - 1} e^{-t}\,dt",
    gradient_formula=r"\text{an error: there is none in TensorFlow either}",
    source="tf.raw_ops.IgammaGradA",
)
def IgammaGradA(a: Array, x: Array) -> Array:
    """The derivative of the lower incomplete gamma function by its shape a.

    Its power series and its continued fraction are differentiated term by term, which keeps its digits for
    shapes up to some millions. It is 0 at x = 0, and NaN where the function itself is not defined.
    """
    wide_a, wide_x = np.broadcast_arrays(a.astype(np.float64), x.astype(np.float64))
    result = np.where(wide_x == 0, 0.0, np.where(outside(wide_a, wide_x), np.nan, 0.0))
    is_regular = (wide_a > 0) & (wide_x > 0) & np.isfinite(wide_a) & np.isfinite(wide_x)
    is_far = (wide_x > 1) & (wide_x > wide_a)
    for chosen, slope in ((is_regular & ~is_far, slope_of_series), (is_regular & is_far, slope_of_fraction)):
        if chosen.any():
            result[chosen] = slope(wide_a[chosen], wide_x[chosen])
    return result.astype(a.dtype)


def slope_of_series(a: Array, x: Array) -> Array:
    """Returns the derivative by a of x^a e^-x / Gamma(a + 1) times the sum of x^n / ((a + 1) ... (a + n)).

    Source: Abramowitz and Stegun 6.5.29.
    """
    from scipy.special import gammaln

    term, slope = np.ones_like(a), np.zeros_like(a)
    terms, slopes = term.copy(), slope.copy()
    for n in range(1, TERMS_AT_MOST):
        slope = (slope - term / (a + n)) * (x / (a + n))
        term = term * (x / (a + n))
        terms, slopes = terms + term, slopes + slope
        if (np.abs(slope) <= 1e-17 * np.abs(slopes)).all():
            break
    factor = np.exp(a * np.log(x) - x - gammaln(a + 1))
    return factor * (terms * (np.log(x) - digamma(a + 1)) + slopes)


def slope_of_fraction(a: Array, x: Array) -> Array:
    """Minus the derivative by a of x^a e^-x / Gamma(a) times 1 / (x + 1 - a - (1 - a) / (x + 3 - a - ...)).

    Source: Abramowitz and Stegun 6.5.31 in its even form, from the last term to the first. The number of terms grows
    with the width of the distribution, and towards small x.
    """
    from scipy.special import gammaln

    count = min(int(np.max(100 / x + 12 * np.sqrt(a)) + 30), TERMS_AT_MOST)
    below, slope = x + 2 * count + 1 - a, -np.ones_like(a)
    for n in range(count, 0, -1):
        slope = -1 + n / below + n * (n - a) * slope / below**2
        below = x + 2 * n - 1 - a - n * (n - a) / below
    factor = np.exp(a * np.log(x) - x - gammaln(a))
    return -factor * ((np.log(x) - digamma(a)) - slope / below) / below


def _one_shape(a: TensorSpec, b: TensorSpec, x: TensorSpec) -> TensorSpec:
    if len({spec.shape for spec in (a, b, x) if spec.shape}) > 1:
        shapes = f"a {list(a.shape)}, b {list(b.shape)} and x {list(x.shape)}"
        raise ShapeError(f"{shapes} must have one shape; only scalars are repeated")
    return TensorSpec(broadcast_shapes(spec.shape for spec in (a, b, x)), x.dtype)


@block(
    "Special functions",
    infer=_one_shape,
    outputs=("z",),
    formula=r"z = \frac{1}{B(a, b)} \int_0^x t^{a - 1} (1 - t)^{b - 1}\,dt",
    gradient_formula=r"\bar a = \bar b = \text{none},\quad \bar x = x^{a - 1} (1 - x)^{b - 1}\,\bar z / B(a, b)",
    source="tf.math.betainc",
    spelling=Spelling(tensorflow="tf.math.betainc({a}, {b}, {x})").only_where("tensorflow", is_of_whole_shape(2)),
)
def Betainc(a: Array, b: Array, x: Array) -> Array:
    """The probability of a beta variable below x: the regularized incomplete beta function.

    It is NaN for an a or b that is not positive, or an x outside 0 to 1; for an infinite a or b too, except at the
    ends. The inputs have one shape; only scalars are repeated. No gradient passes to a and b, as in TensorFlow.
    """
    from scipy.special import betainc

    is_inside = np.isfinite(a) & np.isfinite(b) & (x > 0) & (x < 1)
    inside = np.where(is_inside, betainc(a, b, x), np.nan)
    # TensorFlow looks at the ends before it looks for NaN.
    result = np.where((x == 0) | (x == 1), x, inside)
    return np.where((a <= 0) | (b <= 0), np.nan, result).astype(x.dtype, copy=False)


@Betainc.gradient
def betainc_gradient(g: Any, a: Any, b: Any, x: Any, z: Any) -> Any:
    log_beta = Lgamma(a) + Lgamma(b) - Lgamma(a + b)
    return None, None, g * Exp(Xlog1py(b - 1, -x) + Xlogy(a - 1, x) - log_beta)
