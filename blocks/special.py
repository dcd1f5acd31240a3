"""Special functions, element by element: error function and quantiles, gamma function and its kin, Bessel functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradwire.blocks.comparison import LessEqual, Where
from gradwire.blocks.elementwise import Abs, Exp, Sign, Square
from gradwire.blocks.powers import Reciprocal
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Declaration, Differentiable, block
from gradwire.engine.blocktypes.spelling import Spelling


def special(
    formula: str,
    gradient_formula: str,
    spelling: Spelling,
    source: str = "",
    outputs: tuple[str, ...] = ("y",),
    max_slope: float | None = None,
    differentiable: Differentiable = "twice",
) -> Declaration:
    """Returns the declaration that special functions share; `max_slope` is for those that saturate."""
    return block(
        "Special functions",
        differentiable=differentiable,
        formula=formula,
        gradient_formula=gradient_formula,
        spelling=spelling,
        source=source,
        outputs=outputs,
        max_slope=max_slope,
    )


def spelled(scipy: str, tensorflow: str, torch: str, jax: str = "", arguments: str = "{x}") -> Spelling:
    """Returns the spelling of a special function; the first name is SciPy's, left out where its edge values differ."""
    return Spelling(
        f"scipy.special.{scipy}({arguments})" if scipy else "",
        f"tf.math.{tensorflow}({arguments})",
        f"torch.{torch}({arguments})" if torch else "",
        f"jax.scipy.special.{jax or scipy}({arguments})",
    )


ERF_SLOPE = 2 / math.sqrt(math.pi)


@special(
    r"y = \frac{2}{\sqrt{\pi}} \int_0^x e^{-t^2}\,dt",
    r"\bar x = \frac{2}{\sqrt{\pi}} e^{-x^2}\,\bar y",
    spelled("erf", "erf", "erf"),
    "tf.math.erf, except at infinity",
    max_slope=ERF_SLOPE,
)
def Erf(x: Array) -> Array:
    """The error function: how likely a normal variable of variance 1/2 lies between -x and x.

    At plus and minus infinity it is 1 and -1; TensorFlow 2.21 gives NaN there on the processor, which is a defect.
    """
    from scipy.special import erf

    return erf(x).astype(x.dtype, copy=False)


@Erf.gradient
def erf_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * (Exp(-Square(x)) * ERF_SLOPE)


@special(
    r"y = 1 - \mathrm{erf}(x) = \frac{2}{\sqrt{\pi}} \int_x^{\infty} e^{-t^2}\,dt",
    r"\bar x = -\frac{2}{\sqrt{\pi}} e^{-x^2}\,\bar y",
    spelled("erfc", "erfc", "erfc"),
    max_slope=ERF_SLOPE,
)
def Erfc(x: Array) -> Array:
    """One minus the error function, with all its digits also far to the right, where Erf is 1."""
    from scipy.special import erfc

    return erfc(x).astype(x.dtype, copy=False)


@Erfc.gradient
def erfc_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * (Exp(-Square(x)) * -ERF_SLOPE)


@special(
    r"y = \mathrm{erf}^{-1}(x)",
    r"\bar x = \frac{\sqrt{\pi}}{2} e^{y^2}\,\bar y",
    spelled("erfinv", "erfinv", "erfinv"),
)
def Erfinv(x: Array) -> Array:
    """The number whose error function is x; infinite at 1 and -1, and so is the gradient, NaN beyond them.

    Near 0 it has all its digits, where TensorFlow 2.21 loses half of them.
    """
    from scipy.special import erfinv

    return erfinv(x).astype(x.dtype, copy=False)


@Erfinv.gradient
def erfinv_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * (Exp(Square(y)) / ERF_SLOPE)


