"""Cells of recurrent networks: one step from an input and a state to the next state."""

from __future__ import annotations

import numpy as np

from gradwire.blocks.layers.weights import (
    Activation,
    Operand,
    Weights,
    activated,
    check_counts,
    fixed,
    operand,
    parts,
    product,
)
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library


def RNNCell(
    x: Operand,
    h: Operand | None = None,
    units: int = 8,
    *,
    activation: Activation = "tanh",
    seed: int | None = None,
    name: str | None = None,
) -> Expression:
    """One step of a simple recurrent network: the activation of what input and state add up to.

    Shapes: x [..., n], the state h [..., units], zeros without one; the result, the next state, [..., units].
    Raises: ShapeError if x and h do not fit together, ParameterError if a setting does not fit.
    """
    x, h = _operands(x, units, h=h)
    weights = Weights([x, h], seed, name)
    y = product(x, weights.variable("kernel", (x.shape[-1], units), "glorot_uniform"))
    y = y + weights.variable("bias", (units,), "zeros")
    return activated(y + product(h, weights.variable("recurrent_kernel", (units, units), "orthogonal")), activation)


def GRUCell(
    x: Operand, h: Operand | None = None, units: int = 8, *, seed: int | None = None, name: str | None = None
) -> Expression:
    """One step of a gated recurrent unit: an update gate chooses between the old state and a new one.

    The reset gate acts behind the product with the state, as in Keras and cuDNN. Source: Cho et al., 2014.
    Shapes: x [..., n], the state h [..., units], zeros without one; the result, the next state, [..., units].
    Raises: ShapeError if x and h do not fit together, ParameterError if a setting does not fit.
    """
    x, h = _operands(x, units, h=h)
    weights = Weights([x, h], seed, name)
    of_x = product(x, weights.variable("kernel", (x.shape[-1], 3 * units), "glorot_uniform"))
    of_h = product(h, weights.variable("recurrent_kernel", (units, 3 * units), "orthogonal"))
    of_x = of_x + weights.variable("bias", (3 * units,), "zeros")
    of_h = of_h + weights.variable("recurrent_bias", (3 * units,), "zeros")
    (x_update, x_reset, x_new), (h_update, h_reset, h_new) = parts(of_x, 3), parts(of_h, 3)
    update = activated(x_update + h_update, "sigmoid")
    reset = activated(x_reset + h_reset, "sigmoid")
    new = activated(x_new + reset * h_new, "tanh")
    return update * h + (1 - update) * new


def LSTMCell(
    x: Operand,
    h: Operand | None = None,
    c: Operand | None = None,
    units: int = 8,
    *,
    seed: int | None = None,
    name: str | None = None,
) -> tuple[Expression, Expression]:
    """One step of a long short-term memory: gates forget, write and read the cell c.

    The forget gate begins with a bias of 1. Source: Hochreiter and Schmidhuber, 1997; Gers et al., 2000.
    Shapes: x [..., n], the states h and c [..., units], zeros without one; the results, the next h and c, the same.
    Raises: ShapeError if x, h and c do not fit together, ParameterError if a setting does not fit.
    """
    x, h, c = _operands(x, units, h=h, c=c)
    weights = Weights([x, h, c], seed, name)
    z = product(x, weights.variable("kernel", (x.shape[-1], 4 * units), "glorot_uniform"))
    z = z + product(h, weights.variable("recurrent_kernel", (units, 4 * units), "orthogonal"))
    z_write, z_forget, z_new, z_read = parts(z, 4)
    write = activated(z_write + weights.variable("bias_write", (units,), "zeros"), "sigmoid")
    forget = activated(z_forget + weights.variable("bias_forget", (units,), "ones"), "sigmoid")
    new = activated(z_new + weights.variable("bias_new", (units,), "zeros"), "tanh")
    read = activated(z_read + weights.variable("bias_read", (units,), "zeros"), "sigmoid")
    cell = forget * c + write * new
    return read * library["Tanh"](cell), cell


def _operands(x: Operand, units: int, **states: Operand | None) -> list[Expression]:
    """Returns the input and the states, zeros for those that are not given."""
    check_counts(units=units)
    x = operand(x)
    shape, found = (*x.shape[:-1], units), [x]
    for name, value in states.items():
        state = fixed(np.zeros(shape, x.dtype)) if value is None else operand(value, 1, name)
        if state.shape != shape:
            raise ShapeError(f"{name} must have the shape {list(shape)}, not {list(state.shape)}")
        found.append(state)
    return found
