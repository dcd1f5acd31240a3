"""Update rules for training, made of the optimizer blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.blocks.elementwise import Sqrt
from gradwire.blocks.optimizers import ApplyGradientDescent, ApplyMomentum
from gradwire.blocks.support.adam_formula import adam_moments, adam_move, adam_rate
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.update_rule import UpdateRule


def descent(rate: float = 0.01) -> UpdateRule:
    """Returns gradient descent: against the gradient, `rate` times as far as it is long."""
    return UpdateRule(lambda variable, g: (ApplyGradientDescent(variable, g, alpha=rate),))


def momentum(rate: float = 0.01, momentum: float = 0.9, use_nesterov: bool = False) -> UpdateRule:
    """Returns gradient descent that keeps part of its speed, as the block ApplyMomentum."""

    def update(variable: Any, g: Any, speed: Any) -> Sequence[Any]:
        moved: Sequence[Any] = ApplyMomentum(variable, speed, g, lr=rate, momentum=momentum, use_nesterov=use_nesterov)
        return moved

    return UpdateRule(update, lambda spec: [_zeros(spec)])


def adam(rate: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-7) -> UpdateRule:
    """Returns Adam, step for step as the block ApplyAdam with one gradient after the other.

    Remembered are the mean gradient, the mean square, and the powers of the two betas, which make up for the start.
    """

    def update(variable: Any, g: Any, m: Any, v: Any, power1: Any, power2: Any) -> Sequence[Any]:
        m, v = adam_moments(m, v, g, beta1, beta2)
        moved = adam_move(variable, m, v, adam_rate(rate, power1, power2, Sqrt), epsilon, Sqrt)
        return moved, m, v, power1 * beta1, power2 * beta2

    def start(spec: TensorSpec) -> Sequence[Array]:
        return [_zeros(spec), _zeros(spec), np.array(beta1, spec.dtype), np.array(beta2, spec.dtype)]

    return UpdateRule(update, start)


def _zeros(spec: TensorSpec) -> Array:
    return np.zeros(spec.shape, spec.dtype)