@special(
    r"y = \Phi^{-1}(x)",
    r"\bar x = \sqrt{2 \pi}\, e^{y^2 / 2}\,\bar y",
    spelled("ndtri", "ndtri", "special.ndtri").noted(
        "the gradient is 0 at 0, 1 and NaN, in Gradwire not finite", "jax"
    ),
)
def Ndtri(x: Array) -> Array:
    """The quantile of the standard normal distribution: how far out its probability reaches x.

    At 0 and 1 it is infinite, and so is the gradient; beyond them both are NaN.
    """
    from scipy.special import ndtri

    return ndtri(x).astype(x.dtype, copy=False)


@Ndtri.gradient
def ndtri_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * (Exp(Square(y) * 0.5) * math.sqrt(2 * math.pi))


@special(
    r"y = \ln |\Gamma(x)|",
    r"\bar x = \psi(x)\,\bar y",
    spelled("", "lgamma", "lgamma", "gammaln").noted("the gradient is -inf at 0, in Gradwire NaN", "torch", "jax"),
)
def Lgamma(x: Array) -> Array:
    """The logarithm of the gamma function's magnitude; for a whole number n it is that of (n - 1)!.

    At 0 and at negative whole numbers it is infinite and its gradient NaN (SciPy, PyTorch and JAX give minus
    infinity at 0), at both infinities plus infinity.
    """
    from scipy.special import gammaln

    return np.where(np.isneginf(x), np.inf, gammaln(x)).astype(x.dtype, copy=False)


@Lgamma.gradient
def lgamma_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Digamma(x)


def digamma(x: Array) -> Array:
    """Returns the logarithmic derivative of the gamma function; NaN at its poles."""
    from scipy.special import psi

    is_pole = (x <= 0) & (x == np.floor(x))
    return np.where(is_pole, np.nan, psi(x)).astype(x.dtype, copy=False)


@special(
    r"y = \psi(x) = \Gamma'(x) / \Gamma(x)",
    r"\bar x = \psi'(x)\,\bar y",
    # SciPy, PyTorch and JAX have another number at 0.
    Spelling(tensorflow="tf.math.digamma({x})"),
)
def Digamma(x: Array) -> Array:
    """The derivative of Lgamma.

    At 0 and at negative whole numbers, which are poles, it is NaN (minus infinity at 0 in SciPy, PyTorch and JAX);
    the gradient there is infinite.
    """
    return digamma(x)


@Digamma.gradient
def digamma_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * Polygamma(1, x)


FAR_LEFT = -100.0


def zeta_far_left(x: Array, q: Array) -> Array:
    """Returns the Hurwitz zeta function of a whole x far to the left, in constant time.

    The sum over all whole steps, in both directions, depends only on the fraction of q; it is too much by the terms
    to the left of q, which are those of a sum to the right of 1 - q.
    """
    from scipy.special import zeta

    part, sign = q - np.floor(q), np.where(np.fmod(x, 2) == 0, 1.0, -1.0)
    whole: Array = zeta(x, part) + sign * (zeta(x, 1 - part) - zeta(x, 1 - q))
    return whole


def hurwitz_zeta(x: Array, q: Array) -> Array:
    """Returns the Hurwitz zeta function with the values that TensorFlow gives it outside its domain."""
    from scipy.special import zeta

    is_pole = (q <= 0) & (q == np.floor(q))
    at_pole = np.where(np.isposinf(x) | (np.fmod(x, 2) == 0), np.inf, np.nan)
    # SciPy has NaN for two infinities, where every term is 0.
    inside = np.where(np.isposinf(x) & (q > 1), 0.0, zeta(x, np.where(q < FAR_LEFT, FAR_LEFT - 0.5, q)))
    is_far = (q < FAR_LEFT) & np.isfinite(q)
    # SciPy adds one term for every step up to 0: a thousand million of them take ten seconds.
    inside = np.where(is_far & (x == np.floor(x)), zeta_far_left(x, np.where(is_far, q, 0.5)), inside)
    result = np.where(is_pole, at_pole, inside)
    return np.where(x == 1, np.inf, np.where(x > 1, result, np.nan)).astype(x.dtype, copy=False)


