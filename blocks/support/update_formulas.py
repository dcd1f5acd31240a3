"""Formulas of the optimizers, one for arrays and expressions alike: the blocks and the rules of training share them.

Each takes a variable, its gradient and what is remembered of it, and returns the new variable and the new memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# Any below: arrays, with NumPy as `f`, or expressions, with what has the same functions of expressions; rates and their
# like are numbers, or scalars of the variable's dtype.
Moved = tuple[Any, ...]


def shrunk(f: Any, x: Any, threshold: Any) -> Any:
    """Returns each element moved towards 0 by the threshold; it stops there."""
    return f.sign(x) * f.maximum(f.abs(x) - threshold, 0)


def descent_step(f: Any, w: Any, g: Any, *, rate: Any) -> Moved:
    """Gradient descent."""
    return (w - rate * g,)


def momentum_step(f: Any, w: Any, g: Any, accum: Any, *, rate: Any, momentum: float, use_nesterov: bool) -> Moved:
    """Gradient descent with a speed; the rate is not part of the speed."""
    accum = accum * momentum + g
    return w - rate * (g + momentum * accum) if use_nesterov else w - rate * accum, accum


def adam_step(
    f: Any, w: Any, g: Any, m: Any, v: Any, *, rate: Any, beta1: float, beta2: float, epsilon: float,
    use_nesterov: bool,
) -> Moved:  # fmt: skip
    """Adam, with a rate that makes up for moments that started at 0 (`adam_rate`).

    Source: Kingma and Ba 2015, the form before section 2.1.
    """
    m, v = m + (g - m) * (1 - beta1), v + (g * g - v) * (1 - beta2)
    ahead = g * (1 - beta1) + beta1 * m if use_nesterov else m
    return w - ahead * rate / (f.sqrt(v) + epsilon), m, v


def adam_rate(rate: float, step: int, beta1: float, beta2: float = 0.0) -> float:
    """Returns Adam's rate at a step, counted from 1; without `beta2` that of AdaMax."""
    return float(rate * np.sqrt(1 - np.power(beta2, step)) / (1 - np.power(beta1, step)))


def adamax_step(
    f: Any, w: Any, g: Any, m: Any, v: Any, *, rate: Any, beta1: float, beta2: float, epsilon: float
) -> Moved:
    """Adam with the largest recent gradient in place of the root of the mean square."""
    m, faded, size = m + (g - m) * (1 - beta1), beta2 * v, f.abs(g)
    v = f.where(size > faded, size, faded)
    return w - m / (v + epsilon) * rate, m, v


def adagrad_step(f: Any, w: Any, g: Any, accum: Any, *, rate: Any, update_slots: bool) -> Moved:
    """Adagrad, without an epsilon."""
    accum = accum + g * g if update_slots else accum
    return w - rate * g / f.sqrt(accum), accum


def adagrad_da_step(
    f: Any, w: Any, g: Any, total: Any, squares: Any, *, rate: Any, step: Any, l1: float, l2: float
) -> Moved:
    """Adagrad by dual averaging; `step` counts from 1."""
    total, squares = total + g, squares + g * g
    return -rate * shrunk(f, total, max(l1, 0.0) * step) / (l2 * step * rate + f.sqrt(squares)), total, squares


def adadelta_step(f: Any, w: Any, g: Any, accum: Any, moved: Any, *, rate: Any, rho: float, epsilon: float) -> Moved:
    """Adadelta; `moved` is the mean square of recent steps."""
    accum = accum * rho + g * g * (1 - rho)
    update = f.sqrt(moved + epsilon) / f.sqrt(accum + epsilon) * g
    return w - rate * update, accum, moved * rho + update * update * (1 - rho)


def rmsprop_step(
    f: Any, w: Any, g: Any, ms: Any, mom: Any, *, rate: Any, rho: float, momentum: float, epsilon: float
) -> Moved:
    """RMSProp, epsilon inside the root."""
    ms = ms + (g * g - ms) * (1 - rho)
    mom = mom * momentum + rate * g / f.sqrt(ms + epsilon)
    return w - mom, ms, mom


def centered_rmsprop_step(
    f: Any, w: Any, g: Any, mg: Any, ms: Any, mom: Any, *, rate: Any, rho: float, momentum: float,
    epsilon: float,
) -> Moved:  # fmt: skip
    """RMSProp with the variance of recent gradients."""
    ms, mg = ms + (g * g - ms) * (1 - rho), mg + (g - mg) * (1 - rho)
    mom = mom * momentum + rate * g / f.sqrt(ms - mg * mg + epsilon)
    return w - mom, mg, ms, mom


def ftrl_step(
    f: Any, w: Any, g: Any, accum: Any, linear: Any, *, rate: Any, l1: float, l2: float, l2_shrinkage: float,
    lr_power: float, multiply_linear_by_lr: bool,
) -> Moved:  # fmt: skip
    """Follow the regularized leader."""
    unit, divisor = (rate, 1.0) if multiply_linear_by_lr else (1.0, rate)
    grown = accum + g * g
    power = f.power(grown, -lr_power)
    strength, pull = power / divisor, (power - f.power(accum, -lr_power)) / divisor * w
    linear = linear + (g + 2 * l2_shrinkage * w) * unit - pull
    chosen = -shrunk(f, linear, l1 * unit) / (strength + 2 * l2 * unit)
    return f.where(f.abs(linear) > l1 * unit, chosen, np.zeros((), w.dtype)), grown, linear


def proximal_adagrad_step(f: Any, w: Any, g: Any, accum: Any, *, rate: Any, l1: float, l2: float) -> Moved:
    """An Adagrad step, then both penalties at the rate of each element."""
    accum = accum + g * g
    own = rate / f.sqrt(accum)
    return shrunk(f, w - own * g, own * l1) / (1 + own * l2), accum


def proximal_descent_step(f: Any, w: Any, g: Any, *, rate: Any, l1: float, l2: float) -> Moved:
    """A step of descent, then both penalties."""
    return (shrunk(f, w - rate * g, rate * max(l1, 0.0)) / (1 + rate * l2),)


def nadam_step(
    f: Any, w: Any, g: Any, m: Any, v: Any, *, ahead: Any, now: Any, correction: Any, beta1: float, beta2: float,
    epsilon: float,
) -> Moved:  # fmt: skip
    """Adam that looks ahead: `ahead` and `now` are the rates of the mean and of the gradient (`nadam_rates`).

    Source: Dozat 2016, as in tf.keras.optimizers.Nadam.
    """
    m, v = m + (g - m) * (1 - beta1), v + (g * g - v) * (1 - beta2)
    return w - (ahead * m + now * g) / (f.sqrt(v / correction) + epsilon), m, v


def lion_step(f: Any, w: Any, g: Any, m: Any, *, rate: Any, beta1: float, beta2: float) -> Moved:
    """The sign of a mixture of gradient and mean gradient.

    Source: Chen et al. 2023, as in tf.keras.optimizers.Lion.
    """
    return w - rate * f.sign(beta1 * m + (1 - beta1) * g), beta2 * m + (1 - beta2) * g
