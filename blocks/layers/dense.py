"""Layers of sums: one, several behind each other, and those that are added to their input."""

from __future__ import annotations

from collections.abc import Sequence

from gradwire.blocks.layers.convolution import residual_of_images
from gradwire.blocks.layers.weights import (
    Activation,
    Operand,
    StartName,
    Weights,
    activated,
    check_counts,
    operand,
    product,
)
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.blocktypes.expression import Expression

MOST_LAYERS = 100


def Dense(
    x: Operand,
    units: int = 8,
    *,
    activation: Activation = "linear",
    use_bias: bool = True,
    start: StartName = "glorot_uniform",
    seed: int | None = None,
    name: str | None = None,
) -> Expression:
    """Sums of all inputs with weights of their own and a bias, then an activation.

    Shapes: x [..., n], the result [..., units]; the kernel [n, units], the bias [units].
    Raises: ShapeError if x has no axis, ParameterError if a setting does not fit.
    """
    x = operand(x)
    check_counts(units=units)
    return _dense(x, units, activation, use_bias, start, Weights([x], seed, name))


def MLP(
    x: Operand,
    units: Sequence[int] = (8, 8, 3),
    *,
    activation: Activation = "relu",
    last_activation: Activation = "linear",
    start: StartName = "glorot_uniform",
    seed: int | None = None,
    name: str | None = None,
) -> Expression:
    """Several dense layers behind each other: a multilayer perceptron.

    Shapes: x [..., n], the result [..., units[-1]].
    Raises: ShapeError if x has no axis, ParameterError if a setting does not fit.
    """
    y = operand(x)
    if not 1 <= len(units) <= MOST_LAYERS:
        raise ParameterError(f"units must name the sizes of 1 to {MOST_LAYERS} layers, not of {len(units)}")
    weights = Weights([y], seed, name)
    for number, size in enumerate(units, start=1):
        check_counts(units=size)
        is_last = number == len(units)
        y = _dense(y, size, last_activation if is_last else activation, True, start, weights, f"_{number}")
    return y


def ResidualBlock(
    x: Operand,
    units: int = 8,
    *,
    activation: Activation = "relu",
    kernel_size: int = 3,
    start: StartName = "glorot_uniform",
    seed: int | None = None,
    name: str | None = None,
) -> Expression:
    """The input plus what two layers make of it, so that gradients have a way past them.

    Of vectors: a dense layer of `units` with the activation, one of the input's size, and the input is added. Of images
    [batch, rows, columns, channels]: two convolutions of the input's channels with batch normalization, as in ResNet;
    `units` counts for nothing then. Source: He et al., Deep Residual Learning for Image Recognition, 2016.
    Shapes: the result has the shape of x.
    Raises: ShapeError if x has no axis, ParameterError if a setting does not fit.
    """
    x = operand(x)
    check_counts(units=units, kernel_size=kernel_size)
    weights = Weights([x], seed, name)
    if x.ndim == 4:
        return residual_of_images(x, kernel_size, activation, start, weights)
    inner = _dense(x, units, activation, True, start, weights, "_1")
    return x + _dense(inner, x.shape[-1], "linear", True, start, weights, "_2")


def _dense(
    x: Expression, units: int, activation: str, use_bias: bool, start: str, weights: Weights, number: str = ""
) -> Expression:
    y = product(x, weights.variable(f"kernel{number}", (x.shape[-1], units), start))
    y = y + weights.variable(f"bias{number}", (units,), "zeros") if use_bias else y
    return activated(y, activation)