def polygamma(n: Array, x: Array) -> Array:
    """Returns the nth derivative of the digamma function; NaN where n is no whole number of at least 0."""
    from scipy.special import gamma

    sign = np.where(np.fmod(n, 2) == 0, -1.0, 1.0)
    derivative = sign * gamma(n + 1.0) * hurwitz_zeta(n + 1.0, x)
    is_order = (n >= 0) & (n == np.floor(n))
    return np.where(is_order, np.where(n == 0, digamma(x), derivative), np.nan).astype(x.dtype, copy=False)


@special(
    r"z = \psi^{(x)}(y)",
    r"\bar x = \text{none},\quad \bar y = \psi^{(x + 1)}(y)\,\bar z",
    Spelling("", "tf.math.polygamma({x}, {y})"),
    outputs=("z",),
)
def Polygamma(x: Array, y: Array) -> Array:
    """The derivative of order x of the digamma function, at y.

    An order that is no whole number, or negative, gives NaN. At 0 and at negative whole numbers an odd order gives
    infinity, an even one NaN. No gradient passes to the order.
    """
    return polygamma(x, y)


@Polygamma.gradient
def polygamma_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return None, g * Polygamma(x + 1, y)


@special(
    r"z = \zeta(x, y) = \textstyle\sum_{k \ge 0} (k + y)^{-x}",
    r"\bar x = \text{none},\quad \bar y = -x\,\zeta(x + 1, y)\,\bar z",
    Spelling("", "tf.math.zeta({x}, {y})"),
    outputs=("z",),
)
def Zeta(x: Array, y: Array) -> Array:
    """The Hurwitz zeta function; with y = 1 that of Riemann.

    It is infinite at x = 1 and NaN below. At y = 0 and at negative whole numbers it is infinite for an even x and NaN
    for others, at other negative y NaN unless x is whole. No gradient passes to x.
    """
    return hurwitz_zeta(x, y)


@Zeta.gradient
def zeta_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return None, g * (-x * Zeta(x + 1, y))


@special(
    r"y = e^{-|x|} I_0(x)",
    r"\bar x = (e^{-|x|} I_1(x) - \mathrm{sign}(x)\,y)\,\bar y",
    spelled("i0e", "bessel_i0e", "special.i0e"),
)
def BesselI0e(x: Array) -> Array:
    """The modified Bessel function of order 0, scaled so that it never overflows; the gradient at 0 is 0."""
    from scipy.special import i0e

    return i0e(x).astype(x.dtype, copy=False)


@BesselI0e.gradient
def bessel_i0e_gradient(g: Any, x: Any, y: Any) -> Any:
    return g * (BesselI1e(x) - Sign(x) * y)


@special(
    r"y = e^{-|x|} I_1(x)",
    r"\bar x = (e^{-|x|} I_0(x) - (\mathrm{sign}(x) + 1 / x)\,y)\,\bar y,\quad \tfrac12 \bar y \text{ at } 0",
    spelled("i1e", "bessel_i1e", "special.i1e").noted("at NaN the gradient is finite, in Gradwire NaN", "torch", "jax"),
)
def BesselI1e(x: Array) -> Array:
    """The modified Bessel function of order 1, scaled so that it never overflows; the gradient at 0 is one half."""
    from scipy.special import i1e

    return i1e(x).astype(x.dtype, copy=False)


@BesselI1e.gradient
def bessel_i1e_gradient(g: Any, x: Any, y: Any) -> Any:
    tiny = float(np.finfo(x.dtype).eps)
    is_tiny = LessEqual(Abs(x), tiny)
    safe = Where(is_tiny, tiny, x)
    slope = BesselI0e(safe) - y * (Sign(safe) + Reciprocal(safe))
    return g * Where(is_tiny, 0.5, slope)
