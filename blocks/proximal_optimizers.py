"""Optimizers with penalties on the size of a variable, which can make it exactly 0."""

from __future__ import annotations

import numpy as np

from gradwire.blocks.optimizers import optimizer
from gradwire.blocks.support.update_formulas import (
    adagrad_da_step,
    ftrl_step,
    proximal_adagrad_step,
    proximal_descent_step,
)
from gradwire.engine.base.tensor_spec import Array

_LIMITS = {"lr": "above 0", "l1": "at least 0", "l2": "at least 0"}


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
        how = {"rate": lr, "step": step, "l1": l1, "l2": l2}
        var, total, squares = adagrad_da_step(np, var, g, total, squares, **how)
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
    how = {"l1": l1, "l2": l2, "l2_shrinkage": l2_shrinkage, "lr_power": lr_power}
    for g in grad:
        var, accum, linear = ftrl_step(
            np, var, g, accum, linear, rate=lr, multiply_linear_by_lr=multiply_linear_by_lr, **how
        )
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
        var, accum = proximal_adagrad_step(np, var, g, accum, rate=lr, l1=l1, l2=l2)
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
        (var,) = proximal_descent_step(np, var, g, rate=alpha, l1=l1, l2=l2)
    return var
