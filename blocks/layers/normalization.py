"""Layers that keep numbers within bounds: normalization by batch or by example, and dropout."""

from __future__ import annotations

from typing import Literal

from gradwire.blocks.layers.weights import Operand, Weights, operand
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library


def BatchNorm(x: Operand, *, epsilon: float = 1e-3, training: bool = True, name: str | None = None) -> Expression:
    """Each feature brought to mean 0 and variance 1 over the batch, then scaled by gamma and moved by beta.

    With `training` mean and variance are those of the batch, and gradients flow through them; without it they are two
    Variables that no gradient trains, as after a training. Source: Ioffe and Szegedy, 2015.
    Shapes: x [..., features] with a batch, the result the same; gamma and beta [features].
    Raises: ShapeError if x has no batch, ParameterError if epsilon is negative.
    """
    x = operand(x, 2)
    _check_epsilon(epsilon)
    weights = Weights([x], 0, name)
    if training:
        return normalized_by_batch(x, epsilon, weights)
    size = (x.shape[-1],)
    mean = weights.variable("moving_mean", size, "zeros", trainable=False)
    variance = weights.variable("moving_variance", size, "ones", trainable=False)
    return _scaled(x, mean, variance, epsilon, weights)


def LayerNorm(x: Operand, *, epsilon: float = 1e-3, name: str | None = None) -> Expression:
    """Each example brought to mean 0 and variance 1 over its features, then scaled by gamma and moved by beta.

    Source: Ba, Kiros and Hinton, 2016.
    Shapes: x [..., features], the result the same; gamma and beta [features].
    Raises: ShapeError if x has no axis, ParameterError if epsilon is negative.
    """
    x = operand(x)
    _check_epsilon(epsilon)
    weights, size = Weights([x], 0, name), (x.shape[-1],)
    gamma, beta = weights.variable("gamma", size, "ones"), weights.variable("beta", size, "zeros")
    found: Expression = library["LayerNormalization"](x, gamma, beta, epsilon=epsilon)
    return found


def Dropout(
    x: Operand,
    rate: float = 0.5,
    *,
    every: Literal["step", "run"] = "step",
    seed: int | None = None,
    name: str | None = None,
) -> Expression:
    """Some elements become 0 at random, the others are scaled up, so that no unit relies on a single other one.

    With `every` step, training drops others in each step; nothing is dropped where held back rows are tested.
    Source: Srivastava et al., 2014.
    Shapes: the result has the shape of x.
    Raises: ParameterError if the rate does not fit.
    """
    x = operand(x, 0)
    weights = Weights([x], seed, name)
    found: Expression = library["Dropout"](
        x, rate=rate, seed=weights.next_seed(), every=every, name=weights.name_of("dropout")
    )
    return found


def normalized_by_batch(x: Expression, epsilon: float, weights: Weights, number: str = "") -> Expression:
    """Returns x normalized by the moments of its batch, scaled and moved; all axes but the last are the batch."""
    mean, variance = library["Moments"](x, axes=tuple(range(x.ndim - 1)))
    return _scaled(x, mean, variance, epsilon, weights, number)


def _scaled(
    x: Expression, mean: Expression, variance: Expression, epsilon: float, weights: Weights, number: str = ""
) -> Expression:
    size = (x.shape[-1],)
    gamma = weights.variable(f"gamma{number}", size, "ones")
    beta = weights.variable(f"beta{number}", size, "zeros")
    found: Expression = library["BatchNormalization"](x, mean, variance, beta, gamma, variance_epsilon=epsilon)
    return found


def _check_epsilon(epsilon: float) -> None:
    if epsilon < 0:
        raise ParameterError(f"epsilon must be at least 0, not {epsilon:g}")
