"""Optimizers with penalties on the size of a variable, which can make it exactly 0."""

from __future__ import annotations

import numpy as np

from gradwire.blocks.optimizers import optimizer
from gradwire.engine.base.tensor_spec import Array

_LIMITS = {"lr": "above 0", "l1": "at least 0", "l2": "at least 0"}


def shrunk(x: Array, threshold: Array | float) -> Array:
    """Returns each element moved towards 0 by the threshold; it stops there."""
    return np.sign(x) * np.maximum(np.abs(x) - threshold, 0)


@optimizer(
    "var",
    "gradient_accumulator",
    "gradient_squared_accumulator",
    formula=(
        r"s \leftarrow s + g,\quad q \leftarrow q + g^2,\quad "
        r"w \leftarrow -\eta\,\frac{\mathrm{sign}(s) \max(|s| - \lambda_1 t, 0)}{\lambda_2 t\,\eta + \sqrt q}"
    ),
    source="tf.raw_ops.ApplyAdagradDA; Duchi, Hazan and Singer 2011",
)
def ApplyAdagradDA(
    var: Array,
    gradient_accumulator: Array,
    gradient_squared_accumulator: Array,
    *grad: Array,
    lr: float,
    l1: float = 0.0,
    l2: float = 0.0,
) -> tuple[Array, ...]:
    """Adagrad by dual averaging: the variable follows from the sums alone, so penalties can make it exactly 0.

    The step t of the first gradient is 1. The old variable does not count.
    """
    total, squares = gradient_accumulator, gradient_squared_accumulator
    for step, g in enumerate(grad, 1):
        total, squares = total + g, squares + g * g
        var = -lr * shrunk(total, max(l1, 0.0) * step) / (l2 * step * lr + np.sqrt(squares))
    return var, total, squares


@optimizer(
    "var",
    "accum",
    "linear",
    limits={
        "lr": "above 0",
        "l1": "at least 0",
        "l2": "at least 0",
        "l2_shrinkage": "at least 0",
        "lr_power": "at most 0",
    },
    formula=(
        r"n \leftarrow a + g^2,\quad \sigma = (n^p - a^p) / \eta,\quad z \leftarrow z + g - \sigma\,w,\quad "
        r"a \leftarrow n,\quad "
        r"w \leftarrow |z| > \lambda_1 \,?\, -\frac{z - \lambda_1 \mathrm{sign}(z)}{n^p / \eta + 2 \lambda_2} : 0"
    ),
    source="tf.raw_ops.ApplyFtrl, tf.raw_ops.ApplyFtrlV2, tf.keras.optimizers.Ftrl; McMahan et al. 2013",
)
def ApplyFtrl(
    var: Array,
    accum: Array,
    linear: Array,
    *grad: Array,
    lr: float = 0.001,
    l1: float = 0.0,
    l2: float = 0.0,
    l2_shrinkage: float = 0.0,
    lr_power: float = -0.5,
    multiply_linear_by_lr: bool = False,
) -> tuple[Array, ...]:
    """Follow the regularized leader: what all gradients so far would have chosen, under the two penalties.

    An element is exactly 0 unless its `linear` is above `l1` in size, so also where that is NaN, as in TensorFlow.
    The power p is minus `lr_power`. With `l2_shrinkage` the gradient also holds that of a penalty on the square of
    the variable, though `accum` does not; with `multiply_linear_by_lr` the state `linear` is kept times `lr`.
    """
    unit, rate = (lr, 1.0) if multiply_linear_by_lr else (1.0, lr)
    for g in grad:
        grown = accum + g * g
        strength = np.power(grown, -lr_power) / rate
        pull = (strength - np.power(accum, -lr_power) / rate) * var
        linear = linear + (g + 2 * l2_shrinkage * var) * unit - pull
        chosen = -shrunk(linear, l1 * unit) / (strength + 2 * l2 * unit)
        var = np.where(np.abs(linear) > l1 * unit, chosen, np.zeros((), var.dtype))
        accum = grown
    return var, accum, linear


@optimizer(
    "var",
    "accum",
    limits=_LIMITS,
    formula=(
        r"a \leftarrow a + g^2,\quad \rho = \eta / \sqrt a,\quad u = w - \rho\,g,\quad "
        r"w \leftarrow \frac{\mathrm{sign}(u) \max(|u| - \rho \lambda_1, 0)}{1 + \rho \lambda_2}"
    ),
    source="tf.raw_ops.ApplyProximalAdagrad; Duchi and Singer 2009",
)
def ApplyProximalAdagrad(
    var: Array, accum: Array, *grad: Array, lr: float, l1: float = 0.0, l2: float = 0.0
) -> tuple[Array, ...]:
    """An Adagrad step, then the two penalties at the rate of each element.

    A gradient of 0 with nothing accumulated gives NaN.
    """
    for g in grad:
        accum = accum + g * g
        rate = lr / np.sqrt(accum)
        var = shrunk(var - rate * g, rate * l1) / (1 + rate * l2)
    return var, accum


@optimizer(
    "var",
    formula=(
        r"u = w - \alpha\,g,\quad "
        r"w \leftarrow \frac{\mathrm{sign}(u) \max(|u| - \alpha \lambda_1, 0)}{1 + \alpha \lambda_2}"
    ),
    source="tf.raw_ops.ApplyProximalGradientDescent; Duchi and Singer 2009",
)
def ApplyProximalGradientDescent(var: Array, *grad: Array, alpha: float, l1: float = 0.0, l2: float = 0.0) -> Array:
    """A gradient step, then the two penalties: `l1` takes a fixed amount from each element, `l2` a share."""
    for g in grad:
        var = shrunk(var - alpha * g, alpha * max(l1, 0.0)) / (1 + alpha * l2)
    return var
