"""Layers of images and of words: convolution, and the table of an embedding."""

from __future__ import annotations

from typing import Literal

from gradwire.blocks.layers.normalization import normalized_by_batch
from gradwire.blocks.layers.weights import Activation, Operand, StartName, Weights, activated, check_counts, operand
from gradwire.engine.base.errors import DtypeError, ShapeError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library


def Conv2D(
    x: Operand,
    filters: int = 8,
    kernel_size: int = 3,
    *,
    strides: int = 1,
    padding: Literal["VALID", "SAME"] = "VALID",
    activation: Activation = "linear",
    use_bias: bool = True,
    start: StartName = "glorot_uniform",
    seed: int | None = None,
    name: str | None = None,
) -> Expression:
    """Filters that move over images, each with a bias, then an activation.

    Shapes: x [batch, rows, columns, channels], the result [batch, rows, columns, filters]; the kernel
    [kernel_size, kernel_size, channels, filters].
    Raises: ShapeError if x is no batch of images, ParameterError if a setting does not fit.
    """
    x = operand(x)
    if x.ndim != 4:
        raise ShapeError(f"x needs the axes batch, rows, columns and channels, not the shape {list(x.shape)}")
    check_counts(filters=filters, kernel_size=kernel_size, strides=strides)
    weights = Weights([x], seed, name)
    y = _convolved(x, filters, kernel_size, strides, padding, start, weights)
    y = y + weights.variable("bias", (filters,), "zeros") if use_bias else y
    return activated(y, activation)


def Embedding(
    indices: Operand,
    input_dim: int = 10,
    output_dim: int = 4,
    *,
    start: StartName = "uniform",
    seed: int | None = None,
    name: str | None = None,
) -> Expression:
    """A vector of its own for each index, learned like any weight.

    Shapes: indices [...] of whole numbers below `input_dim`, the result [..., output_dim]; the table
    [input_dim, output_dim].
    Raises: DtypeError if the indices are no integers, ParameterError if a setting does not fit.
    """
    indices = operand(indices, 0, "indices")
    if indices.dtype.name not in ("int32", "int64"):
        raise DtypeError(f"indices must be int32 or int64, not {indices.dtype.name}; insert a Cast")
    check_counts(input_dim=input_dim, output_dim=output_dim)
    table = Weights([indices], seed, name).variable("embeddings", (input_dim, output_dim), start)
    found: Expression = library["Gather"](table, indices)
    return found


def residual_of_images(x: Expression, kernel_size: int, activation: str, start: str, weights: Weights) -> Expression:
    """Returns the activation of x plus two normalized convolutions of it, the first with the activation.

    Shapes: x and the result [batch, rows, columns, channels].
    """
    y = x
    for number in ("_1", "_2"):
        y = _convolved(y, x.shape[-1], kernel_size, 1, "SAME", start, weights, number)
        y = normalized_by_batch(y, 1e-3, weights, number)
        y = activated(y, activation) if number == "_1" else y
    return activated(x + y, activation)


def _convolved(
    x: Expression, filters: int, size: int, strides: int, padding: str, start: str, weights: Weights, number: str = ""
) -> Expression:
    kernel = weights.variable(f"kernel{number}", (size, size, x.shape[-1], filters), start)
    found: Expression = library["Conv2D"](x, kernel, strides=strides, padding=padding)
    return found
